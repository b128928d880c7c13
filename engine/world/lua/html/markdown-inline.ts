/**
 * Converts the inline content of HTML to markdown.
 */
import type { DefaultTreeAdapterTypes } from 'parse5';
import {
  attributeOf,
  blockTags,
  childrenOf,
  type HtmlChild,
  type HtmlElement,
  isElement,
  textOf,
} from './html-tree.ts';

/** Elements that are never content. */
export const hiddenTags: ReadonlySet<string> = new Set('script style template svg link meta base head'.split(' '));

const markers: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  em: '_',
  i: '_',
  del: '~~',
  s: '~~',
  strike: '~~',
};
const codeTags = new Set('code kbd samp tt'.split(' '));

/** Represents a `br`. Other line breaks become spaces, so the two cannot be confused. */
const lineBreak = '\n';

/**
 * Returns one paragraph. A `br` becomes two spaces and a line break, other whitespace collapses as in browsers, and
 * markdown characters are escaped. Empty if nothing is visible.
 */
export function inlineMarkdown(nodes: readonly HtmlChild[]): string {
  return joinSpaces(rawOf(nodes, [])).split(lineBreak).map(escapeLineStart).join(`  ${lineBreak}`);
}

/** Returns the same as a single line, for headings and table cells. */
export function inlineLine(nodes: readonly HtmlChild[]): string {
  return joinSpaces(rawOf(nodes, [])).replaceAll(lineBreak, ' ');
}

/** Returns a code span with a fence longer than any run of backticks in it. */
function codeSpan(text: string): string {
  const code = text.replaceAll(/\s+/g, ' ').trim();
  if (code === '') return '';
  const fence = '`'.repeat(longestRun(code) + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

/** Returns the length of the longest run of backticks. */
export function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function joinSpaces(raw: string): string {
  return raw
    .replaceAll(/[ \t]{2,}/g, ' ')
    .replaceAll(/ *\n */g, lineBreak)
    .trim();
}

/**
 * @param active markers of the enclosing elements: bold text within bold text gets no second marker, because four
 * asterisks in a row would not be bold
 */
function rawOf(nodes: readonly HtmlChild[], active: readonly string[]): string {
  const parts = nodes.map((node) => (isElement(node) ? rawElement(node, active) : rawText(node)));
  return parts.map((part, index) => (isEmphasis(nodes[index]) ? emphasisBetween(parts, index) : part)).join('');
}

function isEmphasis(node: HtmlChild | undefined): boolean {
  return node !== undefined && isElement(node) && markers[node.tagName] === '_';
}

/** An underscore next to a letter or digit is not a marker in markdown, but an asterisk is. */
function emphasisBetween(parts: readonly string[], index: number): string {
  const part = parts[index] ?? '';
  const isInWord = /[\p{L}\p{N}]$/u.test(parts[index - 1] ?? '') || /^[\p{L}\p{N}]/u.test(parts[index + 1] ?? '');
  return isInWord && /^_.*_$/s.test(part) ? `*${part.slice(1, -1)}*` : part;
}

function rawText(node: HtmlChild): string {
  if (node.nodeName !== '#text') return '';
  return escapeText((node as DefaultTreeAdapterTypes.TextNode).value.replaceAll(/[ \t\n\f\r]+/g, ' '));
}

function rawElement(element: HtmlElement, active: readonly string[]): string {
  const { tagName } = element;
  if (hiddenTags.has(tagName)) return '';
  if (tagName === 'br') return lineBreak;
  if (tagName === 'img') return imageOf(element);
  if (codeTags.has(tagName)) return codeSpan(textOf(element));
  if (tagName === 'a') return linkOf(element, active);
  const marker = markers[tagName];
  if (marker !== undefined && !active.includes(marker)) return marked(element, marker, active);
  const inner = rawOf(childrenOf(element), active);
  // Separates a block within a line, such as a heading in a link, from the surrounding text.
  return blockTags.has(tagName) ? ` ${inner} ` : inner;
}

/** Markers must touch a word, so spaces at the edges move outside. */
function marked(element: HtmlElement, marker: string, active: readonly string[]): string {
  const inner = rawOf(childrenOf(element), [...active, marker]);
  const text = inner.trim();
  if (text === '') return inner;
  const start = inner.indexOf(text);
  return `${inner.slice(0, start)}${marker}${text}${marker}${inner.slice(start + text.length)}`;
}

function linkOf(element: HtmlElement, active: readonly string[]): string {
  const inner = rawOf(childrenOf(element), active);
  const href = attributeOf(element, 'href');
  const text = joinSpaces(inner).replaceAll(lineBreak, ' ');
  if (href === undefined || text === '') return inner;
  const before = /^[ \n]/.test(inner) ? ' ' : '';
  const after = /[ \n]$/.test(inner) ? ' ' : '';
  return `${before}[${text}](${destination(href)}${titleOf(element)})${after}`;
}

function imageOf(element: HtmlElement): string {
  const source = attributeOf(element, 'src') ?? '';
  if (source === '') return '';
  const alt = (attributeOf(element, 'alt') ?? '').replaceAll(/\s+/g, ' ').trim();
  return `![${escapeText(alt)}](${destination(source)}${titleOf(element)})`;
}

function destination(address: string): string {
  const text = address.trim().replaceAll(/[\n\r]+/g, '');
  return /[\s<>]/.test(text)
    ? `<${text.replaceAll(/[<>]/g, (sign) => `\\${sign}`)}>`
    : text.replaceAll(/[()]/g, (sign) => `\\${sign}`);
}

function titleOf(element: HtmlElement): string {
  const title = (attributeOf(element, 'title') ?? '').replaceAll(/\s+/g, ' ').trim();
  return title === '' ? '' : ` "${title.replaceAll('"', '\\"')}"`;
}

/** Escapes text that would be markup. An underscore within a word and an asterisk between spaces need no escape. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\\`[\]]/g, (sign) => `\\${sign}`)
    .replaceAll(/\*/g, (sign, at: number) => (isBetween(text, at, /\s/) ? sign : `\\${sign}`))
    .replaceAll(/_/g, '\\_')
    .replaceAll(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, '_')
    .replaceAll(/~~/g, '\\~\\~')
    .replaceAll(/<(?=[a-z/!?])/gi, '\\<')
    .replaceAll(/&(?=#?\w+;)/g, '\\&');
}

function isBetween(text: string, at: number, pattern: RegExp): boolean {
  return pattern.test(text[at - 1] ?? ' ') && pattern.test(text[at + 1] ?? ' ');
}

/** Escapes characters that would turn the line into a heading, a quote, a list or a rule. */
function escapeLineStart(line: string): string {
  if (/^(?:=+|-+)$/.test(line)) return `\\${line}`;
  return line
    .replace(/^(#{1,6}|[-+*])(?=\s|$)/, '\\$1')
    .replace(/^>/, '\\>')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
