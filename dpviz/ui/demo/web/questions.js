// @ts-check
// What people ask, one click away; the last question has a dial of its own: what somebody already suspects.

import { bold, figure, filled, tag } from './element.js';

export class Questions {
  constructor(theatre) {
    this.theatre = theatre;
    this.prior = 90;
    this.element = tag('dialog', { class: 'her-questions', 'aria-labelledby': 'her-questions-title' });
  }

  open() {
    this.draw();
    if (!this.element.open) this.element.showModal();
  }

  draw() {
    const { words } = this.theatre;
    const asked = words.questions.map(([question, answer], at) =>
      tag(
        'details',
        { name: 'her-question', ontoggle: shown },
        tag('summary', null, question),
        tag('div', null, tag('p', null, bold(answer)), at === words.questions.length - 1 ? this.suspicion() : null),
      ),
    );
    this.element.replaceChildren(
      tag(
        'div',
        { class: 'her-questions-top' },
        tag('h2', { id: 'her-questions-title' }, words.questions_title),
        tag('button', { type: 'button', onclick: () => this.element.close() }, words.close),
      ),
      ...asked,
    );
  }

  suspicion() {
    const { words, data } = this.theatre,
      told = tag('p', { class: 'her-belief', role: 'status' });
    const range = tag('input', { type: 'range', min: 1, max: 99, value: this.prior, id: 'her-prior' });
    const say = () => {
      this.prior = Number(range.value);
      const found = data.stops.map(({ name, epsilon }) => ({ name, ...belief(this.prior / 100, epsilon) }));
      const { low, high } = belief(this.prior / 100, data.stops[data.default].epsilon);
      told.replaceChildren(
        ...bold(
          filled(words.belief, {
            prior: this.prior,
            low: figure(percent(low, Math.floor), this.theatre.language, 1),
            high: figure(percent(high, Math.ceil), this.theatre.language, 1),
            level: words.levels[data.default],
          }),
        ),
      );
      table.replaceChildren(
        ...found.map((row, at) =>
          tag(
            'tr',
            null,
            tag('th', { scope: 'row' }, words.levels[at]),
            tag('td', null, `${figure(percent(row.low, Math.floor), this.theatre.language, 1)}`),
            tag('td', null, `${figure(percent(row.high, Math.ceil), this.theatre.language, 1)}`),
          ),
        ),
      );
    };
    const table = tag('tbody');
    range.addEventListener('input', say);
    say();
    return tag(
      'div',
      null,
      tag('label', { for: 'her-prior' }, words.prior),
      range,
      told,
      tag(
        'table',
        { class: 'her-beliefs' },
        tag(
          'thead',
          null,
          tag(
            'tr',
            null,
            tag('th', { scope: 'col' }, words.level),
            tag('th', { scope: 'col' }, words.at_least),
            tag('th', { scope: 'col' }, words.at_most),
          ),
        ),
        table,
      ),
    );
  }
}

// The whole answer is brought into sight.
const shown = ({ currentTarget: answer }) => {
  if (answer.open) answer.scrollIntoView({ block: 'nearest' });
};

// Bayes: whatever is published, the odds move by at most e to the power of the budget, either way.
export function belief(prior, epsilon) {
  const reach = Math.exp(epsilon);
  return { low: prior / (prior + (1 - prior) * reach), high: (prior * reach) / (prior * reach + 1 - prior) };
}

// Rounded away from what one would like; nobody is told of certainty where there is none.
const percent = (share, round) => {
  const whole = round(100 * share);
  return whole > 0 && whole < 100 ? whole : round(1000 * share) / 10;
};
