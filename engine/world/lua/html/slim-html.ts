/**
 * Reduces HTML to the parts that a reader or a model needs.
 */
import type { DefaultTreeAdapterTypes } from 'parse5';
import {
  attributeOf,
  blockTags,
  childrenOf,
  type HtmlChild,
  type HtmlElement,
  type HtmlNode,
  isElement,
  parseHtml,
  voidTags,
} from './html-tree.ts';

/** A part of the result: whole lines, or inline text within a line. */
interface RenderedHtmlPart {
  readonly isBlock: boolean;
  readonly lines: readonly string[];
}

const droppedTags = new Set(['script', 'link', 'style', 'svg', 'base', 'template']);
const droppedWhenEmpty = new Set('div span p i b em strong section article header footer nav aside head'.split(' '));
const keptAttributes = new Set(['class', 'aria-label', 'href']);
const keptMetaProperties = ['title', 'url', 'image', 'description'];
const indent = '  ';

/**
 * Removes scripts, styles, links, drawings, comments, attributes other than `class`, `aria-label` and `href`, and
 * elements that are then empty. In the head, the title and the `meta` properties of a title, URL, image or description
 * are kept. The result is indented by two spaces per level. A fragment becomes a page.
 */
export function slimHtml(html: string): string {
  return linesOf(childrenOf(parseHtml(html)).flatMap((child) => piecesOf(child, false))).join('\n');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function piecesOf(node: HtmlChild, isInHead: boolean): RenderedHtmlPart[] {
  if (isElement(node)) return elementPieces(node, isInHead);
  if (node.nodeName === '#documentType') return [{ isBlock: true, lines: [doctypeOf(node)] }];
  if (node.nodeName !== '#text') return [];
  const { value } = node as DefaultTreeAdapterTypes.TextNode;
  return [{ isBlock: false, lines: [escapeText(value.replaceAll(/[ \t\n\f\r]+/g, ' '))] }];
}

function doctypeOf(node: HtmlChild): string {
  const { name, publicId, systemId } = node as DefaultTreeAdapterTypes.DocumentType;
  const keyword = publicId === '' ? ' SYSTEM' : ` PUBLIC "${publicId}"`;
  const ids = systemId === '' ? keyword.replace(' SYSTEM', '') : `${keyword} "${systemId}"`;
  return `<!DOCTYPE ${name}${ids}>`;
}

function isKept(element: HtmlElement, isInHead: boolean): boolean {
  if (droppedTags.has(element.tagName)) return false;
  if (!isInHead || element.tagName === 'title') return true;
  const property = attributeOf(element, 'property')?.toLowerCase() ?? '';
  return element.tagName === 'meta' && keptMetaProperties.some((word) => property.includes(word));
}

function elementPieces(element: HtmlElement, isInHead: boolean): RenderedHtmlPart[] {
  const { tagName } = element;
  if (!isKept(element, isInHead)) return [];
  const open = startTag(element, isInHead);
  const isBlock = blockTags.has(tagName);
  if (voidTags.has(tagName)) return [{ isBlock, lines: [open] }];
  if (tagName === 'pre') return [{ isBlock, lines: [preformatted(element, open)] }];
  const inner = childrenOf(element).flatMap((child) => piecesOf(child, isInHead || tagName === 'head'));
  if (inner.every(isBlank) && droppedWhenEmpty.has(tagName))
    return inner.some(hasText) ? [{ isBlock, lines: [' '] }] : [];
  const close = `</${tagName}>`;
  if (inner.some((piece) => piece.isBlock)) {
    return [{ isBlock: true, lines: [open, ...linesOf(inner).map((line) => `${indent}${line}`), close] }];
  }
  const text = joinText(inner);
  return [{ isBlock, lines: [`${open}${isBlock ? text.trim() : text}${close}`] }];
}

function isBlank(piece: RenderedHtmlPart): boolean {
  return piece.lines.every((line) => line.trim() === '');
}

/** The space between two words must be kept if the element that contained it is removed. */
function hasText(piece: RenderedHtmlPart): boolean {
  return !piece.isBlock && piece.lines.some((line) => line !== '');
}

function joinText(pieces: readonly RenderedHtmlPart[]): string {
  return pieces
    .flatMap((piece) => piece.lines)
    .join('')
    .replaceAll(/ {2,}/g, ' ');
}

/** Returns the lines of sibling pieces. Text without blocks between it shares a line. */
function linesOf(pieces: readonly RenderedHtmlPart[]): string[] {
  const lines: string[] = [];
  let run: RenderedHtmlPart[] = [];
  const endRun = () => {
    const text = joinText(run).trim();
    if (text !== '') lines.push(text);
    run = [];
  };
  for (const piece of pieces) {
    if (!piece.isBlock) run.push(piece);
    else {
      endRun();
      if (!isBlank(piece)) lines.push(...piece.lines);
    }
  }
  endRun();
  return lines;
}

function startTag(element: HtmlElement, isInHead: boolean): string {
  const kept = isInHead ? new Set(element.tagName === 'meta' ? ['property', 'content'] : []) : keptAttributes;
  const attributes = element.attrs
    .filter(({ name }) => kept.has(name))
    .map(({ name, value }) => ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`);
  return `<${element.tagName}${attributes.join('')}>`;
}

/** Preformatted text keeps its spaces and is not indented; only empty lines are removed, as everywhere. */
function preformatted(element: HtmlElement, open: string): string {
  const inner = childrenOf(element).map(verbatim).join('');
  return `${open}${inner}</pre>`
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n');
}

function verbatim(node: HtmlNode): string {
  if (node.nodeName === '#text') return escapeText((node as DefaultTreeAdapterTypes.TextNode).value);
  if (!isElement(node) || droppedTags.has(node.tagName)) return '';
  const inner = childrenOf(node).map(verbatim).join('');
  return `${startTag(node, false)}${inner}${voidTags.has(node.tagName) ? '' : `</${node.tagName}>`}`;
}
