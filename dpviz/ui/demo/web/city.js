// @ts-check
// The one map of the story: real trips as light, squares, lines, her week. It always moves on from what it shows.

import { bytes, calm, HER } from './element.js';

const GLOW = 2; // the light of the trips is drawn at half the resolution
const KNOWN = '#ffd166';

const START = {
  trips: 1,
  round: 0,
  fade: 0,
  lines: 0,
  linesFade: 0,
  grid: 0,
  week: 0,
  known: 0,
  secret: 0,
  stations: 0,
  night: 0,
  snap: 0,
};

/** @param {HTMLCanvasElement} canvas */
const brushOf = canvas => /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));

/** @typedef {[x: number, y: number]} Place  kilometres from the south-west, or pixels */

export class City {
  /** @type {{scale: number, left: number, bottom: number, ratio: number, wide: number, high: number}} */
  view;
  /** @type {({name: string, side: number, picture: HTMLCanvasElement} | null)[]} */
  grids;
  /** @type {Uint8Array | null} */
  lit;
  /** @type {Record<string, Place>} */
  doors;
  /** @type {{exact?: Place[], found: Place[]} | null} */
  stations = null;
  /** @type {Float32Array} */
  points;
  /** @type {Float32Array} */
  rounded;
  /** @type {Float32Array} */
  filled;
  /** @type {ImageData} */
  image;
  /** @type {HTMLCanvasElement} */
  sheet;
  /** @type {CanvasRenderingContext2D} */
  pen;
  /** @type {number} */
  wide;
  /** @type {number} */
  high;
  /** @type {string | null} */
  framed;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas, data) {
    this.canvas = canvas;
    this.data = data;
    this.pen = brushOf(canvas);
    const [west, south, east, north] = data.box;
    this.box = { west, south, east, north };
    this.degree = data.degree; // kilometres of a degree of latitude
    this.narrow = Math.cos((((south + north) / 2) * Math.PI) / 180) * this.degree;
    this.unpack();
    this.now = { ...START, ...this.home() };
    this.goal = { ...this.now };
    this.grids = [null, null]; // fading out, fading in
    this.mixed = 1;
    this.lit = null;
    this.labels = {};
    this.running = false;
  }

  // ---- data ----

  unpack() {
    const { trips } = this.data;
    const raw = new Uint16Array(bytes(trips.places).buffer);
    const count = trips.count;
    const wide = (this.box.east - this.box.west) * this.narrow;
    const high = (this.box.north - this.box.south) * this.degree;
    this.wide = wide;
    this.high = high;
    this.points = new Float32Array(count * 4); // x, y of both ends of every trip, in kilometres from the south-west
    this.rounded = new Float32Array(count * 4);
    const squares = this.data.squares;
    for (let at = 0; at < count * 4; at += 1) {
      const end = at & 1;
      const part = raw[at] / 65535;
      this.points[at] = part * (end ? high : wide);
      this.rounded[at] = ((Math.min(Math.floor(part * squares), squares - 1) + 0.5) / squares) * (end ? high : wide);
    }
    this.count = count;
    this.filled = this.brightness(squares);
    this.shapes = this.data.shapes.map(({ kind, rings }) => ({ kind, path: this.outline(rings) }));
    this.doors = Object.fromEntries(this.data.places.map(place => [place.name, this.km(place.lon, place.lat)]));
  }

  // How many ends of trips lie in each square of the rounded map, as a share of brightness.
  brightness(side) {
    const many = new Float32Array(side * side);
    for (let at = 0; at < this.rounded.length; at += 2) {
      many[
        Math.floor((this.rounded[at + 1] / this.high) * side) * side + Math.floor((this.rounded[at] / this.wide) * side)
      ] += 1;
    }
    const most = Math.log(1 + Math.max(...many));
    return many.map(found => Math.log(1 + found) / most);
  }

  km(lon, lat) {
    return [(lon - this.box.west) * this.narrow, (lat - this.box.south) * this.degree];
  }

  outline(rings) {
    const path = new Path2D();
    for (const ring of rings) {
      let lon = 0,
        lat = 0;
      for (let at = 0; at < ring.length; at += 2) {
        lon += ring[at] * 1e-5;
        lat += ring[at + 1] * 1e-5;
        const [x, y] = this.km(lon, lat);
        if (at) path.lineTo(x, y);
        else path.moveTo(x, y);
      }
      path.closePath();
    }
    return path;
  }

  // ---- where the map looks ----

  home() {
    return { x: this.wide * 0.5, y: this.high * 0.5, span: this.high * 1.04 };
  }

  around(names, room = 1.6) {
    const doors = names.map(name => this.doors[name]);
    const xs = doors.map(door => door[0]),
      ys = doors.map(door => door[1]);
    const { scene } = this.size();
    const wide = ((Math.max(...xs) - Math.min(...xs)) * scene.high) / scene.wide;
    const span = Math.max(Math.max(...ys) - Math.min(...ys), wide, 1.2) * room;
    return { x: (Math.max(...xs) + Math.min(...xs)) / 2, y: (Math.max(...ys) + Math.min(...ys)) / 2, span };
  }

  size() {
    const wide = this.canvas.clientWidth || 1280,
      high = this.canvas.clientHeight || 720;
    const upright = wide < high || wide < 820;
    const panel = /** @type {HTMLElement | null} */ (this.canvas.nextElementSibling)?.offsetTop ?? 0; // the words begin there
    const scene = upright
      ? { left: 0, top: 0, wide, high: panel > 90 ? panel * 1.04 : high * 0.46 }
      : { left: wide * 0.4, top: high * 0.05, wide: wide * 0.6, high: high * 0.9 };
    return { wide, high, scene };
  }

  // ---- what is asked of it ----

  show(wish) {
    const { look, map, lit, labels, framed, ...layers } = wish;
    this.goal = { ...START, trips: 0, ...layers, ...(look ?? this.home()) };
    this.labels = labels ?? {};
    this.framed = framed ?? null; // the door whose published square is outlined
    if (lit !== undefined) this.light(lit);
    if (map !== undefined) this.place(map);
    if (calm()) {
      this.now = { ...this.goal };
      this.mixed = 1;
    }
    this.wake();
  }

  light(which) {
    this.lit = new Uint8Array(this.count);
    for (const trip of which) this.lit[trip] = 1;
  }

  place(grid) {
    if (this.grids[1]?.name === grid.name) return;
    this.grids = [
      this.now.grid > 0.05 ? this.grids[1] : null,
      { name: grid.name, side: grid.per_axis, picture: this.picture(grid) },
    ];
    this.mixed = calm() ? 1 : 0;
  }

  // Counts as light: blue where there are trips, a violet shadow where chance took more away than there was.
  picture({ shades, per_axis: side }) {
    const values = new Int8Array(bytes(shades).buffer);
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = side;
    const image = new ImageData(side, side);
    for (let column = 0; column < side; column += 1) {
      for (let row = 0; row < side; row += 1) {
        const shade = values[column * side + (side - 1 - row)] / 8; // doublings
        const at = (row * side + column) * 4;
        const strength = Math.min(1, Math.max(0, Math.abs(shade) - 1) / 12);
        const glow = strength ** 2.1;
        if (shade >= 0) {
          image.data.set([30 + 225 * glow ** 1.6, 120 + 135 * glow, 225 + 30 * glow, 8 + 247 * glow ** 0.62], at);
        } else image.data.set([150, 60, 170, 210 * glow], at);
      }
    }
    brushOf(canvas).putImageData(image, 0, 0);
    return canvas;
  }

  // ---- drawing, only while something moves ----

  wake() {
    this.before = performance.now();
    if (this.running) return;
    this.running = true;
    requestAnimationFrame(time => this.frame(time));
  }

  stop() {
    this.stopped = true;
  }

  frame(time) {
    if (this.stopped) return;
    const step = Math.min(64, Math.max(8, time - this.before));
    this.before = time;
    const pull = 1 - Math.exp(-step / 260);
    let rest = 0;
    for (const [name, goal] of Object.entries(this.goal)) {
      const off = goal - this.now[name];
      const scale = name === 'span' || name === 'x' || name === 'y' ? this.goal.span : 1;
      if (name === 'week' && off > 0) this.now.week = Math.min(goal, this.now.week + step / 5200);
      else this.now[name] = Math.abs(off) < 0.002 * scale ? goal : this.now[name] + off * pull;
      rest = Math.max(rest, Math.abs(goal - this.now[name]) / scale);
    }
    this.mixed = Math.min(1, this.mixed + step / 700);
    this.draw();
    if (rest > 0 || this.mixed < 1) requestAnimationFrame(next => this.frame(next));
    else {
      this.running = false;
      this.canvas.dataset.still = String(Number(this.canvas.dataset.still ?? 0) + 1);
    }
  }

  draw() {
    const { wide, high, scene } = this.size();
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    if (this.canvas.width !== Math.round(wide * ratio) || this.canvas.height !== Math.round(high * ratio)) {
      this.canvas.width = Math.round(wide * ratio);
      this.canvas.height = Math.round(high * ratio);
    }
    const { x, y, span } = this.now;
    const scale = scene.high / span;
    this.view = {
      scale,
      left: scene.left + scene.wide / 2 - x * scale,
      bottom: scene.top + scene.high / 2 + y * scale,
      ratio,
      wide,
      high,
    };
    const pen = this.pen;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = '#070c16';
    pen.fillRect(0, 0, wide, high);
    this.ground();
    if (this.now.grid > 0.01) this.squares();
    if (this.now.trips > 0.01) {
      this.tiles();
      this.trips();
      this.lights();
    }
    if (this.now.lines > 0.01) this.lines();
    if (this.now.week > 0.001) this.week();
    this.stationsOf();
    this.pins();
  }

  get thick() {
    return Math.max(1.4, Math.min(3.4, this.view.wide / 560));
  }
  get letter() {
    return Math.max(15, Math.min(34, this.view.wide / 62));
  }

  /**
   * @param {number[]} place
   * @returns {Place}
   */
  at([x, y]) {
    return [this.view.left + x * this.view.scale, this.view.bottom - y * this.view.scale];
  }

  ground() {
    const { pen } = this,
      { scale, left, bottom, ratio } = this.view;
    pen.setTransform(ratio * scale, 0, 0, -ratio * scale, ratio * left, ratio * bottom);
    const edge = 30;
    pen.fillStyle = '#152034';
    pen.fillRect(-edge, -edge, this.wide + 2 * edge, this.high + 2 * edge);
    for (const { kind, path } of this.shapes) {
      pen.fillStyle = kind === 'park' ? '#16302e' : '#091120';
      pen.fill(path, 'evenodd');
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  squares() {
    const { pen } = this;
    const [left, top] = this.at([0, this.high]);
    const wide = this.wide * this.view.scale,
      high = this.high * this.view.scale;
    pen.imageSmoothingEnabled = false;
    /** @type {[grid: City['grids'][0], part: number][]} */
    const parts = [
      [this.grids[0], 1 - this.mixed],
      [this.grids[1], this.mixed],
    ];
    for (const [grid, part] of parts) {
      if (!grid || part <= 0) continue;
      pen.globalAlpha = this.now.grid * part;
      pen.drawImage(grid.picture, left, top, wide, high);
    }
    pen.globalAlpha = 1;
  }

  // Once every place has moved to the middle of its square, the squares themselves shine.
  tiles() {
    const snapped = Math.max(0, this.now.round * 10 - 9),
      side = this.data.squares;
    if (!snapped) return;
    const { pen } = this,
      strength = snapped * this.now.trips * (1 - 0.72 * this.now.fade);
    const wide = (this.wide / side) * this.view.scale,
      high = (this.high / side) * this.view.scale;
    this.filled.forEach((bright, at) => {
      if (!bright) return;
      const [x, y] = this.at([((at % side) * this.wide) / side, ((Math.floor(at / side) + 1) * this.high) / side]);
      pen.globalAlpha = strength * (0.08 + 0.8 * bright ** 2.4);
      pen.fillStyle = `rgb(255 ${150 + 90 * bright ** 2} ${60 + 130 * bright ** 3})`;
      pen.fillRect(x + wide * 0.05, y + high * 0.05, wide * 0.9, high * 0.9);
    });
    pen.globalAlpha = 1;
  }

  // The ends of the trips that were found, large enough for the last row.
  lights() {
    if (!this.lit || this.now.fade < 0.02) return;
    const { pen } = this,
      size = Math.max(3.2, this.view.wide / 260),
      round = this.now.round;
    pen.globalAlpha = this.now.fade * this.now.trips;
    pen.fillStyle = '#ffd7eb';
    pen.strokeStyle = '#8c2450';
    pen.lineWidth = size / 4;
    for (let at = 0; at < this.points.length; at += 2) {
      if (!this.lit?.[at >> 2]) continue;
      const [x, y] = this.at(
        [0, 1].map(part => this.points[at + part] + (this.rounded[at + part] - this.points[at + part]) * round),
      );
      pen.beginPath();
      pen.arc(x, y, size, 0, 7);
      pen.fill();
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }

  // Both ends of every trip add light to the pixels under them; then light becomes colour.
  trips() {
    const wide = Math.ceil(this.view.wide / GLOW),
      high = Math.ceil(this.view.high / GLOW);
    if (!this.light0 || this.light0.length !== wide * high) {
      this.light0 = new Float32Array(wide * high);
      this.image = new ImageData(wide, high);
      this.sheet = document.createElement('canvas');
      this.sheet.width = wide;
      this.sheet.height = high;
    }
    const all = this.light0.fill(0);
    const scale = this.view.scale / GLOW,
      left = this.view.left / GLOW,
      bottom = this.view.bottom / GLOW;
    const { points, rounded, lit } = this,
      round = this.now.round;
    const dim = (lit ? 1 - 0.97 * this.now.fade : 1) * (1 - 0.9 * Math.max(0, round * 10 - 9));
    const wider = Math.min(2.4, Math.max(0.3, scale / 45));
    for (let at = 0; at < points.length; at += 2) {
      const px = left + (points[at] + (rounded[at] - points[at]) * round) * scale;
      const py = bottom - (points[at + 1] + (rounded[at + 1] - points[at + 1]) * round) * scale;
      const column = px | 0,
        row = py | 0;
      if (column < 1 || row < 1 || column >= wide - 1 || row >= high - 1) continue;
      const spot = row * wide + column;
      const add = dim * wider;
      all[spot] += add;
      all[spot - 1] += add * 0.3;
      all[spot + 1] += add * 0.3;
      all[spot - wide] += add * 0.3;
      all[spot + wide] += add * 0.3;
    }
    const out = this.image.data;
    for (let spot = 0; spot < all.length; spot += 1) {
      const light = all[spot];
      const to = spot * 4;
      if (light <= 0.001) {
        out[to + 3] = 0;
        continue;
      }
      const glow = 1 - Math.exp(-light * 0.34);
      out[to] = 255;
      out[to + 1] = 150 + 95 * glow;
      out[to + 2] = 50 + 150 * glow * glow;
      out[to + 3] = 255 * Math.min(1, glow * 1.25) * this.now.trips;
    }
    brushOf(this.sheet).putImageData(this.image, 0, 0);
    this.pen.imageSmoothingEnabled = true;
    this.pen.drawImage(this.sheet, 0, 0, wide * GLOW, high * GLOW);
  }

  middle(square) {
    const side = this.data.squares;
    return [
      (((square % side) + 0.5) / side) * this.wide,
      ((side - Math.floor(square / side) - 0.5) / side) * this.high,
    ];
  }

  // A door, or on a map of squares the middle of the square that it lies in.
  door(name) {
    const [x, y] = this.doors[name],
      side = this.data.squares,
      part = this.now.snap;
    const middle = (at, whole) => ((Math.min(Math.floor((at / whole) * side), side - 1) + 0.5) / side) * whole;
    return [x + (middle(x, this.wide) - x) * part, y + (middle(y, this.high) - y) * part];
  }

  lines() {
    const { pen } = this,
      fade = this.now.linesFade;
    pen.lineCap = 'round';
    for (const [from, to, trips, hers] of this.data.connections) {
      const strong = hers ? 1 : 1 - 0.95 * fade;
      pen.globalAlpha = this.now.lines * strong * (hers && fade > 0.1 ? 1 : 0.3);
      pen.strokeStyle = hers && fade > 0.1 ? HER : '#ffb74d';
      pen.lineWidth = hers && fade > 0.1 ? 2 * this.thick : 0.9 + Math.sqrt(trips) * 0.35;
      const start = this.at(this.middle(from)),
        end = this.at(this.middle(to));
      const bend = this.bent(start, end, 0.12);
      pen.beginPath();
      pen.moveTo(...start);
      pen.quadraticCurveTo(...bend, ...end);
      pen.stroke();
      if (hers && fade > 0.5) this.arrow(bend, end, this.letter * 0.7);
    }
    pen.globalAlpha = 1;
  }

  /**
   * @param {Place} start
   * @param {Place} end
   * @param {number} by
   * @returns {Place}
   */
  bent(start, end, by) {
    return [(start[0] + end[0]) / 2 + (end[1] - start[1]) * by, (start[1] + end[1]) / 2 - (end[0] - start[0]) * by];
  }

  // Its tip touches the ring around the place.
  arrow(from, [x, y], ring) {
    const { pen } = this,
      angle = Math.atan2(y - from[1], x - from[0]);
    const to = [x - Math.cos(angle) * ring, y - Math.sin(angle) * ring];
    pen.fillStyle = HER;
    pen.beginPath();
    for (const turn of [0, 2.6, -2.6]) {
      const far = turn ? this.thick * 7 : 0;
      pen.lineTo(to[0] + Math.cos(angle + turn) * far, to[1] + Math.sin(angle + turn) * far);
    }
    pen.fill();
  }

  week() {
    const { pen } = this;
    pen.strokeStyle = HER;
    pen.lineCap = 'round';
    pen.lineWidth = this.thick;
    pen.shadowColor = HER;
    pen.shadowBlur = 5 * this.thick;
    const done = this.now.week * this.data.week.length;
    this.data.week.forEach(({ start, end }, number) => {
      const part = Math.min(1, done - number);
      if (part <= 0) return;
      const from = this.at(this.door(start)),
        to = this.at(this.door(end));
      const bend = this.bent(from, to, 0.06 + (number % 5) * 0.045);
      pen.globalAlpha = 0.85;
      pen.beginPath();
      pen.moveTo(...from);
      for (let step = 1; step <= 24 * part; step += 1) {
        const t = step / 24,
          u = 1 - t;
        pen.lineTo(
          u * u * from[0] + 2 * u * t * bend[0] + t * t * to[0],
          u * u * from[1] + 2 * u * t * bend[1] + t * t * to[1],
        );
      }
      pen.stroke();
    });
    pen.shadowBlur = 0;
    pen.globalAlpha = 1;
  }

  pins() {
    for (const { name } of this.data.places) {
      const known = name === 'home' || name === 'work';
      const shown = known ? this.now.known : this.now.secret;
      if (shown < 0.02 || !this.labels[name]) continue;
      const colour = name === 'clinic' ? HER : KNOWN;
      this.pin(
        this.at(this.door(name)),
        this.labels[name],
        colour,
        shown,
        name === 'clinic' && !known,
        this.framed === name && this.grids[1] ? this.doors[name] : null,
      );
    }
  }

  /**
   * Outline the square of the published map that a door lies in.
   * @param {number[]} place
   */
  square([x, y]) {
    const side = this.grids[1]?.side ?? 1,
      wide = this.wide / side,
      high = this.high / side;
    const [left, top] = this.at([Math.floor(x / wide) * wide, (Math.floor(y / high) + 1) * high]);
    this.pen.strokeRect(left, top, wide * this.view.scale, high * this.view.scale);
  }

  pin([x, y], label, colour, shown, loud, framed) {
    const { pen } = this;
    const size = this.letter * (loud ? 1.2 : 1);
    pen.globalAlpha = shown;
    pen.strokeStyle = colour;
    pen.lineWidth = size / 7;
    pen.fillStyle = colour;
    if (framed) this.square(framed);
    else {
      pen.beginPath();
      pen.arc(x, y, size * (loud ? 0.9 : 0.6), 0, 7);
      pen.stroke();
      pen.beginPath();
      pen.arc(x, y, size * 0.2, 0, 7);
      pen.fill();
    }
    pen.font = `700 ${size}px system-ui, "Segoe UI", Roboto, sans-serif`;
    const lines = label.split('\n'),
      wide = Math.max(...lines.map(line => pen.measureText(line).width));
    const right = x + size * 1.85 + wide < this.view.wide - 3;
    const left = right ? x + size * 1.45 : x - size * 1.45 - wide;
    const line = size * 1.28,
      tall = line * lines.length + size * 0.3,
      top = y - tall / 2;
    pen.fillStyle = 'rgba(7,12,22,.86)';
    pen.beginPath();
    pen.roundRect(left - size * 0.4, top, wide + size * 0.8, tall, size * 0.35);
    pen.fill();
    pen.fillStyle = colour;
    pen.textBaseline = 'middle';
    lines.forEach((text, number) => pen.fillText(text, left, top + size * 0.18 + (number + 0.5) * line));
    pen.globalAlpha = 1;
  }

  stationsOf() {
    if (this.now.stations < 0.02 || !this.stations) return;
    const { pen } = this,
      size = Math.max(9, this.view.wide / 110);
    pen.globalAlpha = this.now.stations;
    for (const [lon, lat] of this.stations.exact ?? []) {
      const [x, y] = this.at(this.km(lon, lat));
      pen.strokeStyle = '#fff';
      pen.lineWidth = 3;
      pen.strokeRect(x - size * 1.3, y - size * 1.3, size * 2.6, size * 2.6);
    }
    for (const [lon, lat] of this.stations.found) {
      const [x, y] = this.at(this.km(lon, lat));
      pen.fillStyle = KNOWN;
      pen.strokeStyle = '#070c16';
      pen.lineWidth = 3;
      pen.beginPath();
      for (const [dx, dy] of [
        [0, -1],
        [1, 0],
        [0, 1],
        [-1, 0],
      ])
        pen.lineTo(x + dx * size, y + dy * size);
      pen.closePath();
      pen.fill();
      pen.stroke();
    }
    pen.globalAlpha = 1;
  }
}
