// @ts-check
// Names of places, on a sheet above the marks. They keep clear of centers, of each other and of the map's own buttons:
// a name without room at its place moves up or down a little, and one that still has none waits until somebody looks closer.

import { across, down, sized, FINE } from './ground.js';

const MOST = 22; // at once
const AIR = 8; // pixels between two names
const HIGH = 15;
const LINE = 14; // pixels a line of the credit
const FONT = 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif';
const fontOf = ({ large, credit }) => `${large ? 650 : 500} ${large ? 14 : credit ? 11 : 12.5}px ${FONT}`;
const MOVES = [0, -18, 18]; // pixels down
const touch = (one, other) => one[0] < other[2] && one[2] > other[0] && one[1] < other[3] && one[3] > other[1];

export class Names {
  constructor(sheet) {
    this.sheet = sheet;
    this.widths = new Map();
  }

  width(brush, row) {
    const key = `${row.t}${Boolean(row.large)}`;
    if (!this.widths.has(key)) this.widths.set(key, brush.measureText(row.t).width);
    return this.widths.get(key);
  }

  // Paint what has room: `described` brings rows with place and text, the most important first; `taken` are places of
  // marks in degrees with the room they need in pixels; `buttons` are rectangles on the page.
  paint({ longitude, latitude, zoom }, described, taken, buttons, [west, south, east, north]) {
    const { sheet } = this;
    const rows = described?.data ?? [];
    if (!rows.length && this.isBlank) return;
    const ratio = sized(sheet),
      wide = sheet.clientWidth,
      high = sheet.clientHeight;
    const brush = sheet.getContext('2d');
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.clearRect(0, 0, wide, high);
    this.isBlank = !rows.length;
    const scale = 2 ** zoom / FINE;
    const x = lon => (across(lon) - across(longitude)) * scale + wide / 2;
    const y = lat => (down(lat) - down(latitude)) * scale + high / 2;
    const room = [
      Math.max(2, x(west) + 4),
      Math.max(2, y(north) + 24),
      Math.min(wide - 2, x(east) - 4),
      Math.min(high - 2, y(south) - 24),
    ];
    const kept = taken.map(([[lon, lat], needs]) => [x(lon) - needs, y(lat) - needs, x(lon) + needs, y(lat) + needs]);
    kept.push(...buttons, [(x(west) + x(east)) / 2, y(south) - 84, x(east), y(south)]); // where scale and degrees stand
    brush.textBaseline = 'middle';
    brush.textAlign = 'left';
    brush.lineJoin = 'round';
    brush.lineWidth = 4.5;
    brush.strokeStyle = described?.halo;
    brush.fillStyle = described?.ink;
    let drawn = 0;
    for (const row of rows) {
      brush.font = fontOf(row);
      const width = this.width(brush, row);
      if (row.credit) {
        this.credit(brush, row.t, [wide, high], Math.min(wide, x(east)), Math.min(high, y(south)), buttons);
        continue;
      }
      if (row.scale) {
        this.write(brush, row.t, x(row.p[0]), y(row.p[1]) - 11);
        continue;
      }
      if (drawn === MOST) continue;
      const found = this.place(x(row.p[0]), y(row.p[1]), width, room, kept);
      if (!found) continue;
      kept.push([found[0] - AIR, found[1] - AIR / 2, found[2] + AIR, found[3] + AIR / 2]);
      this.write(brush, row.t, found[0], (found[1] + found[3]) / 2);
      drawn += 1;
    }
  }

  // Whom the map is owed to: at the south-eastern corner, beneath the box where there is room, in as many lines as it
  // needs, above what is in its way.
  credit(brush, text, [wide, high], east, south, buttons) {
    const lines = text.split(/(?<=[,;]) /).reduce((made, part) => {
      const longer = `${made.at(-1)} ${part}`;
      return made.length && brush.measureText(longer).width <= wide - 12
        ? [...made.slice(0, -1), longer]
        : [...made, part];
    }, []);
    const width = Math.max(...lines.map(line => brush.measureText(line).width)),
      left = Math.max(6, east - width - 6);
    const tall = LINE * lines.length + 3;
    const end = south + tall + 3 < high ? south + tall + 3 : south;
    const below = buttons.find(other => touch([left, end - tall, left + width, end - 3], other));
    lines.reverse().forEach((line, at) => this.write(brush, line, left, (below ? below[1] : end) - 10 - LINE * at));
  }

  place(middle, height, width, room, kept) {
    for (const below of MOVES) {
      const left = middle - width / 2,
        top = height + below - HIGH / 2;
      const own = [left, top, left + width, top + HIGH];
      const isInside = own[0] > room[0] && own[1] > room[1] && own[2] < room[2] && own[3] < room[3];
      if (isInside && !kept.some(other => touch(own, other))) return own;
    }
    return null;
  }

  write(brush, text, left, middle) {
    brush.strokeText(text, left, middle);
    brush.fillText(text, left, middle);
  }
}
