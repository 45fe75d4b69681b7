// @ts-check
// The stage: slider, map, legend, odds, figures, curves and tables of one page, wherever on it they stand.
//
// The server hands over a scene (what every stop of the slider shows) and news (figures that grow while further draws
// are made). A step, a hidden layer, a pointed-at center need no word with the server; it hears of them afterwards.

import { Accepted, Drawers } from './tables.js';
import { Curves } from './curves.js';
import { Dial } from './dial.js';
import { Picture } from './map.js';
import { decoded } from './columns.js';
import { tag } from './element.js';

const PAUSE = 700; // milliseconds without a further change until the server is told: longer than a look at one map
const PLACES = { dial: Dial, picture: Picture, curves: Curves, accepted: Accepted, drawers: Drawers };
const stages = new Map();
const cameras = new Map(); // by the name of their place: maps of one place look at the same

class Stage {
  /** @type {import('./types').Scene | undefined} */
  scene;
  /** @type {import('./types').News | undefined} */
  news;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  constructor(key) {
    this.key = key;
    this.places = new Map();
    this.cameras = cameras;
    this.level = 1;
    this.turn = null;
    this.shown = new Set();
    this.picked = {};
    this.picks = 0;
    this.open = new Set();
    this.heard = null;
    this.sayer = null;
    this.isOwing = false;
  }

  get stop() {
    return this.scene?.stops[this.level - 1] ?? null;
  }

  // ---- what the server says ----

  // The server's own wish for a level, for layers and for a picked center, where it is a new one.
  obey({ turn, level, shown, picked }) {
    if (turn === undefined || turn === this.turn) return;
    this.turn = turn;
    if (level) this.level = level;
    if (shown) this.shown = new Set(shown);
    if (picked !== undefined) this.picked = { center: picked };
  }

  // Other stages on the page that show the same picked center, or look at the same place.
  others(name) {
    const own = this.scene?.[name];
    return own
      ? [...stages.values()].filter(other => other !== this && other.places.size && other.scene?.[name] === own)
      : [];
  }

  set(scene) {
    if (scene.id === this.scene?.id) return;
    const other = scene.about !== this.scene?.about;
    this.scene = scene;
    if (other) this.picked = {};
    this.obey(scene);
    for (const part of this.places.values()) part.scene?.();
    this.step();
  }

  hear(news) {
    this.news = news;
    this.rest();
  }

  attach(name, element, given, wanted) {
    const before = this.places.get(name);
    const key = JSON.stringify(given);
    this.obey(wanted);
    if (before?.element !== element || before.key !== key) {
      before?.close?.();
      const part = new PLACES[name](this, element, given);
      Object.assign(part, { element, key });
      this.places.set(name, part);
      if (this.scene) part.scene?.();
    }
    this.step();
  }

  detach(name, element) {
    const part = this.places.get(name);
    if (part?.element !== element) return;
    part.close?.();
    this.places.delete(name);
  }

  // ---- what a person does ----

  go(level) {
    this.level = level;
    this.step();
    this.report(this.stop === null);
  }

  show(name, isShown, isUrgent = isShown && Boolean(this.scene?.absent.includes(name))) {
    if (isShown) this.shown.add(name);
    else this.shown.delete(name);
    this.step();
    this.report(isUrgent);
  }

  pick(picked, opens = false) {
    this.picked = picked;
    this.picks += 1;
    if (opens) this.open.add('table');
    this.step();
    for (const other of this.others('together')) {
      other.picked = 'center' in picked ? { center: picked.center } : {};
      other.step();
    }
    this.report();
  }

  hit(mark) {
    if (this.scene?.hits) this.tell('hit', { ...mark, at: Date.now() });
  }

  opened(name, isOpen) {
    if (isOpen) this.open.add(name);
    else this.open.delete(name);
    this.rest();
    this.report(true);
  }

  wish(wanted) {
    this.report(true);
    this.tell('wish', { ...wanted, at: Date.now() });
  }

