// @ts-check
// Elements in one expression. Texts are always set as text, never as HTML; **bold** is the only markup.

export function tag(name, properties, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat(3).filter(child => child !== null && child !== undefined));
  return made;
}

export function put(element, ...children) {
  element.replaceChildren(...children.flat().filter(child => child !== null && child !== undefined));
}

export const bold = text =>
  String(text)
    .split('**')
    .map((part, at) => (at % 2 ? tag('strong', null, part) : part));

export const filled = (text, values) => String(text).replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

export function bytes(text) {
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

// A number as a language writes it, with a true minus sign.
export const figure = (value, language, digits = 0) =>
  new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value).replace('-', '−');

export const HER = '#ff6b9d'; // her colour, everywhere

// Whoever asked the system for less motion sees every picture at once.
export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
