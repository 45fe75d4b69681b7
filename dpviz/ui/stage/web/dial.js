// @ts-check
// The slider with its stops, and what the chosen one gives away: a sentence and a hundred dots.

import { drawn, put, tag } from './element.js';

const COIN = 50; // of 100 guesses a coin gets right
let made = 0;

export class Dial {
  constructor(stage, element, { words, stops }) {
    this.stage = stage;
    this.stops = stops;
    const id = `dpv-level-${(made += 1)}`;
    this.name = tag('output', { class: 'dpv-level', for: id });
    this.range = tag('input', {
      type: 'range',
      id,
      min: 1,
      max: stops.length,
      step: 1,
      'aria-describedby': `${id}-odds`,
      oninput: event => stage.go(Number(event.target.value)),
    });
    this.spent = tag('i', { class: 'dpv-coin' });
    this.cost = tag('i', { class: 'dpv-added' });
    this.left = tag('p', null);
    this.budget = tag('div', { class: 'dpv-budget', hidden: true }, tag('div', null, this.spent, this.cost), this.left);
    this.sentence = tag('p', { id: `${id}-odds` });
    this.circles = [...Array(100).keys()].map(at =>
      drawn('circle', {
        cx: (at % 10) * 15 + 7.5,
        cy: Math.floor(at / 10) * 15 + 7.5,
        r: 5.6,
      }),
    );
    this.dots = drawn('svg', { viewBox: '0 0 150 150', role: 'img' }, this.circles);
    const key = (kind, label) => tag('span', { class: 'dpv-key' }, tag('i', { class: kind }), label);
    put(
      element,
      tag(
        'div',
        { class: 'dpv-dial' },
        tag('div', { class: 'dpv-question' }, tag('label', { for: id }, words.question), this.name),
        this.range,
        tag(
          'div',
          { class: 'dpv-ticks', 'aria-hidden': 'true' },
          stops.map(() => tag('i')),
        ),
        tag('div', { class: 'dpv-ends' }, tag('span', null, `← ${words.less}`), tag('span', null, `${words.more} →`)),
        tag('p', { class: 'dpv-dial-help' }, words.help),
        this.budget,
      ),
      tag(
        'div',
        { class: 'dpv-odds' },
        this.dots,
        tag('div', null, this.sentence, key('dpv-coin', words.coin), key('dpv-added', words.added)),
      ),
    );
  }

  step() {
    const { level } = this.stage;
    const { name, before, right, after, alt, dots, budget, left } = this.stops[level - 1];
    this.range.value = level;
    this.range.setAttribute('aria-valuetext', name);
    this.name.textContent = name;
    this.budget.hidden = !budget;
    if (budget) {
      [this.spent, this.cost].forEach((part, at) => {
        part.style.width = `${100 * budget[at]}%`;
      });
      this.left.textContent = left;
    }
    put(this.sentence, before, tag('strong', null, right), after);
    this.dots.setAttribute('aria-label', alt);
    this.circles.forEach((circle, at) =>
      circle.setAttribute('class', at < COIN ? 'coin' : at < dots ? 'added' : 'empty'),
    );
  }
}
