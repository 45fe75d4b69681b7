// @ts-check
// The script of map.html: the language of its words, and each map's zoom, pan and names. It asks for nothing.

/** @typedef {[west: number, north: number, east: number, south: number]} Room  in units of the drawing */

/** @param {string} selector */
const every = selector => /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector));

function offerLanguages() {
  const page = document.documentElement;
  const buttons = [...every('button[data-speak]')];
  /** @param {string} name */
  const speak = name => {
    page.lang = name;
    for (const part of every(`[data-aria-${name}]`)) {
      part.setAttribute('aria-label', part.getAttribute(`data-aria-${name}`) ?? '');
    }
    for (const part of every(`[data-said-${name}]`)) part.textContent = part.getAttribute(`data-said-${name}`);
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.speak === name));
  };
  for (const button of buttons) button.addEventListener('click', () => speak(button.dataset.speak ?? page.lang));
  const own = buttons.map(button => button.dataset.speak);
  const asked = (navigator.languages ?? []).map(name => name.slice(0, 2));
  speak(asked.find(name => own.includes(name)) ?? page.lang);
}

/** @param {SVGSVGElement} map */
function moveMap(map) {
  const CLOSEST = 64; // times
  const wide = map.getAttribute('viewBox') ?? '';
  let home = [0, 0, 1, 1];
  let view = home;
  /** @type {number[] | null} */
  let held = null;

  function fit() {
    const isNarrow = document.documentElement.clientWidth < 700;
    home = ((isNarrow && map.getAttribute('data-narrow')) || wide).split(' ').map(Number);
    map.style.maxWidth = `calc(80vh * ${home[2] / home[3]})`;
    view = home.slice();
    show();
  }

  /** @param {SVGGElement} mark */
  const placeOf = mark => mark.transform.baseVal.getItem(0).matrix;

  /**
   * What a name takes.
   * @param {SVGGElement} mark
   * @param {number} unit
   * @returns {Room}
   */
  function roomOf(mark, unit) {
    const { e, f } = placeOf(mark);
    const words = /** @type {SVGTextElement} */ (mark.firstChild);
    const half = (words.getComputedTextLength() * unit) / 2;
    return [e - half, f - 11 * unit, e + half, f + 4 * unit];
  }

  /**
   * @param {Room} a
   * @param {Room} b
   */
  const areApart = (a, b) => a[0] > b[2] || b[0] > a[2] || a[1] > b[3] || b[1] > a[3];

  function show() {
    view[2] = Math.min(home[2], Math.max(home[2] / CLOSEST, view[2]));
    view[3] = (view[2] * home[3]) / home[2];
    view[0] = Math.min(home[0] + home[2] - view[2], Math.max(home[0], view[0]));
    view[1] = Math.min(home[1] + home[3] - view[3], Math.max(home[1], view[1]));
    map.setAttribute('viewBox', view.join(' '));
    map.style.touchAction = view[2] < home[2] ? 'none' : 'pan-y';
    const { width } = map.getBoundingClientRect();
    const unit = view[2] / (width || home[2]);
    const size = width < 700 ? 0.85 : 1;
    const marks = /** @type {SVGGElement[]} */ ([...map.querySelectorAll('.centers > g, .names > g')]);
    const isCenter = mark => mark.parentNode.matches('.centers');
    /** @type {Room[]} */
    const taken = [];
    for (const mark of marks) {
      const place = (mark.getAttribute('transform') ?? '').split(' scale')[0];
      mark.setAttribute('transform', `${place} scale(${unit * (isCenter(mark) ? size : 1)})`);
    }
    for (const mark of marks.filter(isCenter)) {
      const { e, f } = placeOf(mark);
      const half = 15 * size * unit;
      taken.push([e - half, f - half, e + half, f + half]);
    }
    for (const mark of marks.filter(one => !isCenter(one))) {
      // names keep their size; those without room wait
      mark.style.display = '';
      const own = roomOf(mark, unit);
      const isInside =
        own[0] >= view[0] && own[2] <= view[0] + view[2] && own[1] >= view[1] && own[3] <= view[1] + view[3];
      if (isInside && taken.every(other => areApart(own, other))) taken.push(own);
      else mark.style.display = 'none';
    }
  }

  /**
   * @param {number} factor
   * @param {number} x  share of the picture that stays where it is
   * @param {number} y
   */
  function zoom(factor, x, y) {
    const next = Math.min(home[2], Math.max(home[2] / CLOSEST, view[2] * factor));
    const real = next / view[2];
    view[0] += x * view[2] * (1 - real);
    view[1] += y * view[3] * (1 - real);
    view[2] = next;
    show();
  }

  /**
   * @param {number} x  share of the picture
   * @param {number} y
   */
  function pan(x, y) {
    view[0] += x * view[2];
    view[1] += y * view[3];
    show();
  }

  function reset() {
    view = home.slice();
    show();
  }

  map.addEventListener(
    'wheel',
    event => {
      event.preventDefault();
      const box = map.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width;
      zoom(event.deltaY > 0 ? 1.25 : 0.8, x, (event.clientY - box.top) / box.height);
    },
    { passive: false },
  );
  map.addEventListener('pointerdown', event => {
    held = [event.clientX, event.clientY];
    map.setPointerCapture(event.pointerId);
  });
  map.addEventListener('pointermove', event => {
    if (!held) return;
    const box = map.getBoundingClientRect();
    pan((held[0] - event.clientX) / box.width, (held[1] - event.clientY) / box.height);
    held = [event.clientX, event.clientY];
  });
  for (const name of ['pointerup', 'pointercancel']) {
    map.addEventListener(name, () => {
      held = null;
    });
  }

  const closer = () => zoom(0.8, 0.5, 0.5);
  /** @type {Record<string, () => void>} */
  const keys = {
    '+': closer,
    '=': closer,
    '-': () => zoom(1.25, 0.5, 0.5),
    0: reset,
    ArrowLeft: () => pan(-0.1, 0),
    ArrowRight: () => pan(0.1, 0),
    ArrowUp: () => pan(0, -0.1),
    ArrowDown: () => pan(0, 0.1),
  };
  map.addEventListener('keydown', event => {
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  const acts = { in: keys['+'], out: keys['-'], reset };
  for (const button of every('button[data-do]')) {
    button.addEventListener('click', acts[/** @type {keyof typeof acts} */ (button.dataset.do)]);
  }
  addEventListener('resize', fit);
  fit();
}

offerLanguages();
for (const map of document.querySelectorAll('svg.map')) moveMap(/** @type {SVGSVGElement} */ (map));
