/**
 * Converts HTML to markdown: headings with `#`, lists with `-`, fenced code, emphasis with underscores, and tables for
 * HTML tables with headings.
 */
import {
  attributeOf,
  blockTags,
  childrenOf,
  firstElement,
  type HtmlChild,
  type HtmlElement,
  isElement,
  parseHtml,
  textOf,
} from './html-tree.ts';
import { hiddenTags, inlineLine, inlineMarkdown, longestRun } from './markdown-inline.ts';

/**
 * Converts a page or a fragment to markdown without surrounding whitespace. The title of the page becomes the first
 * paragraph. Scripts, styles and drawings are removed.
 */
export function htmlToMarkdown(html: string): string {
  const document = parseHtml(html);
  const head = firstElement(document, 'head');
  const body = firstElement(document, 'body');
  const title = head === undefined ? undefined : firstElement(head, 'title');
  return [
    title === undefined ? '' : inlineMarkdown(childrenOf(title)),
    ...(body === undefined ? [] : blocksOf(childrenOf(body))),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

/** Results of `hasBlock`. Without this cache, each nesting level would search the entire subtree again. */
const blockHolders = new WeakMap<HtmlElement, boolean>();

function hasBlock(element: HtmlElement): boolean {
  const known = blockHolders.get(element);
  if (known !== undefined) return known;
  const isHolder = childrenOf(element).some((child) => isElement(child) && (isBlock(child) || hasBlock(child)));
  blockHolders.set(element, isHolder);
  return isHolder;
}

function isBlock(element: HtmlElement): boolean {
  return blockTags.has(element.tagName) && !hiddenTags.has(element.tagName);
}

/** Links and emphasis that contain blocks are written in one line; other elements are only containers. */
const spanTags = new Set('a b strong em i del s strike code button label'.split(' '));

function isContainer(element: HtmlElement): boolean {
  return isBlock(element) || (!spanTags.has(element.tagName) && !hiddenTags.has(element.tagName) && hasBlock(element));
}

/** Returns the blocks of sibling nodes. Text between them becomes paragraphs. No block is empty. */
function blocksOf(nodes: readonly HtmlChild[]): string[] {
  const blocks: string[] = [];
  let run: HtmlChild[] = [];
  const endRun = () => {
    blocks.push(inlineMarkdown(run));
    run = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !isContainer(node)) run.push(node);
    else {
      endRun();
      blocks.push(...blockOf(node));
    }
  }
  endRun();
  return blocks.filter((block) => block !== '');
}

function blockOf(element: HtmlElement): string[] {
  const { tagName } = element;
  const heading = /^h([1-6])$/.exec(tagName)?.[1];
  if (heading !== undefined) return headingOf(element, Number(heading));
  if (tagName === 'hr') return ['* * *'];
  if (tagName === 'pre') return [fenceOf(element)];
  if (tagName === 'ul' || tagName === 'ol') return [listOf(element)];
  if (tagName === 'blockquote') return [quoteOf(element)];
  if (tagName === 'table' && isDataTable(element)) return [tableMarkdown(element)];
  return blocksOf(childrenOf(element));
}

function headingOf(element: HtmlElement, level: number): string[] {
  const text = inlineLine(childrenOf(element));
  return text === '' ? [] : [`${'#'.repeat(level)} ${text}`];
}

function quoteOf(element: HtmlElement): string {
  const inner = blocksOf(childrenOf(element)).join('\n\n');
  return inner === ''
    ? ''
    : inner
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n');
}

/** The language is in a class of the code, for example `language-lua`. */
function fenceOf(element: HtmlElement): string {
  const code = withoutLastLineEnds(textOf(element).replace(/^\n/, ''));
  const holder = firstElement(element, 'code') ?? element;
  const language = /(?:^|\s)(?:language|lang)-(\S+)/.exec(attributeOf(holder, 'class') ?? '')?.[1] ?? '';
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language}\n${code}\n${fence}`;
}

/** A regular expression would retry at each line end inside the text. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

function listOf(list: HtmlElement): string {
  const start = Number.parseInt(attributeOf(list, 'start') ?? '1', 10);
  const items = childrenOf(list)
    .filter(isElement)
    .map((item) => (item.tagName === 'li' ? itemText(item) : itemText(item, list)));
  return items
    .filter((text) => text !== '')
    .map((text, at) => {
      const mark = list.tagName === 'ol' ? `${(Number.isNaN(start) ? 1 : start) + at}. ` : '- ';
      return indented(text, mark);
    })
    .join('\n');
}

/** @param list the list that contains this node directly, although it is not an item; browsers display it as one */
function itemText(item: HtmlElement, list?: HtmlElement): string {
  const parts = list === undefined ? childrenOf(item) : [item];
  let text = '';
  for (const node of groupsOf(parts)) {
    const isList = node.length === 1 && node[0] !== undefined && isListElement(node[0]);
    const block = blocksOf(node).join('\n\n');
    if (block === '') continue;
    if (text !== '') text += isList ? '\n' : '\n\n';
    text += block;
  }
  return text;
}

function isListElement(node: HtmlChild): boolean {
  return isElement(node) && (node.tagName === 'ul' || node.tagName === 'ol');
}

/** Groups nodes: each list by itself, and the nodes between lists together. */
function groupsOf(nodes: readonly HtmlChild[]): HtmlChild[][] {
  const groups: HtmlChild[][] = [[]];
  for (const node of nodes) {
    if (isListElement(node)) groups.push([node], []);
    else groups.at(-1)?.push(node);
  }
  return groups.filter((group) => group.length > 0);
}

function indented(text: string, mark: string): string {
  const indent = ' '.repeat(mark.length);
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? `${mark}${line}` : `${line === '' ? '' : indent}${line}`))
    .join('\n');
}

/** Maximum width to which cells are padded with spaces; longer cells do not widen their column. */
const maxPadding = 80;

/** Whether a table has headings. A table without headings is used for layout, and its cells are converted to blocks. */
function isDataTable(table: HtmlElement): boolean {
  return firstElement(table, 'th') !== undefined || firstElement(table, 'thead') !== undefined;
}

function isCell(node: HtmlChild): node is HtmlElement {
  return isElement(node) && (node.tagName === 'td' || node.tagName === 'th');
}

/** Returns a table's rows, but not those of nested tables. */
function rowsOf(element: HtmlElement): HtmlElement[] {
  return childrenOf(element)
    .filter(isElement)
    .flatMap((child) => {
      if (child.tagName === 'tr') return [child];
      return ['thead', 'tbody', 'tfoot'].includes(child.tagName) ? rowsOf(child) : [];
    });
}

function isHeadRow(row: HtmlElement): boolean {
  const parent = row.parentNode;
  const cells = childrenOf(row).filter(isCell);
  return (
    (parent !== null && parent.nodeName === 'thead') ||
    (cells.length > 0 && cells.every((cell) => cell.tagName === 'th'))
  );
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`;
}

