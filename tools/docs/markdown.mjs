/**
 * Parses and renders the Markdown of the documentation: heading anchors as on GitHub, links between pages, and
 * highlighted code.
 */
import path from 'node:path';
import hljs from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';
import { rootPages } from './contents.mjs';

/**
 * @typedef {object} Heading
 * @property {number} level 1 to 6
 * @property {string} text without markup
 * @property {string} slug anchor, unique in its page
 */

/**
 * Converts a heading to its anchor, as GitHub does.
 * @param {string} text
 */
function slugOf(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * @param {import('markdown-it').Token | undefined} inline
 * @returns {string} its text without markup
 */
export function plainText(inline) {
  return (inline?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'html_inline' ? '' : content))
    .join('');
}

/**
 * Gives each heading of a token list its anchor, and returns the headings.
 * @param {readonly import('markdown-it').Token[]} tokens
 * @returns {Heading[]}
 */
function headingsOf(tokens) {
  const uses = new Map();
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return [];
    const text = plainText(tokens[at + 1]);
    const base = slugOf(text);
    const earlier = uses.get(base) ?? 0;
    uses.set(base, earlier + 1);
    const slug = earlier === 0 ? base : `${base}-${earlier}`;
    token.attrSet('id', slug);
    return [{ level: Number(token.tag.slice(1)), text, slug }];
  });
}

/**
 * Resolves a link between files of the repository.
 * @param {string} source file with the link, relative to the repository
 * @param {string} href
 * @returns {{ file: string, anchor: string } | undefined} the file, relative to the repository; undefined for a URL
 */
export function resolveLink(source, href) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return undefined;
  const [file = '', anchor = ''] = href.split('#', 2);
  const target = file === '' ? source : path.posix.join(path.posix.dirname(source), decodeURI(file));
  return { file: target.replace(/\/$/, ''), anchor };
}

/**
 * Returns the page of the site that shows a file.
 * @param {string} file relative to the repository
 * @returns {string | undefined} path of the page; undefined if the site has none
 */
export function pageOf(file) {
  if (file === 'README.md') return 'index.html';
  if (rootPages.includes(file)) return file.replace(/\.md$/, '.html');
  return /^docs\/.+\.md$/.test(file) ? file.slice('docs/'.length).replace(/\.md$/, '.html') : undefined;
}

/**
 * @param {string} from path of a page
 * @param {string} to path of another file of the site
 */
export function relativeUrl(from, to) {
  return path.posix.relative(path.posix.dirname(from), to) || path.posix.basename(to);
}

/**
 * @param {string} code
 * @param {string} language name from the fence
 * @returns {string} HTML
 */
function highlight(code, language) {
  const known = hljs.getLanguage(language) === undefined ? 'plaintext' : language;
  return hljs.highlight(code, { language: known, ignoreIllegals: true }).value;
}

/**
 * Returns the caption of a code block: the name of its file, or that it is what a command prints.
 * @param {string} info of the fence
 */
function captionOf(info) {
  const file = /\bfile=("[^"]*"|\S+)/.exec(info)?.[1]?.replaceAll('"', '');
  return file ?? (/^text\s+output\b/.test(info) ? 'Output' : '');
}

/** @param {MarkdownIt} md */
function addCodeBlocks(md) {
  md.renderer.rules.fence = (tokens, at) => {
    const { info = '', content = '' } = tokens[at] ?? {};
    const caption = captionOf(info);
    const code = highlight(content, info.trim().split(/\s+/)[0] ?? '');
    const named = caption === '' ? '' : `<figcaption>${md.utils.escapeHtml(caption)}</figcaption>`;
    // Focusable, because the keyboard must be able to scroll it.
    return `<figure class="code">${named}<pre tabindex="0"><code>${code}</code></pre></figure>\n`;
  };
  md.renderer.rules.code_block = md.renderer.rules.fence;
}

/**
 * Links to pages become relative URLs of the site. A file of the repository that the site doesn't contain stays as
 * text, because a copy of the site doesn't know where the repository is.
 * @param {MarkdownIt} md
 */
function addLinks(md) {
  md.core.ruler.push('page-links', ({ tokens, env }) => {
    for (const { children } of tokens) rewriteLinks(children ?? [], env.source);
  });
}

/**
 * @param {readonly import('markdown-it').Token[]} tokens of a paragraph
 * @param {string} source
 */
function rewriteLinks(tokens, source) {
  let isText = false;
  for (const token of tokens) {
    if (token.type === 'link_open') isText = !rewriteLink(token, source);
    if (isText && /^link_/.test(token.type)) token.tag = 'span';
  }
}

/**
 * @param {import('markdown-it').Token} token
 * @param {string} source
 * @returns {boolean} whether it is still a link
 */
function rewriteLink(token, source) {
  const href = token.attrGet('href') ?? '';
  const target = resolveLink(source, href);
  if (target === undefined) return true;
  const page = pageOf(target.file);
  if (page === undefined) {
    token.attrs = [['title', `${target.file} in the repository`]];
    return false;
  }
  const anchor = target.anchor === '' ? '' : `#${target.anchor}`;
  token.attrSet('href', href.startsWith('#') ? href : relativeUrl(pageOf(source) ?? '', page) + anchor);
  return true;
}

/**
 * Turns headers of columns without a name into ordinary cells, because an empty header has no meaning for a reader.
 * @param {MarkdownIt} md
 */
function addTables(md) {
  md.core.ruler.push('empty-headers', ({ tokens }) => {
    for (const [at, open] of tokens.entries()) {
      const close = tokens[at + 2];
      if (open.type !== 'th_open' || tokens[at + 1]?.content !== '' || close === undefined) continue;
      open.tag = 'td';
      close.tag = 'td';
    }
  });
}

/** Creates the parser and renderer. Rendering needs `env.source`, the path of the file in the repository. */
export function createMarkdown() {
  const md = new MarkdownIt({ html: true });
  addCodeBlocks(md);
  addLinks(md);
  addTables(md);
  md.core.ruler.push('anchors', ({ tokens, env }) => {
    env.headings = headingsOf(tokens);
  });
  return md;
}
