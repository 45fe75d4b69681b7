// @ts-check
// The map: one deck that lives as long as its page. A step gives it other layers and nothing else.

import { Deck, MapView, ScatterplotLayer } from './deck.js';
import { fitBox, limitCamera, lookAtCenter, zoomCamera } from './camera.js';
import { groundOf } from './ground.js';
import { Names } from './names.js';
import { Pictures } from './pictures.js';
import { layerOf, placeOf, tipOf } from './layers.js';
import { marked, put, quiet, tag } from './element.js';

const CLEAR = 17; // pixels to each side of a numbered mark that no name comes into
const SLOW = 2000; // milliseconds between pressing and letting go that are still a click: a busy browser is late
const TIP = {
  backgroundColor: '#16202A',
  color: '#FFFFFF',
  fontSize: '13px',
  fontFamily: 'system-ui, sans-serif',
  borderRadius: '6px',
  padding: '6px 9px',
  maxWidth: '240px',
  zIndex: '6',
};

// A button that opens a list beside it; Escape and a click elsewhere close it.
function opening(name, lines) {
  const list = tag('ul', { class: 'dpv-switches', tabindex: 0, 'aria-label': name, hidden: true }, lines);
  const turn = isOpen => {
    list.hidden = !isOpen;
    button.setAttribute('aria-expanded', isOpen);
  };
  const button = tag('button', { type: 'button', 'aria-expanded': 'false', onclick: () => turn(list.hidden) }, name);
  return tag(
    'div',
    {
      class: 'dpv-help',
      onkeydown: event => {
        if (event.key === 'Escape' && !list.hidden) {
          turn(false);
          button.focus();
        }
      },
      onfocusout: event => {
        if (!event.currentTarget.contains(event.relatedTarget)) turn(false);
      },
    },
    button,
    list,
  );
}

const isPicture = described => described['@@type'] === 'BitmapLayer';
const RECORDS = new Set(['coreset', 'cells']); // the switches of what stands for records
const areNames = ({ id }) => id === 'city-names';
const isCity = described => described.id.startsWith('city-') && !areNames(described); // drawn by the deck, beneath pictures

export class Picture {
  /** @type {Map<string, import('./types').Layer>} */
  described;
  /** @type {any[]} */
  grounds = [];

  constructor(stage, element, { words, height }) {
    this.stage = stage;
    this.words = words;
    this.sheet = tag('canvas', { class: 'dpv-ground', 'aria-hidden': 'true' });
    this.painted = tag('canvas', { class: 'dpv-ground', 'aria-hidden': 'true' });
    this.pictures = new Pictures(this.painted, () => this.rendered());
    this.surface = tag('div', { class: 'dpv-surface' });
    this.lettering = tag('canvas', { class: 'dpv-ground dpv-lettering', 'aria-hidden': 'true' });
    this.names = new Names(this.lettering);
    this.buttons = tag('div', { class: 'dpv-moves' });
    this.mark = tag('div', { class: 'dpv-watermark', hidden: true });
    this.wait = tag('div', { class: 'dpv-waiting', role: 'status' }, words.coming);
    this.frame = tag(
      'div',
      { class: 'dpv-map', style: height ? `--high:${height}px` : null },
      this.sheet,
      this.painted,
      this.surface,
      this.lettering,
      this.buttons,
      this.mark,
      this.wait,
    );
    this.legend = tag('div', { class: 'dpv-legend', role: 'group', 'aria-label': words.legend });
    this.keys = tag('span', { class: 'dpv-keys' });
    this.swap = tag('button', { type: 'button', onclick: () => this.swapPoints() });
    this.note = tag('p', { class: 'dpv-aside', hidden: true });
    this.shades = tag('p', { class: 'dpv-shades', hidden: true });
    this.told = tag('p', { class: 'dpv-picked', role: 'status', hidden: true });
    this.reason = tag('div', { class: 'dpv-no-answer', hidden: true });
    this.figures = tag('div', { class: 'dpv-numbers' });
    const more = height ? [] : [this.figures]; // a map alone, without a slider, has none
    put(element, this.legend, this.note, this.reason, this.frame, this.shades, this.told, ...more);
    this.cameras = stage.cameras;
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(this.surface);
  }

  close() {
    this.watch.disconnect();
    this.deck?.finalize();
    this.deck = null;
  }

  // ---- camera ----

  get place() {
    return this.stage.scene?.place ?? '';
  }

