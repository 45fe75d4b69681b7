// @ts-check
// The search field and the list of versions of the documentation site. `pages.js` and `versions.js` bring the data.

const MOST = 12; // pages found
const OF_TITLE = 50; // what a word in a title counts
const OF_TEXT = 20; // and in the text, at most

const home = document.body.dataset.home ?? '';
const field = /** @type {HTMLInputElement} */ (document.querySelector('input'));
const list = /** @type {HTMLElement} */ (document.querySelector('#found'));
const versions = /** @type {HTMLSelectElement} */ (document.querySelector('select'));

/**
 * How well a page answers; 0 where a word is missing.
 * @param {Page} page
 * @param {string[]} words
 */
function scoreOf(page, words) {
  const text = page.text.toLowerCase();
  const title = page.title.toLowerCase();
  let score = 0;
  for (const word of words) {
    const times = text.split(word).length - 1;
    const isTitle = title.includes(word);
    if (!times && !isTitle) return 0;
    score += (isTitle ? OF_TITLE : 0) + Math.min(times, OF_TEXT);
  }
  return score;
}

/** @param {Page} page */
function entryOf({ place, title }) {
  const link = document.createElement('a');
  link.href = home + place;
  link.textContent = title;
  const item = document.createElement('li');
  item.append(link);
  return item;
}

field.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = words.length ? PAGES.map(page => ({ page, score: scoreOf(page, words) })) : [];
  const found = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
  list.replaceChildren(...found.slice(0, MOST).map(({ page }) => entryOf(page)));
  if (words.length && !found.length) list.textContent = 'No page has all of these words.';
});

if (VERSIONS.length > 1) {
  for (const [name, place] of VERSIONS) versions.add(new Option(name, place, false, place === ''));
  versions.hidden = false;
  versions.addEventListener('change', () => {
    location.href = `${home}${versions.value}index.html`;
  });
}
