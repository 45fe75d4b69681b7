// @ts-check
// Pictures on the map, such as counted ground: on a sheet of their own, between the land and the deck. Each is unpacked
// once; a step copies one of them, which costs a fraction of what it costs to draw it as a layer of the deck.

import { across, down, sized, FINE } from './ground.js';

const DECK_S = 1 / 2.2; // deck.gl raises an opacity to this power; a picture looks the same wherever it is drawn

async function unpacked(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  return createImageBitmap(image);
}

export class Pictures {
  constructor(sheet, onReady) {
    this.sheet = sheet;
    this.onReady = onReady;
    this.found = new Map(); // by address; null while one is unpacked
    this.shown = [];
    const point = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    this.point = /** @type {OffscreenCanvasRenderingContext2D} */ (point);
  }

  // All pictures of a scene, so that each step finds its own ready; those of older scenes are let go.
  know(described) {
    const wanted = new Set(described.map(({ image }) => image));
    for (const [address, picture] of this.found) {
      if (wanted.has(address)) continue;
      picture?.close();
      this.found.delete(address);
    }
    for (const address of wanted) {
      if (this.found.has(address)) continue;
      this.found.set(address, null);
      unpacked(address).then(picture => {
        if (this.found.get(address) !== null) {
          picture.close();
          return;
        }
        this.found.set(address, picture);
        this.onReady();
      });
    }
  }

  get isReady() {
    return this.shown.every(({ image }) => this.found.get(image));
  }

  // Paint what is shown for a camera, on a sheet of its size.
  paint({ longitude, latitude, zoom }) {
    if (!this.shown.length && this.isBlank) return;
    const { sheet } = this;
    const ratio = sized(sheet);
    const brush = sheet.getContext('2d');
    const scale = (2 ** zoom / FINE) * ratio;
    brush.clearRect(0, 0, sheet.width, sheet.height);
    const x = lon => (across(lon) - across(longitude)) * scale + sheet.width / 2;
    const y = lat => (down(lat) - down(latitude)) * scale + sheet.height / 2;
    for (const {
      image,
      bounds: [west, south, east, north],
      opacity = 1,
      textureParameters,
    } of this.shown) {
      const picture = this.found.get(image);
      if (!picture) continue;
      brush.globalAlpha = opacity ** DECK_S;
      brush.imageSmoothingEnabled = textureParameters?.magFilter !== 'nearest';
      brush.drawImage(picture, x(west), y(north), x(east) - x(west), y(south) - y(north));
    }
    this.isBlank = !this.shown.length;
  }

  // How opaque a picture is at a place, 0 to 255.
  opaqueAt({ image, bounds: [west, south, east, north] }, [lon, lat]) {
    const picture = this.found.get(image);
    if (!picture) return 0;
    const right = ((lon - west) / (east - west)) * picture.width;
    const below = ((down(lat) - down(north)) / (down(south) - down(north))) * picture.height;
    this.point.clearRect(0, 0, 1, 1);
    this.point.drawImage(picture, Math.floor(right), Math.floor(below), 1, 1, 0, 0, 1, 1);
    return this.point.getImageData(0, 0, 1, 1).data[3];
  }
}
