/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Runs in the pages of the documentation: the search field, and the sidebar of narrow windows. */
import MiniSearch from './minisearch.mjs';
import { bestPassage, maxResults, searchOptions } from './search-options.mjs';

/**
 * @typedef {object} Found
 * @property {string} id
 * @property {string} title
 * @property {string} section
 * @property {readonly import('./search-options.mjs').Passage[]} passages
 * @property {readonly string[]} terms
 */

/**
 * @template {Element} E
 * @param {string} selector
 * @param {new () => E} type
 * @returns {E}
 */
function find(selector, type) {
  const element = document.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`The page has no ${selector}.`);
  return element;
}

const field = find('.search input', HTMLInputElement);
const list = find('#results', HTMLElement);
const status = find('.search [role="status"]', HTMLElement);
const siteUrl = new URL('..', import.meta.url);

/** @type {Promise<any> | undefined} */
let index;

function loadIndex() {
  index ??= fetch(new URL('site/search.json', siteUrl))
    .then((response) => response.text())
    .then((json) => MiniSearch.loadJSON(json, searchOptions));
  return index;
}

/**
 * @param {string} name
 * @param {string} className
 * @param {string} text
 */
function element(name, className, text) {
  const created = document.createElement(name);
  created.className = className;
  created.textContent = text;
  return created;
}

/**
 * @param {Found} found
 * @param {number} at
 */
function resultOf(found, at) {
  const { heading, slug, excerpt } = bestPassage(found.passages, found.terms);
  const link = document.createElement('a');
  link.className = 'result';
  link.id = `result-${at}`;
  link.setAttribute('role', 'option');
  link.setAttribute('aria-selected', 'false');
  link.tabIndex = -1;
  link.href = new URL(slug === '' ? found.id : `${found.id}#${slug}`, siteUrl).href;
  link.append(
    element('span', 'result-title', slug === '' ? found.title : `${found.title} › ${heading}`),
    element('span', 'result-section', found.section),
    element('span', 'result-detail', excerpt),
  );
  return link;
}

/** @param {boolean} isOpen */
function setOpen(isOpen) {
  list.hidden = !isOpen;
  field.setAttribute('aria-expanded', String(isOpen));
  if (!isOpen) field.removeAttribute('aria-activedescendant');
}

function options() {
  return [...list.querySelectorAll('a')];
}

/** @param {number} at */
function select(at) {
  for (const [index, option] of options().entries()) {
    const isSelected = index === at;
    option.setAttribute('aria-selected', String(isSelected));
    if (!isSelected) continue;
    field.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  }
}

async function search() {
  const text = field.value.trim();
  if (text === '') {
    setOpen(false);
    status.textContent = '';
    return;
  }
  const loaded = await loadIndex();
  // The field may have changed while the index was loading.
  if (field.value.trim() !== text) return;
  const results = loaded.search(text).slice(0, maxResults);
  list.replaceChildren(...results.map(resultOf));
  status.textContent = results.length === 0 ? 'No results.' : `${results.length} results.`;
  if (results.length === 0) {
    const none = element('p', 'result-none', `No results for “${text}”.`);
    none.setAttribute('role', 'option');
    none.setAttribute('aria-disabled', 'true');
    list.append(none);
  }
  setOpen(true);
  select(0);
}

/** @param {number} step */
function move(step) {
  const all = options();
  const current = all.findIndex((option) => option.getAttribute('aria-selected') === 'true');
  if (all.length > 0) select((current + step + all.length) % all.length);
}

/** @type {Readonly<Record<string, () => void>>} */
const keys = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  Enter: () =>
    options()
      .find((option) => option.getAttribute('aria-selected') === 'true')
      ?.click(),
  Escape: () => (list.hidden ? field.blur() : setOpen(false)),
};

field.addEventListener('focus', () => void loadIndex());
field.addEventListener('input', () => void search());
field.addEventListener('keydown', (event) => {
  const act = keys[event.key];
  if (act === undefined || event.isComposing) return;
  event.preventDefault();
  act();
});
list.addEventListener('click', () => setOpen(false));
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || target.closest('.search') === null) setOpen(false);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  field.focus();
  field.select();
});

const menu = find('.menu', HTMLButtonElement);
menu.addEventListener('click', () => {
  const isOpen = menu.getAttribute('aria-expanded') !== 'true';
  menu.setAttribute('aria-expanded', String(isOpen));
  document.body.classList.toggle('is-menu-open', isOpen);
});

const sidebar = find('.sidebar', HTMLElement);
const current = sidebar.querySelector('[aria-current]');
if (current instanceof HTMLElement) sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 2;
