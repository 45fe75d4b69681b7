// @ts-check
// Elements in one expression: tag('p', {class: 'note'}, 'text'). Texts are always set as text, never as HTML.

const SVG = 'http://www.w3.org/2000/svg';

function fill(made, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter(child => child !== null && child !== undefined));
  return made;
}

export const tag = (name, properties, ...children) => fill(document.createElement(name), properties, children);
export const drawn = (name, properties, ...children) => fill(document.createElementNS(SVG, name), properties, children);

// "one **bold** word" as nodes
export function marked(text) {
  return text.split('**').map((part, at) => (at % 2 ? tag('strong', null, part) : document.createTextNode(part)));
}

export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter(child => child !== null && child !== undefined));
}

export const quiet = words => tag('span', { class: 'dpv-unseen' }, words);
