import { readFileSync } from 'node:fs';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { bestPassage, searchOptions } from './page/search-options.mjs';
import { fillSections, readPages } from './pages.mjs';
import { buildIndex } from './search-index.mjs';

const root = path.resolve(import.meta.dirname, '../..');

/** Number of phrasings that every how-to page must be found by. */
const phrasingsPerPage = 3;

/** What people type who have not seen the page, by page. */
const searches: Readonly<Record<string, readonly string[]>> =
  parse(readFileSync(path.join(import.meta.dirname, 'searches.yaml'), 'utf8')) ?? {};

describe('the search', async () => {
  const pages = await readPages(root);
  // As in the browser, which loads the index from JSON.
  const json = JSON.stringify(buildIndex(fillSections(pages)));
  const index = MiniSearch.loadJSON(json, searchOptions);

  test.each(
    Object.entries(searches).flatMap(([page, phrasings]) => phrasings.map((phrasing) => [phrasing, page] as const)),
  )('"%s" finds %s among the first three pages', (phrasing, page) => {
    const found = index.search(phrasing).slice(0, 3);
    expect(found.map(({ id }) => id)).toContain(page.replace(/\.md$/, '.html'));
  });

  test('every how-to page has phrasings, and every phrasing a page', () => {
    const howTos = pages.flatMap(({ source }) => (/^docs\/how-to\//.test(source) ? [source.replace('docs/', '')] : []));
    const few = howTos.filter((page) => (searches[page]?.length ?? 0) < phrasingsPerPage);
    const sources = new Set(pages.map(({ source }) => source));
    expect({ few, unknown: Object.keys(searches).filter((page) => !sources.has(`docs/${page}`)) }).toEqual({
      few: [],
      unknown: [],
    });
  });

  test('tolerates endings, typing errors and unfinished words', () => {
    for (const query of ['cassettes', 'casette', 'cass', 'recording cassette']) {
      const found = index.search(query).slice(0, 2);
      expect([query, ...found.map(({ id }) => id)]).toContain('cassettes.html');
    }
  });

  test('a result leads to the part of the page that contains the words', () => {
    const found = index.search('retryOn').find(({ id }) => id === 'nodes/http.request.html');
    expect(bestPassage(found?.['passages'], found?.terms ?? [])).toMatchObject({
      slug: 'config',
      excerpt: expect.stringContaining('retryOn'),
    });
  });
});