  get size() {
    return { width: this.surface.clientWidth, height: this.surface.clientHeight };
  }

  home() {
    return fitBox(this.stage.scene.box, this.size);
  }

  camera() {
    const found = this.cameras.get(this.place);
    return found?.moved ? found : { ...this.home(), moved: false };
  }

  look(camera) {
    this.turnTo(camera);
    for (const other of this.stage.others('place')) other.places.get('picture')?.turnTo(camera);
  }

  turnTo(camera) {
    const found = limitCamera(camera, this.home());
    this.cameras.set(this.place, found);
    this.deck?.setProps({ viewState: found });
    this.land?.paint(this.sheet, found);
    this.pictures.paint(found);
    this.letter(found);
  }

  // Names keep clear of what has a number in it, of the buttons and of the word that it is a preview.
  letter(camera) {
    if (!this.described) return;
    const marks = [...this.described.values()].filter(({ data }) => data?.[0]?.n !== undefined);
    const taken = marks.flatMap(({ data = [] }) => data.map(({ p }) => [p, CLEAR]));
    const { left, top } = this.surface.getBoundingClientRect();
    const buttons = [...this.buttons.children, this.mark]
      .map(button => button.getBoundingClientRect())
      .map(seen => [seen.left - left - 4, seen.top - top - 4, seen.right - left + 4, seen.bottom - top + 4]);
    this.names.paint(camera, this.described.get('city-names'), taken, buttons, this.stage.scene.box);
  }

  fit() {
    if (this.stage.scene && this.surface.clientWidth) this.turnTo(this.camera());
  }

  reset() {
    this.cameras.delete(this.place);
    this.look(this.camera());
    this.stage.pick({});
  }

  closer(steps) {
    this.look(zoomCamera(this.camera(), steps));
  }

  // ---- what is on it ----

  scene() {
    const { scene } = this.stage;
    if (this.ground !== scene.ground) {
      this.ground = scene.ground;
      this.land = null;
      groundOf(new URL(`../../../${scene.ground}`, import.meta.url)).then(land => {
        if (this.ground !== scene.ground) return; // an older answer that came late
        this.land = land;
        this.fit();
      });
    }
    this.mark.hidden = !scene.watermark;
    this.mark.textContent = scene.watermark;
    this.note.hidden = !scene.note;
    this.note.textContent = scene.note;
    if (this.seen !== this.place) {
      this.seen = this.place;
      this.fit();
    }
    this.pictures.know([scene.base, ...scene.stops.map(stop => stop?.layers ?? [])].flat().filter(isPicture));
  }

  entries() {
    const { scene, shown } = this.stage;
    const key = JSON.stringify(scene.legend);
    if (this.listed !== key) {
      this.listed = key;
      const switches = scene.legend.map(({ name, label, picture, help }) =>
        tag(
          'li',
          null,
          tag(
            'label',
            null,
            tag('input', {
              type: 'checkbox',
              name,
              onchange: event => this.stage.show(name, event.target.checked),
            }),
            tag('img', { src: picture, alt: '', width: 18, height: 18 }),
            tag('b', null, label),
          ),
          tag('span', null, help),
        ),
      );
      put(this.legend, this.keys, scene.legend.length ? opening(this.words.layers, switches) : null);
    }
    for (const input of this.legend.querySelectorAll('input')) input.checked = shown.has(input.name);
    const keys = scene.legend.filter(({ name }) => shown.has(name) && !RECORDS.has(name));
    put(
      this.keys,
      keys.map(({ label, picture }) =>
        tag('span', null, tag('img', { src: picture, alt: '', width: 18, height: 18 }), label),
      ),
    );
  }

  // Squares or points: two pictures of the same release.
  swapPoints() {
    const { shown } = this.stage;
    shown.add('coreset');
    this.stage.show('cells', !shown.has('cells'), true);
  }

  moves() {
    const { stop } = this.stage;
    const centers = stop?.centers ?? [];
    const key = JSON.stringify(centers);
    if (this.offered === key) {
      this.choice.value = this.stage.picked.center ?? '';
      return;
    }
    this.offered = key;
    const { words } = this;
    this.choice = tag(
      'select',
      { 'aria-label': words.zoom, onchange: event => this.zoomTo(event.target.value) },
      tag('option', { value: '' }, words.choose),
      centers.map(({ number, name }) => tag('option', { value: number }, name)),
    );
    this.choice.value = this.stage.picked.center ?? '';
    const button = (sign, label, act) =>
      tag('button', { type: 'button', 'aria-label': label, title: label, onclick: act }, sign);
    put(
      this.buttons,
      button('+', words.closer, () => this.closer(1)),
      button('−', words.further, () => this.closer(-1)),
      tag('button', { type: 'button', onclick: () => this.reset() }, words.reset),
      centers.length ? this.choice : null,
    );
  }

