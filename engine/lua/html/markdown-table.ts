/**
 * Tables of HTML as tables of markdown.
 */
import { childrenOf, firstElement, type HtmlChild, type HtmlElement, isElement } from './html-tree.ts';
import { inlineLine } from './markdown-inline.ts';

/** Wider columns are not filled up with spaces to the width of their longest cell. */
const maxPadding = 80;

/** Whether a table has headings. One without is there for layout, and its cells are blocks like others. */
export function isDataTable(table: HtmlElement): boolean {
  return firstElement(table, 'th') !== undefined || firstElement(table, 'thead') !== undefined;
}

function isCell(node: HtmlChild): node is HtmlElement {
  return isElement(node) && (node.tagName === 'td' || node.tagName === 'th');
}

/** The rows of a table, not those of tables within it. */
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

/** The width of each column: of its longest cell, within limits. A table may have more rows than a call takes arguments. */
function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const cells of rows) {
    for (const [at, cell] of cells.entries()) widths[at] = Math.min(maxPadding, Math.max(widths[at] ?? 1, cell.length));
  }
  return widths;
}

/** A table of markdown, its caption before it; rows that are shorter than others get empty cells. */
export function tableMarkdown(table: HtmlElement): string {
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