/**
 * Returns each column's width: that of its longest cell, within limits. Uses a loop because a table may have more rows
 * than a call accepts arguments.
 */
function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const cells of rows) {
    for (const [at, cell] of cells.entries()) widths[at] = Math.min(maxPadding, Math.max(widths[at] ?? 1, cell.length));
  }
  return widths;
}

/** Returns a markdown table after its caption. Short rows are filled with empty cells. */
function tableMarkdown(table: HtmlElement): string {
  const rows = rowsOf(table);
  const texts = rows.map((row) =>
    childrenOf(row)
      .filter(isCell)
      .map((cell) => inlineLine(childrenOf(cell)).replaceAll('|', '\\|')),
  );
  const [first] = rows;
  const hasHead = first !== undefined && isHeadRow(first);
  const head = hasHead ? (texts[0] ?? []) : [];
  const body = texts.slice(hasHead ? 1 : 0);
  const widths = widthsOf(texts);
  if (widths.length === 0) return '';
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const lines = [lineOf(head, widths), rule, ...body.map((cells) => lineOf(cells, widths))];
  const caption = firstElement(table, 'caption');
  const title = caption === undefined ? '' : inlineLine(childrenOf(caption));
  return [...(title === '' ? [] : [title, '']), ...lines].join('\n');
}
