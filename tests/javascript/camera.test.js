import assert from 'node:assert/strict';
import test from 'node:test';

import { fitBox, limitCamera, lookAtCenter, zoomCamera } from '../../dpviz/ui/stage/web/camera.js';
import { WebMercatorViewport } from '../../dpviz/ui/stage/web/deck.js';

const CITY = [-74.05, 40.7, -73.9, 40.8];
const SIZES = [
  { width: 1200, height: 700 },
  { width: 360, height: 420 },
  { width: 90, height: 60 },
];

for (const size of SIZES) {
  test(`the whole box is inside a picture of ${size.width} × ${size.height}, and fills one of its sides`, () => {
    const view = new WebMercatorViewport({ ...size, ...fitBox(CITY, size) });
    const [left, top] = view.project([CITY[0], CITY[3]]);
    const [right, bottom] = view.project([CITY[2], CITY[1]]);
    assert.ok(left > 0 && top > 0 && right < size.width && bottom < size.height);
    const padding = Math.min(10, size.width / 20, size.height / 20);
    const free = Math.min(left, top, size.width - right, size.height - bottom);
    assert.ok(Math.abs(free - padding) < 0.01, `${free} pixels are free`);
  });
}

test('a tiny box is not looked at closer than streets', () => {
  assert.equal(fitBox([0, 0, 1e-6, 1e-6], SIZES[0]).zoom, 17);
});

test('a map goes out a little further than its home, never turns and keeps its place', () => {
  const home = fitBox(CITY, SIZES[0]);
  const found = limitCamera({ ...home, pitch: 30, bearing: 9 }, home);
  assert.equal(found.minZoom, home.zoom - 3);
  assert.deepEqual([found.maxZoom, found.pitch, found.bearing, found.longitude], [18, 0, 0, home.longitude]);
  assert.equal(limitCamera(home, { ...home, zoom: 1 }).minZoom, 0);
});

test('steps closer stop at both ends', () => {
  const camera = { longitude: 1, latitude: 2, zoom: 17.5 };
  assert.deepEqual(zoomCamera(camera, 1), { ...camera, zoom: 18, moved: true });
  assert.deepEqual(zoomCamera(camera, -20), { ...camera, zoom: 0, moved: true });
});

test('a chosen center is in the middle, and both ends of a pair are in sight', () => {
  const size = SIZES[0];
  const home = fitBox(CITY, size);
  const alone = { number: 1, name: 'A', lon: -73.95, lat: 40.75, around: null };
  assert.deepEqual(lookAtCenter(alone, home, size), {
    longitude: -73.95,
    latitude: 40.75,
    zoom: home.zoom + 2.2,
    moved: true,
  });
  const around = { west: -74.0, south: 40.72, east: -73.95, north: 40.78 };
  const view = new WebMercatorViewport({ ...size, ...lookAtCenter({ ...alone, around }, home, size) });
  const [left, top] = view.project([around.west, around.north]);
  const [right, bottom] = view.project([around.east, around.south]);
  assert.ok(left >= 0 && top >= 0 && right <= size.width && bottom <= size.height);
});
