// @ts-check
// The game: is she in this map? Hands or phones say so; a computer plays a thousand rounds beside them.

import { bold, calm, figure, filled, HER, tag } from './element.js';

export const nothingPlayed = () => ({ round: 0, hands: [0, 0], revealed: false, right: 0, played: 0, computer: 0 });

// The stop of the dial as the game knows it; the first one has no protection at all.
export function stopOf({ data, stop }) {
  if (stop > 0) return data.stops[stop - 1];
  const { without, moved } = data.exact;
  const rounds = data.stops[0].rounds.map(({ inside }) => ({
    inside,
    said: inside,
    without,
    seen: Object.fromEntries(Object.keys(without).map(name => [name, without[name] + (inside ? moved[name] : 0)])),
  }));
  return { promised: 100, reachable: 100, right: '1'.repeat(data.stops[0].right.length), rounds, none: true };
}

export class Game {
  constructor(theatre) {
    this.theatre = theatre;
    this.element = tag('div', { class: 'her-game' });
  }

  get play() {
    return this.theatre.state.play;
  }

  draw() {
    const { theatre, play } = this,
      { words } = theatre,
      found = stopOf(theatre);
    const round = found.rounds[play.round % found.rounds.length];
    const rows = theatre.data.places.map(({ name }) =>
      tag(
        'tr',
        null,
        tag('th', { scope: 'row' }, words.doors[name]),
        tag('td', null, this.number(round.without[name])),
        tag('td', { class: 'her-seen' }, this.number(round.seen[name])),
      ),
    );
    const vote = side =>
      tag(
        'div',
        { class: 'her-vote' },
        tag(
          'button',
          { class: 'her-guess', type: 'button', onclick: () => this.guess(side) },
          side ? words.guess_in : words.guess_out,
        ),
        tag(
          'div',
          { class: 'her-hands' },
          tag(
            'button',
            {
              type: 'button',
              'aria-label': filled(words.fewer, { side: side ? words.guess_in : words.guess_out }),
              onclick: () => this.hands(side, -1),
            },
            '−',
          ),
          tag('output', { class: 'her-count' }, String(this.votes(side))),
          tag(
            'button',
            {
              type: 'button',
              'aria-label': filled(words.more, { side: side ? words.guess_in : words.guess_out }),
              onclick: () => this.hands(side, 1),
            },
            '+',
          ),
        ),
      );
    this.element.replaceChildren(
      tag(
        'table',
        { class: 'her-table' },
        tag(
          'thead',
          null,
          tag(
            'tr',
            null,
            tag('th', { scope: 'col' }, words.square),
            tag('th', { scope: 'col' }, words.truth),
            tag('th', { scope: 'col' }, words.published),
          ),
        ),
        tag('tbody', null, rows),
      ),
      play.revealed ? this.answer(round) : tag('div', { class: 'her-votes' }, vote(1), vote(0)),
      this.score(found),
    );
  }

  number(value, digits = 0) {
    return figure(value, this.theatre.language, digits);
  }

  votes(side) {
    return this.play.hands[side] + (this.theatre.phones?.[side] ?? 0);
  }

  hands(side, by) {
    this.play.hands[side] = Math.max(0, this.play.hands[side] + by);
    this.theatre.keep();
    this.draw();
  }

  // The room's guess is the side with more votes, or the button that was pressed where nobody voted.
  guess(side) {
    const { play } = this,
      votes = [this.votes(0), this.votes(1)];
    const said = votes[0] === votes[1] ? side : votes[1] > votes[0] ? 1 : 0;
    const found = stopOf(this.theatre),
      round = found.rounds[play.round % found.rounds.length];
    play.revealed = true;
    play.said = said;
    play.played += 1;
    play.right += Number(Boolean(said) === round.inside);
    this.theatre.closed();
    this.theatre.keep();
    this.draw();
    this.element.querySelector('.her-again')?.focus({ preventScroll: true });
  }

  answer(round) {
    const { words } = this.theatre;
    const right = Boolean(this.play.said) === round.inside;
    return tag(
      'div',
      { class: `her-answer ${right ? 'is-right' : 'is-wrong'}`, role: 'status' },
      tag(
        'p',
        null,
        bold(
          filled(right ? words.guessed_right : words.guessed_wrong, {
            answer: round.inside ? words.was_in : words.was_out,
          }),
        ),
      ),
      tag('button', { class: 'her-again', type: 'button', onclick: () => this.next() }, words.next_round),
    );
  }

  next() {
    Object.assign(this.play, { round: this.play.round + 1, hands: [0, 0], revealed: false });
    this.theatre.opened();
    this.theatre.keep();
    this.draw();
  }

  // ---- the scores: the room's, and the computer's as a line that settles ----