  zoomTo(value) {
    const center = this.stage.stop?.centers.find(({ number }) => String(number) === value);
    if (!center) {
      this.reset();
      return;
    }
    this.look(lookAtCenter(center, this.home(), this.size));
    this.stage.pick({ center: center.number });
  }

  visible() {
    const { scene, stop, shown } = this.stage;
    const found = [...scene.base, ...(stop?.layers ?? [])].filter(({ shows }) => shows.every(name => shown.has(name)));
    return found.sort((one, other) => one.order - other.order);
  }

  // Where the deck draws a city beneath them, pictures are layers of it too: a picture takes a while to unpack, so those
  // of all stops are kept ready, and a step has nothing but to show its own.
  layered(visible) {
    const { scene } = this.stage;
    if (!scene.base.some(isCity)) return [];
    const own = (described, at) =>
      layerOf(described, scene.column, { id: `${described.id}${at}`, visible: visible.includes(described) });
    return [scene.base, ...scene.stops.map(stop => stop?.layers ?? [])].flatMap((found, at) =>
      found.filter(isPicture).map(described => own(described, at ? `-${at}` : '')),
    );
  }

  layers() {
    const { scene, stop } = this.stage;
    if (!scene || !this.surface.clientWidth) return;
    const described = this.visible();
    this.grounds = this.layered(described);
    this.pictures.shown = this.grounds.length ? [] : described.filter(isPicture);
    const layers = [
      ...this.grounds,
      ...described.filter(one => !isPicture(one) && !areNames(one)).map(one => layerOf(one, scene.column)),
    ];
    layers.sort((one, other) => one.props.order - other.props.order);
    const ring = described
      .filter(({ data }) => data?.[0]?.n !== undefined)
      .flatMap(({ data }) => data.filter(({ n }) => n === this.stage.picked.center));
    if (ring.length) {
      const under = layers.findIndex(({ id }) => id.endsWith('centers'));
      const wide = this.stage.scene.stops.some(one => one?.layers.some(({ id }) => id === 'other-centers'));
      layers.splice(
        under,
        0,
        new ScatterplotLayer({
          id: 'ring',
          data: ring,
          getPosition: row => row.p,
          getRadius: wide ? 29 : 25,
          radiusUnits: 'pixels',
          filled: false,
          stroked: true,
          getLineColor: [0xe6, 0xa1, 0],
          getLineWidth: 4,
          lineWidthUnits: 'pixels',
        }),
      );
    }
    this.described = new Map(described.map(one => [one.id, one]));
    const alt = stop?.alt ?? '';
    if (this.deck) {
      this.deck.setProps({ layers });
      this.canvas?.setAttribute('aria-label', alt);
    } else this.start(layers, alt);
    this.letter(this.camera());
    this.due = stop ? this.stage.level : null;
  }

  start(layers, alt) {
    this.deck = new Deck({
      parent: this.surface,
      deviceProps: { type: 'webgl', webgl: { antialias: false } }, // marks smooth their own edges
      views: new MapView({ repeat: false }),
      controller: { dragRotate: false, touchRotate: false, keyboard: { rotateSpeedX: 0, rotateSpeedY: 0 } },
      viewState: this.camera(),
      onViewStateChange: ({ viewState, interactionState }) => {
        // a new size of the page comes here too: nobody moved
        if (Object.values(interactionState ?? {}).some(Boolean)) this.look({ ...viewState, moved: true });
      },
      layers,
      pickingRadius: 3,
      eventRecognizerOptions: { click: { time: SLOW } },
      getTooltip: info => this.tip(info),
      getCursor: ({ isDragging, isHovering }) => (isDragging ? 'grabbing' : isHovering ? 'pointer' : 'grab'),
      onClick: info => this.click(info),
      onAfterRender: () => this.rendered(),
      onError: error => console.warn(error),
      onLoad: () => {
        this.canvas = this.surface.querySelector('canvas');
        this.canvas.tabIndex = 0;
        this.canvas.setAttribute('role', 'application');
        this.canvas.setAttribute('aria-roledescription', this.words.map);
        this.canvas.setAttribute('aria-label', this.stage.stop?.alt ?? alt);
      },
    });
  }

