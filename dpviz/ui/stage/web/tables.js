// @ts-check
// What the stage shows, to be read: which level one can accept, tables, further draws. Closed drawers hold nothing.

import { drawn, marked, put, tag } from './element.js';

const LONGEST_WORD = 20; // letters: only longer ones are broken
const joined = text => text.replace(/(\d) (?=%|k?m\b)/g, '$1\u00a0'); // a number and its unit stay on one line

// A table whose first column names its rows. `chosen` is a row to mark; with an arrow where it was pointed at.
export function table({ heads, rows, numbers = [], caption }, chosen = -1, arrow = false) {
  const kind = at => (numbers.includes(at) ? 'number' : null);
  const long = value => (value.split(/\s+/).some(word => word.length > LONGEST_WORD) ? 'dpv-long' : null);
  const head = tag(
    'tr',
    null,
    heads.map((name, at) => tag('th', { scope: 'col', class: kind(at) }, name)),
  );
  const body = rows.map((values, row) =>
    tag(
      'tr',
      { class: row === chosen ? 'dpv-chosen' : null },
      values.map((value, at) =>
        at === 0
          ? tag(
              'th',
              { scope: 'row', class: long(value) },
              row === chosen && arrow ? `→ ${joined(value)}` : joined(value),
            )
          : tag('td', { class: kind(at) ?? long(value), 'data-head': heads[at] }, joined(value)),
      ),
    ),
  );
  return tag(
    'table',
    { class: 'dpv-table dpv-cards' },
    tag('caption', null, caption),
    tag('thead', null, head),
    tag('tbody', null, body),
  );
}

export class Accepted {
  constructor(stage, element) {
    this.stage = stage;
    this.room = tag('div', { class: 'dpv-accepted' });
    put(element, this.room);
  }

  afterStep() {
    const { news, level } = this.stage;
    const key = JSON.stringify([news?.accept ?? null, level]);
    if (key === this.shown || !news?.accept) return;
    this.shown = key;
    const { progress, told, found, here, go, asides } = news.accept;
    const answer =
      found === level
        ? tag('p', { class: 'dpv-aside' }, here)
        : found
          ? tag('button', { type: 'button', onclick: () => this.stage.go(found) }, go)
          : null;
    const more = asides.map(({ text, label, wish, levels }) =>
      levels && !levels[level - 1]
        ? null
        : [
            tag('p', { class: 'dpv-aside' }, marked(levels ? levels[level - 1] : text)),
            label ? tag('button', { type: 'button', onclick: () => this.stage.wish(wish) }, label) : null,
          ],
    );
    const bar =
      progress === null
        ? null
        : tag(
            'div',
            { class: 'dpv-progress', role: 'status' },
            tag('div', null, tag('i', { style: `width:${Math.round(100 * progress)}%` })),
            tag('p', null, told),
          );
    put(this.room, bar ?? tag('p', null, marked(told)), answer, more.flat());
  }
}

export class Drawers {
  constructor(stage, element, { words }) {
    this.stage = stage;
    this.words = words;
    this.parts = {};
    const made = ['levels', 'chance', 'table'].map(name => {
      const room = tag('div', { class: 'dpv-drawer' });
      const box = tag(
        'details',
        {
          class: 'dpv-details',
          'data-drawer': name,
          ontoggle: () => {
            if (box.open === stage.open.has(name)) return;
            stage.opened(name, box.open);
          },
        },
        tag('summary', null, words[name]),
        room,
      );
      this.parts[name] = { box, room, shown: null };
      return box;
    });
    put(element, made);
  }

  afterStep() {
    for (const [name, part] of Object.entries(this.parts)) {
      const isOpen = this.stage.open.has(name);
      if (part.box.open !== isOpen) part.box.open = isOpen;
      if (!isOpen) {
        if (part.shown !== null) put(part.room);
        part.shown = null;
        continue;
      }
      const [key, make] = this[name]();
      if (key !== part.shown) {
        part.shown = key;
        put(part.room, make());
      }
    }
  }

  levels() {
    const { news, level } = this.stage;
    const found = news?.levels ?? null;
    return [JSON.stringify([found, level]), () => (found ? [table(found, level - 1)] : [])];
  }

  chance() {
    const { news, level, stop } = this.stage;
    if (stop?.reason) return [stop.reason.why, () => [tag('p', null, stop.reason.why)]];
    const found = news?.chance?.level === level ? news.chance : null;
    return [
      JSON.stringify(found),
      () => (found ? [tag('p', null, found.note), this.maps(found)] : [tag('p', null, this.words.coming)]),
    ];
  }

  maps({ draws, wide, high, land, water, waterPath }) {
    return tag(
      'div',
      { class: 'dpv-draws' },
      draws.map(({ dots, centers, alt, told }) =>
        tag(
          'figure',
          null,
          drawn(
            'svg',
            { viewBox: `0 0 ${wide} ${high}`, role: 'img', 'aria-label': alt },
            drawn('rect', { width: wide, height: high, fill: land }),
            drawn('path', { d: waterPath, fill: water, 'fill-rule': 'evenodd' }),
            drawn('path', { d: dots, class: 'dots' }),
            drawn('path', { d: centers, class: 'centers' }),
          ),
          tag('figcaption', null, told),
        ),
      ),
    );
  }

  table() {
    const { stop, picked } = this.stage;
    if (stop?.reason) return [stop.reason.why, () => [tag('p', null, stop.reason.why)]];
    const key = JSON.stringify([stop?.tables ?? null, picked]);
    return [
      key,
      () =>
        (stop?.tables ?? []).flatMap(({ title, note, heads, rows, numbers, picks }) => {
          const wanted = picks === 'center' ? String(picked.center ?? '') : (picked.place ?? '');
          const chosen = wanted ? rows.findIndex(([name]) => name === wanted) : -1;
          return [
            tag('h3', null, title),
            note ? tag('p', { class: 'dpv-aside' }, note) : null,
            table({ heads, rows, numbers, caption: title }, chosen, true),
          ];
        }),
    ];
  }
}
