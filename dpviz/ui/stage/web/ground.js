// @ts-check
// The ground of a map: land, water and lines from a style file of this server, on a sheet of their own beneath the deck.
// Drawn when the view moves and never by a step of the slider, so that a step has the marks alone to draw.

const TILE = 512; // pixels of the whole world at zoom 0
export const FINE = 2 ** 12; // outlines are kept in pixels of zoom 12 around a middle: exact to a fraction of a pixel at zoom 18
const styles = new Map();

export const across = lon => (lon / 360 + 0.5) * TILE * FINE;
export const down = lat =>
  (0.5 - Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI)) * TILE * FINE;

// Give a sheet as many points as it has on the screen; how many to a pixel of the page.
export function sized(sheet) {
  const ratio = devicePixelRatio,
    wide = sheet.clientWidth * ratio,
    high = sheet.clientHeight * ratio;
  if (sheet.width !== Math.floor(wide) || sheet.height !== Math.floor(high)) {
    sheet.width = wide;
    sheet.height = high;
  }
  return ratio;
}

export function groundOf(address) {
  if (!styles.has(address))
    styles.set(
      address,
      fetch(address)
        .then(answer => answer.json())
        .then(style => new Ground(style)),
    );
  return styles.get(address);
}

const parts = ({ type, coordinates }) => {
  if (type === 'Polygon' || type === 'MultiLineString') return coordinates;
  return type === 'LineString' ? [coordinates] : coordinates.flat();
};

class Ground {
  constructor(style) {
    const [lon, lat] = style.center;
    this.middle = [across(lon), down(lat)];
    const features = Object.values(style.sources).flatMap(source => source.data.features);
    this.background = style.layers.find(({ type }) => type === 'background')?.paint['background-color'];
    this.layers = style.layers
      .filter(({ type }) => type !== 'background')
      .map(({ id, type, paint, filter, minzoom }) => ({
        type,
        paint,
        wide: id === 'shore' ? 1 : 0.7,
        least: minzoom ?? 0,
        outline: this.outline(
          features.filter(({ properties }) => properties.kind === filter[2]),
          type === 'fill',
        ),
      }));
  }

  outline(features, isClosed) {
    const path = new Path2D();
    for (const line of features.flatMap(({ geometry }) => parts(geometry))) {
      line.forEach(([lon, lat], at) => {
        const x = across(lon) - this.middle[0],
          y = down(lat) - this.middle[1];
        if (at) path.lineTo(x, y);
        else path.moveTo(x, y);
      });
      if (isClosed) path.closePath();
    }
    return path;
  }

  // Paint what a camera sees on a sheet of its size.
  paint(sheet, { longitude, latitude, zoom }) {
    const ratio = sized(sheet),
      wide = sheet.clientWidth,
      high = sheet.clientHeight;
    const brush = sheet.getContext('2d', { alpha: false });
    const scale = 2 ** zoom / FINE;
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.fillStyle = this.background;
    brush.fillRect(0, 0, wide, high);
    brush.translate(wide / 2, high / 2);
    brush.scale(scale, scale);
    brush.translate(this.middle[0] - across(longitude), this.middle[1] - down(latitude));
    brush.lineJoin = 'round';
    for (const { type, paint, least, outline, wide: width } of this.layers) {
      if (zoom < least) continue;
      if (type === 'fill') {
        brush.fillStyle = paint['fill-color'];
        brush.fill(outline, 'evenodd');
      } else {
        brush.strokeStyle = paint['line-color'];
        brush.lineWidth = width / scale;
        brush.stroke(outline);
      }
    }
  }
}
