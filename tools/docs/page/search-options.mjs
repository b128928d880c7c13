/**
 * How the search of the documentation reads and ranks words. The build, the pages and the tests use the same options;
 * this file therefore imports nothing.
 */

/** Words that say nothing about what a person looks for. */
const stopWords = new Set(
  (
    'a after an and are as at be by can do does for from get have how i if in into is it its me my of on or our so some that ' +
    'the their them then there this to up use using want was we what when where which who will with without you your'
  ).split(' '),
);

/**
 * Removes endings, so that "calling" and "calls" find "call".
 * @param {string} word lowercase
 */
function stemOf(word) {
  if (word.length < 5) return word.length === 4 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=\w{3})(ing|ed)$/, '')
    .replace(/([bdglmnprt])\1$/, '$1')
    .replace(/e$/, '');
}

/**
 * @param {string} term
 * @returns {string | null} the term for the index; null if it isn't indexed
 */
function processTerm(term) {
  const word = term.toLowerCase();
  return word === '' || stopWords.has(word) ? null : stemOf(word);
}

/** Options of MiniSearch. */
export const searchOptions = {
  idField: 'url',
  fields: ['title', 'keywords', 'headings', 'summary', 'prose', 'code'],
  storeFields: ['title', 'section', 'passages'],
  processTerm,
  searchOptions: {
    boost: { title: 8, keywords: 5, headings: 3, summary: 2, code: 0.4 },
    prefix: (/** @type {string} */ term) => term.length >= 3,
    fuzzy: (/** @type {string} */ term) => (term.length >= 5 ? 0.2 : false),
    weights: { fuzzy: 0.25, prefix: 0.5 },
    /**
     * Prefers pages that are written for a task.
     * @param {string} _id
     * @param {string} _term
     * @param {Record<string, unknown>} [stored]
     */
    boostDocument: (_id, _term, stored) => (/^(How-to|Get started)$/.test(String(stored?.['section'])) ? 1.6 : 1),
  },
};

/** Maximum number of results that are shown. */
export const maxResults = 8;

/**
 * A part of a page between two headings.
 * @typedef {object} Passage
 * @property {string} heading
 * @property {string} slug anchor of the heading; empty for the start of the page
 * @property {string} prose
 */

/** Number of characters before a found word in an excerpt. */
const excerptLead = 40;
const excerptLength = 160;

/**
 * Returns the part of a page that fits the found words best, with an excerpt of its text. A word counts more if it is in
 * few parts, and in a heading.
 * @param {readonly Passage[]} passages not empty
 * @param {readonly string[]} terms found terms of the index
 * @returns {{ heading: string, slug: string, excerpt: string }}
 */
export function bestPassage(passages, terms) {
  const wanted = new Set(terms);
  const found = passages.map(({ heading, prose }) => ({
    inHeading: foundWords(heading, wanted),
    inProse: foundWords(prose, wanted),
  }));
  const weightOf = (/** @type {string} */ term) =>
    1 / found.filter(({ inHeading, inProse }) => inHeading.has(term) || inProse.has(term)).length;
  const total = (/** @type {ReadonlyMap<string, number>} */ words) =>
    [...words.keys()].reduce((sum, term) => sum + weightOf(term), 0);
  const scores = found.map(({ inHeading, inProse }) => 2 * total(inHeading) + total(inProse));
  const best = scores.indexOf(Math.max(...scores));
  const { heading = '', slug = '', prose = '' } = passages[best] ?? {};
  const positions = [...(found[best]?.inProse ?? [])].sort(([one], [other]) => weightOf(other) - weightOf(one));
  return { heading, slug, excerpt: excerptOf(prose, positions[0]?.[1] ?? 0) };
}

/**
 * @param {string} text
 * @param {ReadonlySet<string>} wanted terms
 * @returns {Map<string, number>} the position of each term that the text contains
 */
function foundWords(text, wanted) {
  const found = new Map();
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const term = processTerm(word);
    if (term !== null && wanted.has(term) && !found.has(term)) found.set(term, index);
  }
  return found;
}

/**
 * @param {string} prose
 * @param {number} position of a found word
 */
function excerptOf(prose, position) {
  if (position <= excerptLead) return prose.slice(0, excerptLength);
  const start = prose.indexOf(' ', position - excerptLead) + 1;
  return `…${prose.slice(start, start + excerptLength)}`;
}
