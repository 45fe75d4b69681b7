// @ts-check
// Values over the stops of the slider on a logarithmic axis; the chosen one has a ring. A stop without an answer has a cross.

import { drawn, put, tag } from './element.js';

const WIDE = 360,
  HIGH = 200,
  LEFT = 58,
  RIGHT = 12,
  TOP = 14,
  BOTTOM = 46;
const spoken = () => document.documentElement.lang || 'en';
const SCALES = {
  // one scale for all data, so that charts compare: the least drawn value, the least axis, the most
  share: {
    floor: 1e-5,
    least: 1e-5,
    most: 1,
    highest: 10,
    told: tick => `${(100 * tick).toLocaleString(spoken(), { maximumSignificantDigits: 6 })} %`,
  },
  count: { floor: 1, least: 10, most: 1e4, highest: Infinity, told: tick => tick.toLocaleString(spoken()) },
};

function ticks(low, high) {
  const first = Math.floor(Math.log10(low)),
    last = Math.ceil(Math.log10(high));
  const tens = [...Array(last - first + 1).keys()].map(at => 10 ** (first + at));
  const digits = tens.length > 4 ? [1] : tens.length > 2 ? [1, 3] : [1, 2, 5];
  return tens
    .flatMap(ten => digits.map(digit => ten * digit))
    .filter(step => low <= step * 1.0001 && step <= high * 1.0001);
}

// Stretches of neighbouring stops that have a value.
function runs(there) {
  const found = [];
  there.forEach((is, at) => {
    if (is && at && there[at - 1]) found.at(-1).push(at);
    else if (is) found.push([at]);
  });
  return found;
}

const word = (x, y, text, anchor, kind) =>
  drawn('text', { x: x.toFixed(1), y: y.toFixed(1), 'text-anchor': anchor, class: kind }, text);

function curve({ names, middle, low, high, scale, nothing, alt, refused }) {
  const { floor, least, most, highest, told } = SCALES[scale];
  const picture = drawn('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img', 'aria-label': alt });
  const shown = [...middle, ...low, ...high].filter(Number.isFinite).map(value => Math.max(value, floor));
  if (!shown.length) {
    picture.append(word(WIDE / 2, HIGH / 2, nothing, 'middle', 'faint'));
    return { picture, ring: () => {} };
  }
  const bottom = Math.min(least, ...shown) / 1.3,
    top = Math.min(Math.max(most, ...shown), highest) * 1.15;
  const pace = ((WIDE - LEFT - RIGHT) / Math.max(1, names.length - 1)) * 0.94;
  const x = at => LEFT + 10 + at * pace;
  const y = value => {
    const place = Math.log(Math.max(value, floor) / bottom) / Math.log(top / bottom);
    return HIGH - BOTTOM - Math.min(Math.max(place, 0), 1) * (HIGH - TOP - BOTTOM);
  };
  const point = values => at => `${x(at).toFixed(1)} ${y(values[at]).toFixed(1)}`;
  for (const tick of ticks(bottom, top)) {
    picture.append(
      drawn('path', { d: `M${LEFT} ${y(tick).toFixed(1)} H${WIDE - RIGHT}`, class: 'grid' }),
      word(LEFT - 6, y(tick) + 4, told(tick), 'end', 'faint'),
    );
  }
  const last = names.length - 1;
  const labels = names.map((name, at) =>
    word(
      at === 0 ? x(at) - 10 : at === last ? x(at) + 14 : x(at),
      HIGH - BOTTOM + (at % 2 ? 30 : 16),
      name,
      at === 0 ? 'start' : at === last ? 'end' : 'middle',
      'faint',
    ),
  );
  picture.append(...labels);
  for (const run of runs(low.map((value, at) => value !== null && high[at] !== null))) {
    const edge = [...run.map(point(high)), ...run.toReversed().map(point(low))].join(' L');
    picture.append(drawn('path', { d: `M${edge} Z`, class: 'band' }));
  }
  for (const run of runs(middle.map(value => value !== null))) {
    picture.append(drawn('path', { d: `M${run.map(point(middle)).join(' L')}`, class: 'line' }));
    picture.append(
      ...run.map(at => drawn('circle', { cx: x(at).toFixed(1), cy: y(middle[at]).toFixed(1), r: 3.4, class: 'dot' })),
    );
  }
  middle.forEach((value, at) => {
    if (value === null && refused[at]) picture.append(word(x(at), HIGH - BOTTOM - 4, '×', 'middle', 'faint strong'));
  });
  const mark = drawn('circle', { r: 8, class: 'ring' });
  picture.append(mark);
  const ring = at => {
    labels.forEach((label, other) => label.setAttribute('class', other === at ? 'strong' : 'faint'));
    const value = middle[at];
    mark.style.display = value === null ? 'none' : '';
    if (value !== null) {
      mark.setAttribute('cx', x(at).toFixed(1));
      mark.setAttribute('cy', y(value).toFixed(1));
    }
  };
  return { picture, ring };
}

export class Curves {
  constructor(stage, element) {
    this.stage = stage;
    this.room = tag('div', { class: 'dpv-curves' });
    this.rings = [];
    put(element, this.room);
  }

  afterStep() {
    const curves = this.stage.news?.curves ?? [];
    const key = JSON.stringify(curves);
    if (key !== this.shown) {
      this.shown = key;
      const made = curves.map(described => ({ ...curve(described), described }));
      this.rings = made.map(({ ring }) => ring);
      put(
        this.room,
        made.map(({ picture, described }) =>
          tag(
            'section',
            null,
            tag('h3', null, described.title),
            tag('figure', null, picture, tag('figcaption', null, described.note)),
          ),
        ),
      );
    }
    for (const ring of this.rings) ring(this.stage.level - 1);
  }
}
