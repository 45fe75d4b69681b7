// @ts-check
// Find Her on a stage: one map, ten scenes, keys of a clicker, a window for the presenter. Nothing is asked of a network.

import { City } from './city.js';
import { Clouds } from './clouds.js';
import { Game, nothingPlayed, stopOf } from './game.js';
import { Presenter } from './presenter.js';
import { Questions } from './questions.js';
import { bold, figure, filled, put, tag } from './element.js';
import { wish } from './acts.js';

const KEPT = 'dpviz-find-her';
const STEPS = { PageDown: 1, ArrowRight: 1, ArrowDown: 1, ' ': 1, PageUp: -1, ArrowLeft: -1, ArrowUp: -1 };
const OWN = 'button, a, input, select, summary, textarea';

export class Theatre {
  /** @type {City} */
  city;
  /** @type {Clouds} */
  clouds;
  /** @type {Game} */
  game;
  /** @type {Presenter} */
  presenter;
  /** @type {Questions} */
  questions;
  /** @type {HTMLCanvasElement} */
  canvas;
  /** @type {HTMLElement} */
  panel;
  /** @type {HTMLElement} */
  over;
  /** @type {HTMLElement} */
  bar;
  /** @type {HTMLElement} */
  black;
  /** @type {AbortController} */
  off;
  /** @type {ResizeObserver} */
  watch;

  /**
   * @param {HTMLElement} root
   * @param {any} data
   * @param {{say?: (said: any) => void, scene?: number | null}} more
   */
  constructor(root, data, more = {}) {
    const { say = () => {}, scene = null } = more;
    this.root = root;
    this.data = data;
    this.say = say;
    this.language = data.language;
    const kept = this.kept(),
      asked = scene === null || kept.asked === scene ? {} : { scene, beat: 0 }; // whoever has walked on since stays there
    this.state = { scene: 0, beat: 0, stop: data.default + 1, play: nothingPlayed(), ...kept, ...asked, asked: scene };
    if (this.state.language in data.words) this.language = this.state.language;
    this.started = Date.now();
    this.build();
    this.listen();
    this.go(this.state.scene, this.state.beat);
  }

  get words() {
    return this.data.words[this.language];
  }
  get scene() {
    return this.words.scenes[this.state.scene];
  }
  get beat() {
    return this.state.beat;
  }
  get stop() {
    return this.state.stop;
  }

  // ---- what is on the stage ----

  build() {
    const { root } = this;
    this.canvas = /** @type {HTMLCanvasElement} */ (tag('canvas', { class: 'her-city', role: 'img' }));
    this.panel = tag('div', { class: 'her-panel' });
    this.over = tag('div', { class: 'her-over' });
    this.bar = tag('nav', { class: 'her-bar' });
    this.black = tag('div', { class: 'her-black', hidden: true });
    this.questions = new Questions(this);
    this.game = new Game(this);
    this.presenter = new Presenter(this);
    root.classList.add('her');
    root.replaceChildren(this.canvas, this.panel, this.over, this.bar, this.questions.element, this.black);
    this.city = new City(this.canvas, this.data);
    this.clouds = new Clouds(this.words);
  }

  buttons() {
    const { words } = this,
      many = words.scenes.length;
    const button = (name, act, more = {}) => tag('button', { type: 'button', onclick: act, ...more }, words[name]);
    const dots = words.scenes.map((scene, at) =>
      tag('button', {
        type: 'button',
        class: 'her-dot',
        title: scene.title,
        'aria-label': filled(words.go, { number: at + 1, title: scene.title }),
        'aria-current': at === this.state.scene ? 'step' : null,
        onclick: () => this.go(at),
      }),
    );
    const others = Object.keys(this.data.words).filter(name => name !== this.language);
    this.bar.setAttribute('aria-label', words.steering);
    put(
      this.bar,
      button('back', () => this.step(-1), { disabled: !this.state.scene && !this.beat, class: 'her-back' }),
      button('next', () => this.step(1), {
        class: 'her-next',
        disabled: this.state.scene === many - 1 && this.beat === this.scene.beats.length - 1,
      }),
      tag('span', { class: 'her-dots' }, dots),
      tag(
        'span',
        { class: 'her-more' },
        button('ask', () => this.questions.open()),
        this.data.phones ? this.votes() : null,
        button('notes', () => this.presenter.open(), { class: 'is-large' }),
        button('full', () => this.full(), { class: 'is-large' }),
        ...others.map(name =>
          tag(
            'button',
            { type: 'button', lang: name, onclick: () => this.speak(name) },
            this.data.words[name].language,
          ),
        ),
        button('again', () => this.again()),
      ),
    );
  }

