// @ts-check
// A map to draw on: a box that is dragged, or areas whose corners are clicked. The server hears of what is finished.

import { drawn, put, tag } from './element.js';

const BLUE = '#0072b2';

class Sheet {
  constructor(room) {
    this.room = room;
    this.areas = [];
    this.corners = [];
    this.box = null;
    this.held = null;
  }

  set(data, tell) {
    const fresh = !this.data || this.data.sheet !== data.sheet;
    this.data = data;
    this.tell = tell;
    if (!fresh) return;
    this.areas = data.areas ?? [];
    this.box = data.box ?? null;
    this.corners = [];
    this.build();
  }

  build() {
    const { svg, width, height, words, mode } = this.data;
    this.over = drawn('svg', {
      class: 'dpv-sheet-over',
      viewBox: `0 0 ${width} ${height}`,
      tabindex: 0,
      role: 'application',
      'aria-label': words[mode],
    });
    for (const name of ['pointerdown', 'pointermove', 'pointerup', 'keydown', 'dblclick']) {
      this.over.addEventListener(name, event => this[name](event));
    }
    const ground = tag('img', {
      class: 'dpv-sheet-ground',
      alt: '',
      draggable: 'false',
      src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
    });
    const buttons =
      mode === 'areas'
        ? [
            tag('button', { type: 'button', onclick: () => this.close() }, words.close),
            tag('button', { type: 'button', onclick: () => this.undo() }, words.undo),
            tag('button', { type: 'button', onclick: () => this.clear() }, words.clear),
          ]
        : [];
    put(
      this.room,
      tag('div', { class: 'dpv-sheet-map' }, ground, this.over),
      tag('div', { class: 'dpv-sheet-tools' }, ...buttons, tag('span', null, words[mode])),
    );
    this.draw();
  }

  at(event) {
    // degrees under the pointer, and where that is in the picture
    const seen = this.over.getBoundingClientRect();
    const x = Math.min(1, Math.max(0, (event.clientX - seen.left) / seen.width));
    const y = Math.min(1, Math.max(0, (event.clientY - seen.top) / seen.height));
    const [west, south, east, north] = this.data.shown;
    return [west + x * (east - west), north - y * (north - south)];
  }

  /** @param {number[]} place */
  on([lon, lat]) {
    const [west, south, east, north] = this.data.shown;
    return [((lon - west) / (east - west)) * this.data.width, ((north - lat) / (north - south)) * this.data.height];
  }

  pointerdown(event) {
    if (event.button > 0) return;
    event.preventDefault();
    this.over.focus({ preventScroll: true });
    const place = this.at(event);
    if (this.data.mode === 'box') {
      this.held = place;
      this.over.setPointerCapture(event.pointerId);
      return;
    }
    const first = this.corners[0] && this.on(this.corners[0]),
      here = this.on(place);
    if (this.corners.length > 2 && Math.hypot(first[0] - here[0], first[1] - here[1]) < 14) return void this.close();
    this.corners.push(place);
    this.draw();
  }

  pointermove(event) {
    if (!this.held) return;
    const [x, y] = this.at(event),
      [a, b] = this.held;
    this.box = [Math.min(a, x), Math.min(b, y), Math.max(a, x), Math.max(b, y)];
    this.draw();
  }

  pointerup() {
    if (!this.held) return;
    this.held = null;
    const [a, b] = this.on([this.box?.[0] ?? 0, this.box?.[3] ?? 0]),
      [c, d] = this.on([this.box?.[2] ?? 0, this.box?.[1] ?? 0]);
    if (this.box && c - a > 6 && d - b > 6)
      this.tell(
        'box',
        this.box.map(value => Number(value.toFixed(4))),
      );
  }

  dblclick() {
    if (this.data.mode === 'areas') this.close();
  }

  keydown(event) {
    if (this.data.mode !== 'areas') return;
    if (event.key === 'Enter') this.close();
    else if (event.key === 'Backspace') this.undo();
    else if (event.key === 'Escape') {
      this.corners = [];
      this.draw();
    } else return;
    event.preventDefault();
  }

  undo() {
    if (this.corners.length) {
      this.corners.pop();
      this.draw();
    } else if (this.areas.length) {
      this.areas.pop();
      this.say();
    }
  }

  clear() {
    this.corners = [];
    this.areas = [];
    this.say();
  }

  close() {
    const kept = this.corners.filter((corner, at) => at === 0 || this.apart(corner, this.corners[at - 1]));
    if (kept.length < 3) return;
    this.areas.push(kept.map(corner => corner.map(value => Number(value.toFixed(5)))));
    this.corners = [];
    this.say();
  }

  apart(one, other) {
    const [a, b] = this.on(one),
      [c, d] = this.on(other);
    return Math.hypot(a - c, b - d) > 2;
  }

  say() {
    this.draw();
    this.tell(
      'areas',
      this.areas.map(ring => [...ring]),
    );
  }

  draw() {
    const shapes = [];
    const path = (ring, closed) =>
      `M${ring
        .map(corner =>
          this.on(corner)
            .map(value => value.toFixed(1))
            .join(' '),
        )
        .join('L')}${closed ? 'Z' : ''}`;
    const outline = (line, facts) => [
      drawn('path', { d: line, fill: 'none', stroke: '#fff', 'stroke-width': 6, 'stroke-linejoin': 'round' }),
      drawn('path', { d: line, stroke: BLUE, 'stroke-width': 3, 'stroke-linejoin': 'round', ...facts }),
    ];
    if (this.data.mode === 'box' && this.box) {
      const [west, south, east, north] = this.box;
      shapes.push(
        ...outline(
          path(
            [
              [west, north],
              [east, north],
              [east, south],
              [west, south],
            ],
            true,
          ),
          { fill: BLUE, 'fill-opacity': 0.05 },
        ),
      );
    }
    if (this.data.mode === 'areas' && this.data.box) {
      const [west, south, east, north] = this.data.box;
      shapes.push(
        drawn('path', {
          d: path(
            [
              [west, north],
              [east, north],
              [east, south],
              [west, south],
            ],
            true,
          ),
          fill: 'none',
          stroke: '#555',
          'stroke-width': 1.5,
          'stroke-dasharray': '6 5',
        }),
      );
    }
    if (this.data.mode === 'areas') {
      for (const [at, ring] of this.areas.entries()) {
        const [x, y] = this.on(ring.reduce(([a, b], [c, d]) => [a + c / ring.length, b + d / ring.length], [0, 0]));
        shapes.push(
          ...outline(path(ring, true), { fill: BLUE, 'fill-opacity': 0.18 }),
          drawn('text', { x, y, 'text-anchor': 'middle', class: 'dpv-sheet-name' }, String(at + 1)),
        );
      }
      if (this.corners.length)
        shapes.push(...outline(path(this.corners, false), { fill: 'none', 'stroke-dasharray': '7 5' }));
      for (const [at, corner] of this.corners.entries()) {
        const [cx, cy] = this.on(corner);
        shapes.push(
          drawn('circle', { cx, cy, r: at ? 4 : 7, fill: at ? BLUE : '#fff', stroke: BLUE, 'stroke-width': 2.5 }),
        );
      }
    }
    put(this.over, ...shapes);
  }
}

const sheets = new WeakMap();

export default function drawingPart({ data, parentElement, setStateValue }) {
  if (!data) return;
  const room =
    parentElement.querySelector(':scope > .dpv-sheet') ?? parentElement.appendChild(tag('div', { class: 'dpv-sheet' }));
  const sheet = sheets.get(room) ?? sheets.set(room, new Sheet(room)).get(room);
  sheet.set(data, setStateValue);
}
