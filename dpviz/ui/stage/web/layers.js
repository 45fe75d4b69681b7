// @ts-check
// From the description of a layer, as pydeck writes it, to a layer of deck.gl. Long layers bring columns, short ones rows.

import {
  ArcLayer,
  BitmapLayer,
  IconLayer,
  LineLayer,
  PathLayer,
  PolygonLayer,
  ScatterplotLayer,
  SolidPolygonLayer,
  TextLayer,
} from './deck.js';

const KINDS = {
  ArcLayer,
  BitmapLayer,
  IconLayer,
  LineLayer,
  PathLayer,
  PolygonLayer,
  ScatterplotLayer,
  SolidPolygonLayer,
  TextLayer,
};
const OURS = new Set(['@@type', 'data', 'columns', 'length', 'shows', 'tip']);
/** @type {WeakMap<import('./types').Layer, Record<string, any>>} */
const kept = new WeakMap(); // a layer's data, made once: deck.gl sends what it has seen before to the card no second time

/**
 * @param {import('./types').Layer} described
 * @param {import('./types').Read} column
 */
function made(described, column) {
  if (!kept.has(described)) {
    /** @type {Record<string, any>} */
    const props = {};
    for (const [name, value] of Object.entries(described)) {
      if (OURS.has(name)) continue;
      const field = typeof value === 'string' && value.startsWith('@@=') ? value.slice(3) : null;
      props[name] = field === null ? value : row => row[field];
    }
    if (described.columns) {
      /** @type {Record<string, any>} */
      const attributes = {};
      for (const [name, { at, size }] of Object.entries(described.columns))
        attributes[name] = { value: column(at), size };
      props.data = { length: described.length, attributes };
    } else if (described.data) props.data = described.data;
    kept.set(described, props);
  }
  return kept.get(described);
}

export const layerOf = (described, column, changes) =>
  new KINDS[described['@@type']]({ ...made(described, column), ...changes });

const NUMBERS = { useGrouping: 'always', roundingMode: 'halfEven' };

/**
 * A number a reader can take in, as words.count says it in Python: 1,234; 12,300; 1.2 million.
 * @param {number} number
 * @param {{language: string, millions: string}} spoken
 */
export function count(number, { language, millions }) {
  const size = Math.abs(number);
  const digits = size >= 1e6 ? 1 : 0;
  const options = { ...NUMBERS, minimumFractionDigits: digits, maximumFractionDigits: digits };
  const form = new Intl.NumberFormat(language, /** @type {Intl.NumberFormatOptions} */ (options));
  if (size >= 1e6) return millions.replace('{number}', form.format(number / 1e6));
  return form.format(size >= 1e4 ? Math.round(number / 100) * 100 : number);
}

/**
 * What one mark says when it is pointed at.
 * @param {import('./types').Layer} described
 * @param {import('./types').Read} column
 * @param {number} index
 */
export function tipOf(described, column, index) {
  const { tip, data } = described;
  if (data) return data[index]?.tip ?? '';
  if (!tip) return '';
  const place = tip.places ? tip.names[column(tip.places)[index]] : '';
  const said = tip.text.replace('{count}', count(column(tip.numbers)[index], tip));
  return place ? `${said} · ${place}` : said;
}

/**
 * The place of a mark that can be picked, or null.
 * @param {import('./types').Layer} described
 * @param {import('./types').Read} column
 * @param {number} index
 */
export function placeOf(described, column, index) {
  const { tip } = described;
  return tip?.places ? tip.names[column(tip.places)[index]] || tip.elsewhere : null;
}
