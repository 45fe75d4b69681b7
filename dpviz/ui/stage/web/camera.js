// @ts-check
// Where a map looks: plain functions of a box, of the size of its picture and of a camera.

import { WebMercatorViewport } from './deck.js';

const OUT = 3; // how much further out than the whole box one may go
const CLOSER = 2.2; // how much closer a chosen center is looked at
const CLOSEST = 1; // and both ends of a pair at most so much more
const DEEPEST = 18; // the closest zoom of all

/** @typedef {import('./types').Camera} Camera */
/** @typedef {{width: number, height: number}} Size */

/**
 * The camera that shows all of a box: west, south, east, north.
 * @param {number[]} box
 * @param {Size} size
 * @returns {Camera}
 */
export function fitBox([west, south, east, north], { width, height }) {
  const padding = Math.min(10, width / 20, height / 20);
  const corners = [
    [west, south],
    [east, north],
  ];
  const found = new WebMercatorViewport({ width, height }).fitBounds(corners, { padding });
  return { longitude: found.longitude, latitude: found.latitude, zoom: Math.min(found.zoom, DEEPEST - 1) };
}

/**
 * A camera with what a map of this home may do: no turning, and not too far out.
 * @param {Camera} camera
 * @param {Camera} home
 */
export function limitCamera(camera, home) {
  return { ...camera, minZoom: Math.max(0, home.zoom - OUT), maxZoom: DEEPEST, pitch: 0, bearing: 0 };
}

/**
 * So many steps closer.
 * @param {Camera} camera
 * @param {number} steps
 * @returns {Camera}
 */
export function zoomCamera(camera, steps) {
  return { ...camera, zoom: Math.min(DEEPEST, Math.max(0, camera.zoom + steps)), moved: true };
}

/**
 * The camera for a chosen center, or for both ends of a pair.
 * @param {import('./types').Center} center
 * @param {Camera} home
 * @param {Size} size
 * @returns {Camera}
 */
export function lookAtCenter({ lon, lat, around }, home, size) {
  const close = home.zoom + CLOSER;
  if (!around) return { longitude: lon, latitude: lat, zoom: close, moved: true };
  const { west, south, east, north } = around;
  const zoom = Math.min(fitBox([west, south, east, north], size).zoom, close + CLOSEST);
  return { longitude: (west + east) / 2, latitude: (south + north) / 2, zoom, moved: true };
}
