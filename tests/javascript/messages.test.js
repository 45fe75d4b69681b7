// One table for both sides: dpviz/ui/stage/wire.py wrote these bytes (tests/ui/test_stage_messages.py).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { decoded } from '../../dpviz/ui/stage/web/columns.js';
import { count, placeOf, tipOf } from '../../dpviz/ui/stage/web/layers.js';

const table = JSON.parse(readFileSync(new URL('../fixtures/stage_messages.json', import.meta.url), 'utf-8'));

for (const [at, { bytes, header, columns }] of table.messages.entries()) {
  test(`message ${at} is read as it was written`, () => {
    const { column, ...found } = decoded(new Uint8Array(Buffer.from(bytes, 'base64')));
    assert.deepEqual(found, header);
    for (const [place, values] of columns) assert.deepEqual([...column(place)], values);
  });

  test(`message ${at} is read at every offset of a buffer`, () => {
    const data = Buffer.from(bytes, 'base64');
    for (const offset of [1, 2, 3, 4]) {
      const whole = new Uint8Array(data.length + offset);
      whole.set(data, offset);
      const { column } = decoded(whole.subarray(offset));
      for (const [place, values] of columns) assert.deepEqual([...column(place)], values);
    }
  });
}

for (const { language, millions, told } of table.counts) {
  test(`numbers of tooltips in ${language} are those of the pages`, () => {
    for (const [number, text] of Object.entries(told))
      assert.equal(count(Number(number), { language, millions }), text);
  });
}

test('a mark of a long layer says its number and its place', () => {
  const [english, german] = table.messages.map(({ bytes }) => decoded(new Uint8Array(Buffer.from(bytes, 'base64'))));
  const [long] = english.stops[0].layers;
  assert.equal(tipOf(long, english.column, 0), '1,234 trips · Astoria – Łódź');
  assert.equal(tipOf(long, english.column, 1), '2.5 million trips');
  assert.equal(placeOf(long, english.column, 0), 'Astoria – Łódź');
  assert.equal(placeOf(long, english.column, 1), 'elsewhere');
  assert.equal(tipOf(german.stops[0].layers[0], german.column, 1), '2,5 Millionen Fahrten');
});

test('a mark of a short layer says its own words, and one without says nothing', () => {
  const scene = decoded(new Uint8Array(Buffer.from(table.messages[0].bytes, 'base64')));
  assert.equal(tipOf(scene.base[0], scene.column, 0), '“Café” 1');
  assert.equal(tipOf(scene.base[0], scene.column, 5), '');
  assert.equal(tipOf(scene.stops[0].layers[1], scene.column, 0), '');
  assert.equal(placeOf(scene.base[0], scene.column, 0), null);
});
