// @ts-check
// What Streamlit calls: once with the story, and then with the votes, whenever there are new ones.

import { Theatre } from './theatre.js';
import { tag } from './element.js';

/** @type {Theatre | null} */
let current = null;

export default function part({ data, parentElement, setTriggerValue }) {
  if (!data) return undefined;
  if (data.kind === 'ballot') {
    current?.hear(data.ballot);
    return undefined;
  }
  const before = parentElement.querySelector(':scope > .her');
  if (before && current?.root === before) {
    if (current) current.say = said => setTriggerValue('said', said);
    return undefined;
  }
  const root = parentElement.appendChild(tag('section', { 'aria-label': data.story.title }));
  current = new Theatre(root, data.story, { say: said => setTriggerValue('said', said), scene: data.scene });
  const here = current;
  here.resume();
  return () => {
    here.leave();
    root.remove();
    if (current === here) current = null;
  };
}
