import assert from 'node:assert/strict';
import test from 'node:test';

import { layerOf } from '../../dpviz/ui/stage/web/layers.js';

const numbers = Float32Array.from([1, 2, 3, 4, 5, 6]);
const column = ([start, length]) => numbers.subarray(start, start + length);

test('a short layer reads its rows by the names that pydeck wrote', () => {
  const rows = [{ p: [1, 2], n: 7 }];
  const described = { '@@type': 'TextLayer', id: 'centers', order: 3, shows: ['centers'], data: rows, getText: '@@=n' };
  const { props, id } = layerOf(described, column);
  assert.equal(id, 'centers');
  assert.equal(props.getText(rows[0]), 7);
  assert.equal(props.data, rows);
  assert.equal(props.shows, undefined, 'what is ours alone is not handed to deck.gl');
});

test('a long layer hands its columns over as they are', () => {
  const described = {
    '@@type': 'ScatterplotLayer',
    id: 'coreset',
    order: 1,
    shows: [],
    length: 2,
    columns: { getPosition: { at: [0, 4], size: 2 }, getRadius: { at: [4, 2], size: 1 } },
  };
  const { data } = layerOf(described, column).props;
  assert.equal(data.length, 2);
  assert.deepEqual([...data.attributes.getPosition.value], [1, 2, 3, 4]);
  assert.deepEqual([data.attributes.getPosition.size, data.attributes.getRadius.size], [2, 1]);
  assert.equal(layerOf(described, column).props.data, data, 'the same object, so that deck.gl sends it once');
});

test('changes go over what is described', () => {
  const described = { '@@type': 'PathLayer', id: 'rings', order: 1, shows: [], data: [], widthMinPixels: 2 };
  const { props } = layerOf(described, column, { id: 'rings-2', visible: false });
  assert.deepEqual([props.id, props.visible, props.widthMinPixels], ['rings-2', false, 2]);
});
