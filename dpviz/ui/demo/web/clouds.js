// @ts-check
// Two worlds beside each other: every published map drops one dot for her door and one for the clinic.

import { calm, HER, tag } from './element.js';
const GREY = '#c3cfe2';

export class Clouds {
  constructor(words) {
    this.words = words;
    this.canvas = tag('canvas', { class: 'her-clouds', role: 'img' });
    this.element = tag(
      'div',
      { class: 'her-plot' },
      tag(
        'p',
        { class: 'her-key' },
        tag('i', { style: `background:${GREY}` }),
        words.without,
        tag('i', { style: `background:${HER}` }),
        words.with,
      ),
      tag('p', { class: 'her-axis' }, words.clouds_axis),
      this.canvas,
    );
  }

  // rounds: [{inside, seen, without}]; exact: the two true counts
  show(rounds, moved, about) {
    this.rounds = rounds;
    this.moved = moved;
    this.drawn = calm() ? rounds.length : 0;
    this.canvas.setAttribute('aria-label', about);
    clearInterval(this.timer);
    this.timer = setInterval(() => this.more(), 70);
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
  }

  more() {
    if (!this.canvas.isConnected || this.drawn >= this.rounds.length) {
      this.stop();
      return;
    }
    this.drawn += 1;
    this.draw();
  }

  draw() {
    const { canvas } = this,
      ratio = Math.min(2, devicePixelRatio || 1);
    const wide = canvas.clientWidth || 900,
      high = canvas.clientHeight || 480;
    canvas.width = wide * ratio;
    canvas.height = high * ratio;
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    const names = ['home', 'clinic'];
    names.forEach((name, at) => this.row(pen, name, (high * at) / 2, wide, high / 2));
  }

  row(pen, name, top, wide, high) {
    const values = this.rounds.map(round => round.seen[name] - round.without[name]);
    const moved = this.moved[name];
    const reach = Math.max(9, ...values.map(Math.abs)) * 1.08;
    const size = Math.max(15, wide / 36),
      left = size,
      right = wide - size;
    const truth = this.rounds[0].without[name];
    const across = value => left + ((value - truth + reach) / (2 * reach)) * (right - left);
    pen.font = `700 ${size}px system-ui, sans-serif`;
    pen.textAlign = 'left';
    pen.fillStyle = '#fff';
    pen.fillText(this.words.doors[name], left, top + size * 1.1);
    const floor = top + high - size * 1.9;
    pen.strokeStyle = '#5b6c88';
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(left, floor);
    pen.lineTo(right, floor);
    pen.stroke();
    pen.textAlign = 'center';
    for (const [value, colour, off] of [
      [truth, GREY, -1],
      [truth + moved, HER, 1],
    ]) {
      const x = across(value);
      pen.strokeStyle = colour;
      pen.lineWidth = 3;
      pen.beginPath();
      pen.moveTo(x, top + size * 1.7);
      pen.lineTo(x, floor + size * 0.3);
      pen.stroke();
      pen.fillStyle = colour;
      const close = Math.abs(across(truth + moved) - across(truth)) < size * 2.2;
      pen.fillText(String(value), x + (close ? off * size * 1.1 : 0), floor + size * 1.35);
    }
    const dot = Math.max(4, size * 0.42),
      places = this.rounds.map((round, number) => {
        const x = across(truth + values[number]);
        return [x, Math.round(x / (dot * 2.1)) * 2 + (round.inside ? 1 : 0)];
      });
    const many = new Map();
    for (const [, key] of places) many.set(key, (many.get(key) ?? 0) + 1);
    const tallest = Math.max(...many.values());
    const stacks = new Map(),
      rise = Math.min(dot * 2.05, (floor - top - size * 2.2) / tallest);
    this.ends(
      pen,
      truth - reach,
      truth + reach,
      left,
      right,
      floor + size * 1.35,
      values.every(value => value === 0 || value === moved),
    );
    this.rounds.slice(0, this.drawn).forEach((round, number) => {
      const [x, key] = places[number];
      const height = (stacks.get(key) ?? 0) + 1;
      stacks.set(key, height);
      pen.globalAlpha = 0.85;
      pen.fillStyle = round.inside ? HER : GREY;
      const y = floor - dot * 1.05 - (height - 1) * rise - (round.inside ? dot : 0);
      pen.beginPath();
      pen.arc(x, y, dot, 0, 7);
      pen.fill();
      pen.globalAlpha = 1;
    });
  }

  // How far the scale reaches, where chance makes it reach so far.
  ends(pen, low, high, left, right, y, sure) {
    if (sure) return;
    pen.fillStyle = '#93a3bd';
    pen.textAlign = 'left';
    pen.fillText(this.told(low), left, y);
    pen.textAlign = 'right';
    pen.fillText(this.told(high), right, y);
    pen.textAlign = 'center';
  }

  told(value) {
    return String(Math.round(value)).replace('-', '−');
  }
}
