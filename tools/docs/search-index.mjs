/** Builds the search index of the documentation. */
import MiniSearch from 'minisearch';
import { searchOptions } from './page/search-options.mjs';

/**
 * @param {readonly import('./pages.mjs').FilledSection[]} sections
 * @returns {MiniSearch} an index of their pages
 */
export function buildIndex(sections) {
  const index = new MiniSearch(searchOptions);
  for (const { title: section, pages } of sections) {
    index.addAll(pages.map((page) => documentOf(page, section)));
  }
  return index;
}

/**
 * @param {import('./pages.mjs').Page} page
 * @param {string} section
 */
function documentOf({ url, title, keywords, summary, passages, code }, section) {
  const inner = passages.slice(1);
  return {
    ...{ url, title, section, summary, passages, code },
    keywords: keywords.join(' '),
    headings: inner.map(({ heading }) => heading).join('\n'),
    prose: passages.map(({ prose }) => prose).join('\n'),
  };
}
