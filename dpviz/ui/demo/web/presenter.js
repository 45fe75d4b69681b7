// @ts-check
// The presenter's own window: what to say, what comes next, how long it has taken. It steers the stage with the same keys.

import { tag } from './element.js';

const LOOK = `body{margin:0;padding:28px 34px;background:#10151f;color:#f2f5fa;font:22px/1.5 system-ui,sans-serif}
h1{font-size:30px;margin:.2em 0}p{margin:.5em 0;max-width:46em}#now{font-size:26px;color:#ffe3a3}
#clock{font:700 44px/1 ui-monospace,monospace;float:right}small{color:#aab7cc}button{font:inherit;padding:.3em .9em;margin:.6em .6em 0 0}`;

export class Presenter {
  constructor(theatre) {
    this.theatre = theatre;
  }

  open() {
    if (this.window && !this.window.closed) {
      this.window.focus();
      return;
    }
    this.window = window.open('', 'dpviz-notes', 'width=900,height=640');
    if (!this.window) return;
    const { document } = this.window;
    document.title = this.theatre.words.notes;
    document.head.replaceChildren(tag('style', null, LOOK));
    this.window.onkeydown = event => {
      if (event.key === ' ' && /** @type {Element} */ (event.target).closest?.('button')) return;
      this.theatre.key(new KeyboardEvent('keydown', { key: event.key }));
      if (!event.ctrlKey && !event.metaKey && !event.altKey) event.preventDefault();
    };
    this.timer = setInterval(() => this.clock(), 500);
    this.tell();
  }

  tell() {
    if (!this.window || this.window.closed) return;
    const { theatre } = this,
      { words, state } = theatre,
      { document } = this.window;
    const scene = words.scenes[state.scene],
      next = words.scenes[state.scene + 1];
    const button = (name, by) => tag('button', { type: 'button', onclick: () => theatre.step(by) }, words[name]);
    document.documentElement.lang = theatre.language;
    document.body.replaceChildren(
      tag('div', { id: 'clock' }),
      tag('small', null, `${state.scene + 1} / ${words.scenes.length} · ${state.beat + 1} / ${scene.beats.length}`),
      tag('h1', null, scene.title),
      tag('p', { id: 'now' }, scene.beats[state.beat].say ?? scene.say ?? ''),
      tag('p', null, tag('small', null, `${words.coming}: ${scene.beats[state.beat + 1]?.chip ?? next?.title ?? '–'}`)),
      button('back', -1),
      button('next', 1),
      tag('p', null, tag('small', null, words.keys)),
    );
    this.clock();
  }

  clock() {
    if (!this.window || this.window.closed) {
      clearInterval(this.timer);
      return;
    }
    const seconds = Math.floor((Date.now() - this.theatre.started) / 1000);
    const told = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    const clock = this.window.document.getElementById('clock');
    if (clock)
      clock.textContent = `${told}  ·  ${new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}`;
  }
}
