// @ts-check
/* global NEW_SESSION, FILE_URLS_RESPONSE, RERUN_SCRIPT, FILE_URLS_REQUEST */
// Runs before the page's own scripts. Notes when the page last changed, asked its server for a run, or drew on a canvas,
// what it still waits for, and when a message came or went; `still.js` reads it. The capital words are field numbers of Streamlit's messages.
(() => {
  const now = () => performance.now();
  /** @type {Window['noted']} */
  const noted = (window.noted = { changed: now(), asked: 0, begun: 0, drawn: 0, awaited: 0, frames: [] });
  const fields = function* (message) {
    // the field numbers at the top of a protobuf message
    const bytes = new Uint8Array(message);
    let at = 0;
    const number = () => {
      let value = 0;
      for (let power = 1; ; power *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * power;
        if (byte < 128) return value;
      }
    };
    while (at < bytes.length) {
      const [field, kind] = (tag => [tag >> 3, tag & 7])(number());
      yield field;
      const size = kind === 2 || kind === 0 ? number() : kind === 1 ? 8 : 4;
      if (kind !== 0) at += size;
    }
  };
  window.WebSocket = class extends WebSocket {
    /** @param {[any, any]} given */
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        noted.changed = now();
        noted.frames.push(now());
        for (const field of fields(data)) {
          if (field === NEW_SESSION) noted.begun = now();
          if (field === FILE_URLS_RESPONSE) noted.awaited -= 1;
        }
      });
    }
    send(data) {
      noted.frames.push(now());
      for (const field of fields(data)) {
        if (field === RERUN_SCRIPT) noted.asked = now();
        if (field === FILE_URLS_REQUEST) noted.awaited += 1;
      }
      super.send(data);
    }
  };
  window.Worker = class extends Worker {
    /** @param {[any, any]} given */
    constructor(...given) {
      super(...given);
      this.addEventListener('message', () => {
        noted.drawn = now();
      });
    }
  };
  for (const name of ['fetch', 'createImageBitmap']) {
    const real = window[name];
    window[name] = (...given) => {
      noted.awaited += 1;
      const answer = real.apply(window, given);
      const done = () => {
        noted.awaited -= 1;
        noted.drawn = now();
      };
      answer.then(done, done);
      return answer;
    };
  }
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...given) {
    // uploads
    noted.awaited += 1;
    this.addEventListener('loadend', () => {
      noted.awaited -= 1;
      noted.changed = now();
    });
    return send.apply(this, given);
  };
  for (const name of ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced']) {
    const real = WebGL2RenderingContext.prototype[name];
    WebGL2RenderingContext.prototype[name] = function (...given) {
      noted.drawn = now();
      return real.apply(this, given);
    };
  }
  new MutationObserver(() => {
    noted.changed = now();
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})();