  votes() {
    const { words } = this;
    const open = Boolean(this.ballot?.address);
    return tag(
      'button',
      {
        type: 'button',
        class: 'is-large',
        'aria-pressed': String(open),
        onclick: () => this.say({ phones: !open, round: this.state.play.round }),
      },
      open ? words.phones_off : words.phones_on,
    );
  }

  speak(name) {
    this.language = this.state.language = name;
    this.clouds.words = this.words;
    this.go(this.state.scene, this.beat);
    if (this.questions.element.open) this.questions.draw();
  }

  // ---- where we are ----

  step(by) {
    const beat = this.beat + by,
      { beats } = this.scene;
    if (beat >= 0 && beat < beats.length) return this.go(this.state.scene, beat);
    const scene = this.state.scene + by;
    if (scene < 0 || scene >= this.words.scenes.length) return undefined;
    return this.go(scene, by < 0 ? this.words.scenes[scene].beats.length - 1 : 0);
  }

  go(scene, beat = 0) {
    const last = this.words.scenes.length - 1;
    this.state.scene = Math.min(Math.max(0, Number(scene) || 0), last);
    this.state.beat = Math.min(Math.max(0, Number(beat) || 0), this.scene.beats.length - 1);
    this.game.stop();
    this.keep();
    this.draw();
    this.presenter.tell();
    return undefined;
  }

  draw() {
    const { scene, words } = this,
      step = scene.beats[this.beat];
    this.root.dataset.scene = scene.name;
    this.root.dataset.beat = String(this.beat);
    this.root.lang = this.language;
    this.buttons();
    const chips =
      scene.beats.length > 1
        ? tag(
            'div',
            { class: 'her-chips' },
            scene.beats.map(({ chip }, at) =>
              chip
                ? tag(
                    'button',
                    {
                      type: 'button',
                      'aria-pressed': String(at === this.beat),
                      class: at <= this.beat ? 'is-done' : null,
                      onclick: () => this.go(this.state.scene, at),
                    },
                    chip,
                  )
                : null,
            ),
          )
        : null;
    put(
      this.panel,
      tag(
        'p',
        { class: 'her-kicker' },
        filled(words.step, { number: this.state.scene + 1, many: words.scenes.length }),
      ),
      tag('h1', null, scene.title),
      tag(
        'div',
        { class: 'her-text', 'aria-live': 'polite' },
        step.big
          ? tag('p', { class: 'her-big' }, tag('b', null, step.big), ' ', tag('span', null, step.unit ?? ''))
          : null,
        this.text(step)
          .split('\n')
          .map(line => tag('p', null, bold(this.told(line)))),
      ),
      scene.name === 'names' && this.beat === 3 ? this.weekTable() : null,
      scene.name === 'dial' || scene.name === 'game' ? this.dial() : null,
      scene.name === 'dial' ? this.odds() : null,
      chips,
      scene.note ? tag('p', { class: 'her-note' }, scene.note) : null,
    );
    this.fit();
    this.stage();
    this.city.stations = scene.name === 'keeps' || scene.name === 'dial' ? this.stations() : null;
    this.canvas.setAttribute('aria-label', this.told(this.text(step)).replaceAll('**', ''));
    this.city.show(wish(this));
  }

  // Without protection there is no promise to tell of.
  text(step) {
    if (this.stop) return step.text;
    if (this.scene.name === 'dial') return this.words.dial_none;
    return this.scene.name === 'game' && this.beat === 1 ? this.words.game_none : step.text;
  }

  // The stations of the stop that the dial stands at; elsewhere those of the level that the story tells of.
  stations() {
    const { data, scene, stop } = this,
      found = data.stops[scene.name === 'dial' ? Math.max(0, stop - 1) : data.default];
    return {
      exact: found.exact_stations,
      found: scene.name === 'dial' && !stop ? found.exact_stations : found.stations,
    };
  }

  // The words of a step always fit: where they are many, they are a little smaller.
  fit() {
    const { panel } = this;
    for (let size = 1; size >= 0.66; size -= 0.04) {
      panel.style.setProperty('--fit', String(size));
      if (panel.scrollHeight <= panel.clientHeight + 1) return;
    }
  }

  told(text) {
    const found = stopOf(this);
    return filled(text, {
      promised: found.promised,
      reachable: figure(found.reachable, this.language, 1),
      shift: figure(found.shift_m ?? 0, this.language),
      level: this.stop ? this.words.levels[this.stop - 1] : this.words.none,
    });
  }

