/**
 * Formats a flow's text. Changes only spaces and blank lines.
 */
import { isAlias, isMap, isSeq, type ParsedNode } from 'yaml';
import { applyEdits, type TextEdit } from '../../../base/text-edit.ts';
import type { JsonMap } from '../../json/json-value.ts';
import { nodePlace } from '../change-flow.ts';
import { refused } from '../raw-flow.ts';
import type { ColumnSpan } from './format-columns.ts';
import { type FormatLeaf, leavesOf } from './format-leaves.ts';
import { formatLines } from './format-lines.ts';
import { lineStart, nextLine } from './source-lines.ts';
import { contentEnd, hasValue, pairsByKey, type YamlText } from './yaml-text.ts';

/** The part that may change: one node, some lines (starting from 1, inclusive), or the entire text. */
interface FormatRange {
  readonly node?: string;
  readonly lines?: { readonly first: number; readonly last: number };
}

/**
 * Returns the edits that format the text: two spaces for each level, one space after `:`, `,` and dashes, `{ a: 1 }`
 * and `[a]`, no trailing spaces, at most one blank line in a row, one line break at the end. The edits are verified:
 * symbols, words, comments and the meaning of the text stay the same.
 * @param text as parsed from its source
 * @param wish the only lines that may change; values that extend beyond them keep their column
 * @throws EngineError `edit.refused` if formatting would require other changes
 */
export function formatEdits(text: YamlText, wish: FormatRange): TextEdit[] {
  const { source } = text;
  const leaves = readLeaves(source);
  const edits = formatLines(source, leaves, partOf(text, wish));
  if (edits.length === 0) return [];
  const formatted = applyEdits(source, edits);
  if (!hasValue(formatted, text.value) || !hasSameLeaves({ source, leaves }, formatted)) throw notSafe();
  return edits;
}

function readLeaves(source: string): readonly FormatLeaf[] {
  const leaves = leavesOf(source);
  if ('code' in leaves) throw notSafe();
  return leaves;
}

/** From the start of a line to the start of the line after it. */
function partOf(text: YamlText, { node, lines }: FormatRange): ColumnSpan {
  const { source } = text;
  if (node !== undefined) return linesAround(source, nodeSpan(text, node));
  if (lines === undefined) return { start: 0, end: source.length };
  const startOf = (line: number): number => {
    let start = 0;
    for (let number = 1; number < line; number++) start = nextLine(source, start) ?? source.length;
    return start;
  };
  return { start: startOf(lines.first), end: startOf(lines.last + 1) };
}

function linesAround(source: string, { start, end }: ColumnSpan): ColumnSpan {
  return { start: lineStart(source, start), end: nextLine(source, end) ?? source.length };
}

function nodeSpan(text: YamlText, id: string): ColumnSpan {
  const { list: key, index } = nodePlace(text.value as JsonMap, id);
  const list = isMap(text.root) ? pairsByKey(text.root).get(key)?.value : undefined;
  const node = isSeq(list) ? (list.items[index] as ParsedNode | undefined) : undefined;
  if (node === undefined || isAlias(node))
    throw refused(`"${id}" is an alias of text elsewhere in the file. Format the whole file instead.`, id);
  return { start: node.range[0], end: contentEnd(text, node) };
}

function hasSameLeaves(
  { source, leaves }: { source: string; leaves: readonly FormatLeaf[] },
  formatted: string,
): boolean {
  const now = leavesOf(formatted);
  if ('code' in now || now.length !== leaves.length) return false;
  return leaves.every((leaf, index) => {
    const same = now[index];
    return same !== undefined && same.kind === leaf.kind && wordOf(source, leaf) === wordOf(formatted, same);
  });
}

/**
 * Returns the word without the indentation of its lines and the line break after it, which the comparison of values
 * covers.
 */
function wordOf(source: string, { kind, start, end }: FormatLeaf): string {
  const word = source.slice(start, end);
  return kind === 'block-text' ? word.replace(/^ +/gm, '').replace(/\r?\n$/, '') : word.replace(/\n +/g, '\n');
}

function notSafe(): Error {
  return refused(
    'The file was not formatted because this could change its meaning. Format single nodes, or fix the indentation by hand.',
  );
}
