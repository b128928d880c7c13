/** The HTML around the text of a page. */
import { relativeUrl } from './markdown.mjs';

/** Blocks scripts, styles and requests of anything but the site's own files. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/** Styles of the pages, without the colors and sizes. */
export const styles = ['base.css', 'frame.css', 'search.css', 'text.css'];

/** Headings up to this number are in the outline with their subheadings. */
const maxDetailedOutline = 24;

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/**
 * @typedef {object} PageParts
 * @property {string} url
 * @property {string} title
 * @property {readonly import('./markdown.mjs').Heading[]} headings
 * @property {readonly import('./pages.mjs').FilledSection[]} sections
 * @property {string} content HTML
 */

/** @param {PageParts} parts */
function sidebar({ url, sections }) {
  const groups = sections.map(({ title, pages }) => {
    const isOpen = pages.some((page) => page.url === url) || title === 'Get started';
    const links = pages.map((page) => {
      const current = page.url === url ? ' aria-current="page"' : '';
      return `<li><a class="page-link" href="${relativeUrl(url, page.url)}"${current}>${escaped(page.label)}</a></li>`;
    });
    return `<details${isOpen ? ' open' : ''}><summary>${escaped(title)}</summary><ul>${links.join('')}</ul></details>`;
  });
  return `<nav class="sidebar" id="sidebar" aria-label="Pages">${groups.join('\n')}</nav>`;
}

/** @param {PageParts} parts */
function outline({ headings }) {
  const inner = headings.filter(({ level }) => level === 2 || level === 3);
  const shown = inner.length <= maxDetailedOutline ? inner : inner.filter(({ level }) => level === 2);
  if (shown.length < 2) return '';
  const links = shown.map(
    ({ level, text, slug }) =>
      `<li data-level="${level}"><a class="outline-link" href="#${slug}">${escaped(text)}</a></li>`,
  );
  return `<nav class="outline" aria-labelledby="outline"><p id="outline">On this page</p><ul>${links.join('')}</ul></nav>`;
}

/** @param {PageParts} parts */
function neighbors({ url, sections }) {
  const all = sections.flatMap(({ pages }) => pages);
  const at = all.findIndex((page) => page.url === url);
  if (at < 0) return '';
  const link = (/** @type {string} */ relation, /** @type {string} */ label, /** @type {number} */ index) => {
    const page = all[index];
    if (page === undefined) return '<span></span>';
    return `<a class="neighbor" rel="${relation}" href="${relativeUrl(url, page.url)}"><small>${label}</small>${escaped(page.label)}</a>`;
  };
  return `<nav class="neighbors" aria-label="Previous and next page">${link('prev', 'Previous', at - 1)}${link('next', 'Next', at + 1)}</nav>`;
}

/** @param {PageParts} parts */
function header({ url }) {
  return `<header class="top">
<button class="menu" type="button" aria-controls="sidebar" aria-expanded="false">Pages</button>
<a class="home" href="${relativeUrl(url, 'index.html')}">Millrace <span>Documentation</span></a>
<search class="search">
<input type="search" role="combobox" aria-label="Search the documentation" aria-expanded="false" aria-controls="results"
 aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search"><kbd>/</kbd>
<div class="results" id="results" role="listbox" aria-label="Results" hidden></div>
<p class="visually-hidden" role="status"></p>
</search>
</header>`;
}

/**
 * Returns the HTML of a page.
 * @param {PageParts} parts
 */
export function renderPage(parts) {
  const { url, title, content } = parts;
  const file = (/** @type {string} */ name) => relativeUrl(url, name);
  const name = url === 'index.html' ? title : `${title} - Millrace`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(name)}</title>
${['tokens.css', ...styles].map((style) => `<link rel="stylesheet" href="${file(`site/${style}`)}">`).join('\n')}
<link rel="icon" href="${file('site/icon.svg')}">
<script type="module" src="${file('site/site.mjs')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
${header(parts)}
<div class="frame">
${sidebar(parts)}
<main id="content">
<article>
${content}
</article>
${neighbors(parts)}
</main>
${outline(parts)}
</div>
</body>
</html>
`;
}