  stage() {
    const { scene, data, words } = this;
    this.clouds.stop();
    if (scene.name === 'worlds') {
      const none = stopOf({ data, stop: 0 }).rounds;
      const [rounds, told] = [
        [none, words.clouds_exact],
        [data.per_trip.rounds, words.clouds_trip],
        [data.stops[data.default].rounds, words.clouds_person],
      ][this.beat];
      put(this.over, this.clouds.element);
      this.clouds.element.replaceChildren(...[...new Clouds(words).element.children].slice(0, -1), this.clouds.canvas);
      this.clouds.show(rounds, data.exact.moved, told);
    } else if (scene.name === 'game') {
      put(this.over, this.game.element, ...this.ballotBox());
      this.game.draw();
      if (this.beat === 1 && !this.state.play.computer) this.game.race();
    } else put(this.over);
  }

  ballotBox() {
    if (!this.ballot?.address || this.beat > 0) return []; // while the computer plays nobody votes
    const empty = tag(
      'button',
      { type: 'button', class: 'her-empty', onclick: () => this.say({ empty: true }) },
      this.words.phones_empty,
    );
    return [
      tag(
        'p',
        { class: 'her-ballot' },
        bold(filled(this.words.join, { address: this.ballot.address })),
        this.ballot.code ? this.code(this.ballot.code) : null,
        empty,
      ),
    ];
  }

  // A square code that a telephone reads: rows of dark and light.
  code(rows) {
    const canvas = tag('canvas', {
      class: 'her-code',
      width: (rows.length + 8) * 6,
      height: (rows.length + 8) * 6,
      role: 'img',
      'aria-label': this.ballot.address,
    });
    const pen = canvas.getContext('2d');
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = '#000';
    rows.forEach((row, y) =>
      [...row].forEach((dark, x) => {
        if (dark === '1') pen.fillRect((x + 4) * 6, (y + 4) * 6, 6, 6);
      }),
    );
    return canvas;
  }

  weekTable() {
    return tag(
      'ul',
      { class: 'her-week' },
      this.words.week.map(([when, what, secret]) =>
        tag('li', { class: secret ? 'is-secret' : null }, tag('b', null, when), ' ', what),
      ),
    );
  }

  dial() {
    const { words } = this,
      names = [words.none, ...words.levels];
    return tag(
      'div',
      { class: 'her-dial', role: 'group', 'aria-label': words.dial },
      tag('p', null, words.dial, ' ', tag('b', null, names[this.stop])),
      tag(
        'div',
        null,
        names.map((name, at) =>
          tag(
            'button',
            {
              type: 'button',
              'aria-pressed': String(at === this.stop),
              title: name,
              'aria-label': name,
              class: at ? null : 'is-none',
              onclick: () => this.turn(at),
            },
            tag('i'),
            at === 0 || at === names.length - 1 ? tag('span', null, at ? words.more_privacy : words.none) : null,
          ),
        ),
      ),
    );
  }

  turn(stop) {
    const { play } = this.state;
    Object.assign(this.state, { stop });
    Object.assign(play, { round: play.round + 1, revealed: false, right: 0, played: 0, computer: 0, hands: [0, 0] });
    this.opened(); // another map: no vote for the one before counts
    this.keep();
    this.draw();
    /** @type {NodeListOf<HTMLElement>} */ (this.panel.querySelectorAll('.her-dial button'))[stop]?.focus({
      preventScroll: true,
      focusVisible: false,
    });
  }

  odds() {
    const { words } = this,
      { promised, reachable, none } = stopOf(this);
    const lines = [
      ['is-coin', words.coin_long],
      ['is-reached', words.reached_long],
      ['is-promised', none ? words.promised_none : words.promised_long],
    ];
    const dots = [...Array(100).keys()].map(at =>
      tag('i', {
        class: at < 50 ? 'is-coin' : at < Math.round(reachable) ? 'is-reached' : at < promised ? 'is-promised' : null,
      }),
    );
    return tag(
      'div',
      { class: 'her-odds' },
      tag(
        'div',
        { class: 'her-hundred', role: 'img', 'aria-label': this.told(none ? words.odds_none : words.odds_alt) },
        dots,
      ),
      tag(
        'ul',
        null,
        lines.map(([kind, told]) => tag('li', null, tag('i', { class: kind }), this.told(told))),
      ),
    );
  }