  rendered() {
    if (this.due === null || this.grounds.some(({ props, isLoaded }) => props.visible && !isLoaded)) return;
    if (!this.pictures.isReady) return;
    this.pictures.paint(this.camera());
    this.frame.dataset.drawn = String(this.due);
    this.due = null;
    this.wait.hidden = true;
  }

  of(info) {
    const described = info.layer && this.described.get(info.layer.id);
    return described && info.index >= 0 ? described : null;
  }

  tip(info) {
    const described = this.of(info);
    const text = described ? tipOf(described, this.stage.scene.column, info.index) : this.shadeAt(info.coordinate);
    return text ? { text, style: TIP } : null;
  }

  // What the colour of the ground says at a place.
  shadeAt(place) {
    const shades = this.stage.stop?.shades;
    const picture = shades && place && this.visible().find(({ id }) => id === 'counted');
    const opaque = picture ? this.pictures.opaqueAt(picture, place) : 0;
    return opaque ? (shades.told[shades.opaque.findLastIndex(least => opaque >= least - 2)] ?? '') : '';
  }

  // What the ground's colours or the points say in one line, and the way to the other picture.
  line() {
    const { stop } = this.stage;
    this.shades.hidden = !stop?.line;
    if (!stop?.line || this.lined === stop) return;
    this.lined = stop;
    const steps = stop.shades?.colours.map(colour => tag('i', { style: `background:${colour}` }));
    this.swap.textContent = stop.swap;
    put(
      this.shades,
      steps ? tag('span', { class: 'dpv-steps', 'aria-hidden': 'true' }, steps) : null,
      tag('span', null, stop.line),
      stop.swap ? this.swap : null,
    );
  }

  click(info) {
    const described = this.of(info);
    if (!described) return;
    const { column } = this.stage.scene;
    const number = described.data?.[info.index]?.n;
    const place = placeOf(described, column, info.index);
    if (number !== undefined && described.id.endsWith('centers')) this.stage.pick({ center: number }, true);
    else if (place) this.stage.pick({ place, told: tipOf(described, column, info.index) }, true);
    else this.stage.hit({ layer: described.id, index: info.index, row: described.data?.[info.index] ?? null });
  }

  // ---- one step ----

  step() {
    const { stop, scene } = this.stage;
    const refused = stop?.reason ?? null;
    this.frame.hidden = Boolean(refused);
    this.legend.hidden = Boolean(refused) || !scene?.legend.length;
    this.reason.hidden = !refused;
    this.wait.hidden = Boolean(stop);
    if (refused) this.explain(refused);
    if (!scene) return;
    this.entries();
    if (!refused) this.layers();
  }

  afterStep() {
    if (this.stage.scene && !this.stage.stop?.reason) this.moves();
    const told = this.stage.told();
    this.told.hidden = !told;
    this.told.textContent = told;
    this.line();
    this.numbers();
  }

  explain(reason) {
    const buttons = reason.ways.map(({ label, level, wish }) =>
      tag(
        'button',
        {
          type: 'button',
          class: wish ? 'dpv-first' : '',
          onclick: () => (wish ? this.stage.wish(wish) : this.stage.go(level)),
        },
        label,
      ),
    );
    put(
      this.reason,
      tag('h3', null, reason.title),
      tag('p', null, reason.why),
      tag('p', null, marked(reason.help)),
      tag('div', { class: 'dpv-ways' }, buttons),
    );
  }

  numbers() {
    const found = this.stage.news?.figures?.[this.stage.level - 1];
    const key = JSON.stringify(found ?? null);
    if (key === this.counted) return;
    this.counted = key;
    if (!found) {
      put(this.figures, this.stage.stop?.reason ? null : quiet(this.words.coming));
      return;
    }
    const cells = found.items.map(([name, value, note]) =>
      tag('div', null, tag('dt', null, name), tag('dd', { class: 'value' }, value), tag('dd', { class: 'note' }, note)),
    );
    put(
      this.figures,
      tag('dl', { class: `dpv-figures dpv-${cells.length}` }, cells),
      found.warning ? tag('p', { class: 'dpv-warning', role: 'alert' }, marked(found.warning)) : null,
    );
  }
}