  told() {
    return this.stop?.told?.[this.picked.center] ?? this.picked.told ?? '';
  }

  // ---- showing it ----

  step() {
    for (const part of this.places.values()) part.step?.();
    this.rest();
  }

  // What may come a frame later than slider and map.
  rest() {
    if (this.resting) return;
    this.resting = true;
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.resting = false;
        for (const part of this.places.values()) part.afterStep?.();
      }),
    );
  }

  // ---- telling the server ----

  get state() {
    const { turn, level, shown, picked, picks, open } = this;
    return { turn, level, shown: [...shown].sort(), center: picked.center ?? null, picks, open: [...open].sort() };
  }

  report(isUrgent = false) {
    clearTimeout(this.timer);
    if (isUrgent) this.flush();
    else {
      this.timer = setTimeout(() => this.flush(), PAUSE);
      this.telling(true);
    }
  }

  // Whether there is something that the server has not heard yet: for who watches the page.
  telling(isSo) {
    for (const { element } of this.places.values()) element.toggleAttribute('data-telling', isSo);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isOwing = !this.sayer; // chosen before the first scene came: said as soon as somebody can say it
    this.telling(this.isOwing);
    const said = JSON.stringify(this.state);
    if (this.isOwing || said === this.heard) return;
    this.heard = said;
    this.sayer.setStateValue('state', this.state);
  }

  tell(name, value) {
    this.sayer?.setTriggerValue(name, value);
  }
}

function stageOf(key) {
  if (!stages.has(key)) stages.set(key, new Stage(key));
  return stages.get(key);
}

// A click elsewhere on the page comes after what was chosen here a moment ago: the server hears that first.
function flushAll(event) {
  if (event.target.closest?.('.dpv-stage')) return;
  for (const stage of stages.values()) if (stage.timer) stage.flush();
}
addEventListener('pointerdown', flushAll, true);
addEventListener(
  'keydown',
  event => {
    if (event.key === 'Enter' || event.key === ' ') flushAll(event);
  },
  true,
);

// The browser went back or forward: the server reads the address, which it writes itself.
addEventListener('popstate', () => {
  for (const stage of stages.values()) if (stage.places.size) stage.tell('wish', { address: true, at: Date.now() });
});

// ---- a page without its server ----

/** @type {WebSocket | null} */
let line = null;
/** @type {HTMLElement | null} */
let gone = null;

function watch(words) {
  if (line || !words) return;
  const address = new URL('../../../dpviz/alive', import.meta.url);
  address.protocol = address.protocol.replace('http', 'ws');
  line = new WebSocket(address);
  let leaving = false;
  addEventListener('pagehide', () => {
    leaving = true;
  });
  line.addEventListener('open', () => {
    gone?.remove();
    gone = null;
  });
  line.addEventListener('close', () => {
    line = null;
    if (leaving) return;
    if (!gone) {
      const said = tag('div', { class: 'dpv-gone', role: 'alert' }, words);
      gone = said;
      document.body.append(said);
    }
    setTimeout(() => watch(words), 2000);
  });
}

// ---- the component: called by Streamlit for every place, and again whenever what it was given changes ----

export default function stagePart({ data, parentElement, setStateValue, setTriggerValue }) {
  if (!data) return undefined;
  if (data instanceof Uint8Array) {
    const said = decoded(data);
    const stage = stageOf(said.stage);
    if (said.kind === 'scene') {
      stage.sayer = { setStateValue, setTriggerValue };
      stage.set(said);
      if (stage.isOwing) setTimeout(() => stage.flush());
    } else stage.hear(said);
    return undefined;
  }
  const stage = stageOf(data.stage);
  const room =
    parentElement.querySelector(':scope > .dpv-stage') ?? parentElement.appendChild(tag('div', { class: 'dpv-stage' }));
  room.dataset.place = data.place;
  document.documentElement.lang = data.spoken;
  watch(data.gone);
  stage.attach(data.place, room, data.given, data.wanted);
  return () => stage.detach(data.place, room);
}