  score(found) {
    const { theatre, play } = this,
      { words } = theatre;
    const canvas = tag('canvas', { class: 'her-race', role: 'img' });
    const share = play.computer ? (100 * ones(found.right, play.computer)) / play.computer : null;
    const told =
      share === null
        ? words.computer_not
        : filled(words.computer_told, { share: this.number(share, 1), rounds: this.number(play.computer) });
    canvas.setAttribute(
      'aria-label',
      `${told} ${filled(words.limits_told, { promised: found.promised, reachable: this.number(found.reachable, 1) })}`,
    );
    const label = tag(
      'p',
      { class: 'her-tally' },
      bold(filled(words.room, { right: play.right, played: play.played })),
      ' ',
      tag('span', null, bold(told)),
    );
    const button = tag('button', { class: 'her-machine', type: 'button', onclick: () => this.race() }, words.machine);
    this.canvas = canvas;
    requestAnimationFrame(() =>
      race(canvas, found, play.computer, words, (value, digits) => this.number(value, digits)),
    );
    return tag('div', { class: 'her-score' }, label, canvas, button);
  }

  race() {
    const { play } = this,
      long = stopOf(this.theatre).right.length;
    play.computer = calm() ? long : 10;
    clearInterval(this.timer);
    const redraw = () => {
      this.theatre.keep();
      this.draw();
    };
    redraw();
    this.timer = setInterval(() => {
      play.computer = Math.min(long, Math.ceil(play.computer * 1.09) + 2);
      if (!this.element.isConnected || play.computer >= long) clearInterval(this.timer);
      redraw();
    }, 60);
  }

  stop() {
    clearInterval(this.timer);
  }
}

const ones = (text, many) => {
  let sum = 0;
  for (let at = 0; at < many; at += 1) sum += text[at] === '1' ? 1 : 0;
  return sum;
};

// Share of right guesses against rounds; lines for the coin, the best score that anybody can reach, and the promise.
function race(canvas, found, done, words, told) {
  const ratio = Math.min(2, devicePixelRatio || 1),
    wide = canvas.clientWidth,
    high = canvas.clientHeight;
  if (!wide) return;
  canvas.width = wide * ratio;
  canvas.height = high * ratio;
  const pen = canvas.getContext('2d');
  pen.scale(ratio, ratio);
  const size = Math.max(13, Math.min(34, wide / 34, high / 7)),
    left = 4,
    right = wide - 4,
    top = size * 1.6,
    bottom = high - size * 1.5;
  const ceiling = Math.max(70, found.promised),
    floor = 40;
  const y = share => bottom - ((share - floor) / (ceiling - floor)) * (bottom - top);
  const x = rounds => left + (Math.log(Math.max(1, rounds)) / Math.log(found.right.length)) * (right - left);
  pen.font = `700 ${size}px system-ui, sans-serif`;
  pen.textBaseline = 'bottom';
  const marks = [
    [50, '#c3cfe2', words.coin, 'left'],
    [found.reachable, '#7fd1ff', words.reachable, 'middle'],
    ...(found.none ? [] : [[found.promised, '#ffd166', words.promised, 'left']]),
  ];
  for (const [share, colour] of marks) {
    pen.strokeStyle = colour;
    pen.lineWidth = 3;
    pen.setLineDash(share === found.reachable ? [] : [9, 7]);
    pen.beginPath();
    pen.moveTo(left, y(share));
    pen.lineTo(right, y(share));
    pen.stroke();
  }
  pen.setLineDash([]);
  pen.fillStyle = '#c3cfe2';
  pen.textBaseline = 'top';
  for (const rounds of wide < 420 ? [10, found.right.length] : [10, 100, found.right.length]) {
    // the scale across, each step ten times the one before
    pen.textAlign = rounds === found.right.length ? 'right' : 'center';
    pen.fillText(
      rounds === found.right.length ? `${told(rounds)} ${words.rounds}` : told(rounds),
      x(rounds),
      bottom + 4,
    );
  }
  pen.textAlign = 'left';
  line(pen, found, done, x, y, {
    left,
    right,
    top: top - size * 1.4,
    bottom,
    width: Math.max(2, Math.min(4, wide / 240)),
  });
  pen.textBaseline = 'bottom';
  pen.lineJoin = 'round';
  pen.strokeStyle = '#070c16';
  pen.lineWidth = size / 3;
  for (const [share, colour, label, side] of marks) {
    // above the line of the scores, and readable on it
    const text = `${label} ${told(share, 1)}`,
      from = side === 'left' ? left : left + (right - left) * 0.24;
    const at = share === 50 ? y(share) + size * 1.25 : y(share) - 3; // the coin's below its line, where the three lie close
    pen.strokeText(text, from, at);
    pen.fillStyle = colour;
    pen.fillText(text, from, at);
  }
}

function line(pen, found, done, x, y, { left, right, top, bottom, width }) {
  if (!done) return;
  pen.save();
  pen.beginPath();
  pen.rect(left, top, right - left, bottom - top);
  pen.clip();
  pen.strokeStyle = HER;
  pen.lineWidth = width;
  pen.lineJoin = 'round';
  pen.beginPath();
  let sum = 0;
  for (let at = 0; at < done; at += 1) {
    sum += found.right[at] === '1' ? 1 : 0;
    if (at < 9) continue;
    const share = (100 * sum) / (at + 1);
    if (at === 9) pen.moveTo(x(10), y(share));
    else pen.lineTo(x(at + 1), y(share));
  }
  pen.stroke();
  pen.restore();
}
