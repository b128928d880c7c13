/** Reads the Markdown files of the documentation, with their headings, links and text. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { indexFile, rootPages, sections } from './contents.mjs';
import { createMarkdown, pageOf, plainText } from './markdown.mjs';

/**
 * @typedef {object} Page
 * @property {string} source file, relative to the repository
 * @property {string} url path of the page in the site
 * @property {string} title first heading
 * @property {string} label name in the sidebar: the title, unless the front matter has a shorter one
 * @property {readonly import('./markdown.mjs').Heading[]} headings
 * @property {readonly string[]} links targets, as written
 * @property {readonly string[]} images sources, as written
 * @property {readonly string[]} keywords words that a person would search and that the page lacks
 * @property {string} summary first paragraph
 * @property {readonly import('./page/search-options.mjs').Passage[]} passages text without code blocks
 * @property {string} code text of code blocks
 */

/** @typedef {{ title: string, pages: readonly Page[] }} FilledSection */

/**
 * Separates the front matter of a page from its text.
 * @param {string} content
 * @returns {{ data: Record<string, unknown>, text: string }}
 */
function splitFrontMatter(content) {
  const [whole, matter] = /^---\n([\s\S]*?)\n---\n/.exec(content) ?? [];
  return whole === undefined
    ? { data: {}, text: content }
    : { data: parse(matter ?? ''), text: content.slice(whole.length) };
}

/**
 * @param {readonly import('markdown-it').Token[]} tokens
 * @param {string} type
 * @param {string} attribute
 */
function attributesOf(tokens, type, attribute) {
  const all = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
  return all.flatMap((token) => (token.type === type ? [token.attrGet(attribute) ?? ''] : []));
}

/**
 * Splits a page at its headings.
 * @param {readonly import('markdown-it').Token[]} tokens with anchors
 */
function passagesOf(tokens) {
  const passages = [{ heading: '', slug: '', prose: '' }];
  let passage = passages[0];
  let isHeading = false;
  for (const token of tokens) {
    if (token.type === 'heading_open') {
      isHeading = true;
      // The title of the page belongs to the text before the first section.
      if (token.tag !== 'h1') passages.push({ heading: '', slug: token.attrGet('id') ?? '', prose: '' });
      passage = passages.at(-1);
    } else if (token.type === 'inline' && passage !== undefined) {
      if (isHeading) passage.heading = plainText(token);
      else passage.prose += `${plainText(token)} `;
      isHeading = false;
    }
  }
  return passages;
}

/**
 * @param {string} root folder of the repository
 * @param {string} source relative to it
 * @returns {Promise<Page>}
 */
export async function readPage(root, source) {
  const { data, text } = splitFrontMatter(await readFile(path.join(root, source), 'utf8'));
  /** @type {{ headings?: import('./markdown.mjs').Heading[] }} */
  const env = {};
  const md = createMarkdown();
  // Links keep the targets as written.
  md.core.ruler.disable('page-links');
  const tokens = md.parse(text, env);
  const headings = env.headings ?? [];
  const title = headings[0]?.text ?? path.posix.basename(source, '.md');
  const paragraphs = tokens.flatMap((token, at) => (token.type === 'paragraph_open' ? [tokens[at + 1]] : []));
  return {
    source,
    url: pageOf(source) ?? '',
    title,
    label: String(data['label'] ?? title),
    headings,
    links: attributesOf(tokens, 'link_open', 'href'),
    images: attributesOf(tokens, 'image', 'src'),
    keywords: /** @type {string[]} */ (data['keywords'] ?? []),
    summary: plainText(paragraphs[0]),
    passages: passagesOf(tokens),
    code: tokens.flatMap(({ type, content }) => (/^(fence|code_block)$/.test(type) ? [content] : [])).join('\n'),
  };
}

/**
 * @param {string} root folder of the repository
 * @returns {Promise<Page[]>} all pages of the site
 */
export async function readPages(root) {
  const names = await readdir(path.join(root, 'docs'), { recursive: true });
  const files = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.split(path.sep).join('/')}`);
  return Promise.all([...files.sort(), ...rootPages].map((source) => readPage(root, source)));
}

/**
 * Sorts the pages into the sections of the sidebar. Pages of other folders are in none.
 * @param {readonly Page[]} pages
 * @returns {FilledSection[]}
 */
export function fillSections(pages) {
  return sections.flatMap(({ title, folder, order }) => {
    const base = path.posix.join('docs', folder);
    const rank = (/** @type {Page} */ { source }) => {
      const at = order.indexOf(path.posix.basename(source, '.md'));
      return at < 0 ? order.length : at;
    };
    const own = pages.filter(({ source }) => path.posix.dirname(source) === base && source !== indexFile);
    const sorted = own.sort((one, other) => rank(one) - rank(other) || one.label.localeCompare(other.label));
    return sorted.length === 0 ? [] : [{ title, pages: sorted }];
  });
}