  // ---- keys, pointer, screen ----

  listen() {
    this.off = new AbortController();
    const { signal } = this.off;
    addEventListener('keydown', event => this.key(event), { capture: true, signal });
    addEventListener(
      'resize',
      () => {
        this.fit();
        this.city.wake();
      },
      { signal },
    );
    document.addEventListener(
      'fullscreenchange',
      () => {
        this.fit();
        this.city.wake();
      },
      { signal },
    );
    this.watch = new ResizeObserver(() => this.city.wake());
    this.watch.observe(this.canvas);
    /** @type {number | null} */
    let from = null;
    this.root.addEventListener(
      'touchstart',
      event => {
        from = event.touches[0].clientX;
      },
      { passive: true, signal },
    );
    this.root.addEventListener(
      'touchend',
      event => {
        const moved = event.changedTouches[0].clientX - (from ?? event.changedTouches[0].clientX);
        if (Math.abs(moved) > 70 && !(/** @type {Element} */ (event.target).closest('input, dialog')))
          this.step(moved < 0 ? 1 : -1);
      },
      { passive: true, signal },
    );
    this.root.addEventListener(
      'click',
      event => {
        if (event.detail) /** @type {Element} */ (event.target).closest('button')?.blur();
      },
      { signal },
    );
  }

  key(event) {
    if (!this.root.isConnected || event.ctrlKey || event.altKey || event.metaKey) return;
    const dialog = this.questions.element.open,
      at = event.target?.closest?.(OWN) ?? null;
    if (at && !this.root.contains(at)) return;
    const turned = event.key === 'PageDown' || event.key === 'PageUp';
    if (dialog && !turned) return;
    if ((event.key === ' ' || event.key === 'Enter') && at) return; // a button that the keyboard has reached is pressed
    const acts = {
      Home: () => this.go(0),
      End: () => this.go(this.words.scenes.length - 1),
      f: () => this.full(),
      F: () => this.full(),
      b: () => this.dark(),
      B: () => this.dark(),
      '.': () => this.dark(),
      q: () => this.questions.open(),
      '?': () => this.questions.open(),
      n: () => this.presenter.open(),
      N: () => this.presenter.open(),
      Q: () => this.questions.open(),
      F5: () => {
        if (!document.fullscreenElement) this.full();
      }, // what the start key of a clicker sends
      Enter: () => this.step(1),
      Escape: () => {
        if (!this.black.hidden) this.dark();
        else if (document.fullscreenElement) document.exitFullscreen();
      },
    };
    const act = STEPS[event.key]
      ? () => {
          if (dialog) this.questions.element.close();
          this.step(STEPS[event.key]);
        }
      : acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    if (STEPS[event.key] && !this.black.hidden)
      this.dark(); // the first press brings the picture back
    else act();
  }

  dark() {
    this.black.hidden = !this.black.hidden;
  }

  full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.root.requestFullscreen?.().catch(() => {});
  }

  again() {
    this.started = Date.now();
    if (this.ballot?.address) this.say({ phones: false, round: 0 });
    this.questions.prior = 90;
    Object.assign(this.state, { stop: this.data.default + 1, play: nothingPlayed() });
    this.go(0);
  }

  // ---- votes by telephone, where the presenter switched them on ----

  hear(ballot) {
    const same = JSON.stringify(ballot) === JSON.stringify(this.ballot);
    if (!same) this.remember(ballot);
    this.ballot = ballot;
    this.phones = ballot && ballot.round === this.state.play.round ? ballot.votes : null;
    if (same || this.scene.name !== 'game') {
      if (!same) this.buttons();
      return;
    }
    this.buttons();
    this.stage();
  }

  // The key of the page of votes outlives this page; what is said before it was taken up again closes nothing.
  remember(ballot) {
    if (!ballot && !this.ballot) return;
    this.state.ballot = ballot?.key ?? null;
    this.keep();
  }

  resume() {
    if (this.state.ballot) this.say({ key: this.state.ballot, round: this.state.play.round });
  }

  opened() {
    if (this.ballot?.address) this.say({ phones: true, round: this.state.play.round });
  }
  closed() {}

  // ---- where we were, when one comes back ----

  keep() {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(this.state));
    } catch {
      /* a page from a file may not */
    }
  }

  kept() {
    try {
      return JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') ?? {};
    } catch {
      return {};
    }
  }

  leave() {
    this.off.abort();
    this.watch.disconnect();
    this.city.stop();
    this.clouds.stop();
    this.game.stop();
  }
}
