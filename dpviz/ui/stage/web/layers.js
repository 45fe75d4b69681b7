// From the description of a layer, as pydeck writes it, to a layer of deck.gl. Long layers bring columns, short ones rows.

import {
  ArcLayer, BitmapLayer, IconLayer, LineLayer, PathLayer, PolygonLayer, ScatterplotLayer, SolidPolygonLayer, TextLayer,
} from './deck.js';

const KINDS = {
  ArcLayer, BitmapLayer, IconLayer, LineLayer, PathLayer, PolygonLayer, ScatterplotLayer, SolidPolygonLayer, TextLayer,
};
const OURS = new Set(['@@type', 'data', 'columns', 'length', 'shows', 'tip']);
const kept = new WeakMap();  // a layer's data, made once: deck.gl sends what it has seen before to the card no second time

function made(described, column) {
  if (!kept.has(described)) {
    const props = {};
    for (const [name, value] of Object.entries(described)) {
      if (OURS.has(name)) continue;
      const field = typeof value === 'string' && value.startsWith('@@=') ? value.slice(3) : null;
      props[name] = field === null ? value : row => row[field];
    }
    if (described.columns) {
      const attributes = {};
      for (const [name, { at, size }] of Object.entries(described.columns)) attributes[name] = { value: column(at), size };
      props.data = { length: described.length, attributes };
    } else if (described.data) props.data = described.data;
    kept.set(described, props);
  }
  return kept.get(described);
}

export const layerOf = (described, column, changes) =>
  new KINDS[described['@@type']]({ ...made(described, column), ...changes });

const LARGE = [[1e6, size => `${(size / 1e6).toFixed(1)} million`], [1e4, size => whole(Math.round(size / 100) * 100)]];
const whole = number => Math.round(number).toLocaleString('en-US');

// As words.count says it.
export function count(number) {
  const found = LARGE.find(([least]) => Math.abs(number) >= least);
  return found ? found[1](number) : whole(number);
}

// What one mark says when it is pointed at.
export function tipOf(described, column, index) {
  const { tip, data } = described;
  if (data) return data[index]?.tip ?? '';
  if (!tip) return '';
  const place = tip.places ? tip.names[column(tip.places)[index]] : '';
  const said = tip.text.replace('{count}', count(column(tip.numbers)[index]));
  return place ? `${said} · ${place}` : said;
}

export function placeOf(described, column, index) {
  const { tip } = described;
  return tip?.places ? tip.names[column(tip.places)[index]] || tip.elsewhere : null;
}
