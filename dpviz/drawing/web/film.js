// @ts-check
// The script of a film: one map and one bar for each part. It asks for nothing.

const SVG = 'http://www.w3.org/2000/svg';
const PACE = 900; // milliseconds a part
const [LEFT, RIGHT, FLOOR, HIGH] = [60, 896, 170, 156]; // of the curve
const LABELS = 24; // at most
const WEAK = ' – the error is as large as the number';

/** @typedef {[about: number, low: number, high: number]} Range */
/** @typedef {{names: string[], short: string[], many: number, across: number, all: Range[], squares: Record<string, Range[]>}} Held */

/**
 * An element that the page has.
 * @param {string} id
 * @returns {any}
 */
const byId = id => document.getElementById(id);

/** @type {Held} */
const held = JSON.parse(byId('held').textContent);
const { names } = held;
const slider = byId('part');
const group = byId('group'); // of two divisions: a part of the first; the slider is for the second
const other = byId('other');
const two = byId('two');
const button = byId('play');
const first = /** @type {SVGSVGElement} */ (document.querySelector('#first svg'));
/** @type {SVGSVGElement | null} */
let second = null;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;
let area = -1; // the chosen square of the map; −1: all of it

/** The first part that the slider reaches. */
const from = () => (group ? Number(group.value) * held.many : 0);

/** The chosen part. */
const chosen = () => from() + Number(slider.value);

/** @param {number} value */
const whole = value => Math.round(value).toLocaleString('en');

/**
 * Add an element to a drawing.
 * @param {Element} parent
 * @param {string} kind
 * @param {Record<string, string | number>} facts
 * @param {string} [text]
 */
function put(parent, kind, facts, text) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(facts)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

/**
 * Show one part on a map, with the chosen square.
 * @param {SVGSVGElement} map
 * @param {string} part
 */
function showPart(map, part) {
  for (const group of /** @type {NodeListOf<SVGGElement>} */ (map.querySelectorAll('g.part'))) {
    group.style.display = group.getAttribute('data-part') === part ? '' : 'none';
  }
  map.querySelector('.square')?.remove();
  if (area < 0) return;
  const box = map.viewBox.baseVal;
  const [width, height] = [box.width / held.across, box.height / held.across];
  const column = area % held.across;
  const y = ((area - column) / held.across) * height;
  put(map, 'rect', { class: 'square', x: column * width, y, width, height });
}

function drawCurve() {
  const svg = byId('curve');
  const start = from();
  const rows = (area < 0 ? held.all : held.squares[area]).slice(start, start + held.many);
  const most = Math.max(...rows.map(([, , high]) => high)) || 1;
  const wide = (RIGHT - LEFT) / rows.length;
  /** @param {number} value */
  const up = value => FLOOR - (value / most) * HIGH;
  const step = Math.ceil(rows.length / LABELS);
  svg.textContent = '';
  put(svg, 'line', { class: 'rule', x1: LEFT, x2: RIGHT, y1: FLOOR, y2: FLOOR });
  put(svg, 'text', { class: 'scale', x: LEFT - 6, y: 20 }, whole(most));
  put(svg, 'text', { class: 'scale', x: LEFT - 6, y: FLOOR + 4 }, '0');
  rows.forEach(([about, low, high], at) => {
    const x = LEFT + at * wide;
    const middle = x + wide / 2;
    const y = up(about);
    const part = start + at;
    const mark = part === chosen() ? ' now' : two.checked && part === Number(other.value) ? ' too' : '';
    const bar = put(svg, 'rect', {
      class: `bar${mark}${low > 0 ? '' : ' weak'}`,
      x: x + wide * 0.08,
      y,
      width: wide * 0.84,
      height: Math.max(FLOOR - y, 0.5),
    });
    put(bar, 'title', {}, `${names[part]}: about ${whole(about)} (${whole(low)} to ${whole(high)})${low > 0 ? '' : WEAK}`);
    bar.addEventListener('click', () => {
      stop();
      slider.value = at;
      show();
    });
    put(svg, 'line', { class: 'range', x1: middle, x2: middle, y1: up(low), y2: up(high) });
    if (at % step === 0) put(svg, 'text', { x: middle, y: 188 }, held.short[part]);
  });
  byId('where').textContent = area < 0 ? 'In the whole box' : 'In the chosen square';
  byId('rows').replaceChildren(...rows.map((values, at) => tableRow(names[start + at], values)));
}

/**
 * @param {string} name
 * @param {Range} values
 */
function tableRow(name, values) {
  const row = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  head.textContent = name;
  row.append(head);
  for (const value of values) row.insertCell().textContent = whole(value);
  if (!(values[1] > 0)) head.textContent += WEAK;
  return row;
}

function show() {
  showPart(first, String(chosen()));
  if (second) showPart(second, other.value);
  byId('now').textContent = names[chosen()];
  drawCurve();
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  button.textContent = 'Play';
}

function play() {
  button.textContent = 'Pause';
  timer = setInterval(() => {
    slider.value = (Number(slider.value) + 1) % held.many;
    show();
  }, PACE);
}

/** @param {MouseEvent} event */
function chooseSquare(event) {
  const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
  const column = Math.floor(((event.clientX - box.left) / box.width) * held.across);
  const row = Math.floor(((event.clientY - box.top) / box.height) * held.across);
  const found = row * held.across + column;
  area = found === area || !held.squares[found] ? -1 : found;
  show();
}

function pair() {
  if (two.checked && !second) {
    const figure = document.createElement('figure');
    second = /** @type {SVGSVGElement} */ (first.cloneNode(true));
    figure.append(second);
    second.addEventListener('click', chooseSquare);
    document.querySelector('.maps')?.append(figure);
  }
  if (second?.parentElement) second.parentElement.style.display = two.checked ? '' : 'none';
  show();
}

slider.addEventListener('input', () => {
  stop();
  show();
});
group?.addEventListener('change', show);
first.addEventListener('click', chooseSquare);
two.addEventListener('change', pair);
other.addEventListener('change', () => {
  two.checked = true;
  pair();
});
button.addEventListener('click', () => (timer ? stop() : play()));
show();
