/**
 * Computes edits of the spaces and line breaks between the leaves of YAML text. Multi-line text moves with the line in
 * which it starts, and its meaning does not change.
 */
import type { TextEdit } from '../../../base/text-edit.ts';
import { BracketColumns, type ColumnSpan, isInside, LevelColumns, type Neighbours } from './format-columns.ts';
import type { FormatLeaf, LeafKind } from './format-leaves.ts';
import { columnOf, lineEndingAt, lineStart } from './source-lines.ts';

const lineEnds = /\r\n|\n/g;

/** Returns the edits between the leaves of a text, within a part that consists of whole lines. */
export function formatLines(source: string, leaves: readonly FormatLeaf[], part: ColumnSpan): TextEdit[] {
  const pass = new Pass(source, part);
  const neighbours = neighboursOf(leaves);
  for (const [index, leaf] of leaves.entries()) pass.take(leaf, leaves[index - 1], neighbours(index));
  pass.end(leaves.at(-1));
  return pass.edits;
}

class Pass {
  readonly edits: TextEdit[] = [];
  readonly #source: string;
  readonly #part: ColumnSpan;
  readonly #columns: LevelColumns;
  readonly #brackets = new BracketColumns();
  /** How far the line's first leaf moves to the right. */
  #lineShift = 0;

  constructor(source: string, part: ColumnSpan) {
    this.#source = source;
    this.#part = part;
    this.#columns = new LevelColumns(part);
  }

  take(leaf: FormatLeaf, before: FormatLeaf | undefined, neighbours: Neighbours): void {
    const gap = { start: before?.end ?? 0, end: leaf.start };
    if (leaf.kind === 'block-text') {
      this.#trimLine(gap);
      this.#moveText(leaf);
      return;
    }
    let base = this.#columns.content(leaf.level);
    if (before === undefined || this.#endsLine(before) || this.#source.slice(gap.start, gap.end).includes('\n')) {
      base = this.#beginLine(leaf, gap, neighbours);
    } else {
      const blanks = blanksBetween(before, leaf, this.#columns);
      if (blanks !== undefined) this.#replace(gap, ' '.repeat(blanks));
    }
    this.#brackets.pass(leaf, base);
    this.#moveWord(leaf);
  }

  /** Ends the text with one line break after the last leaf. */
  end(last: FormatLeaf | undefined): void {
    if (last === undefined) return;
    const [start, end] = [last.end, this.#source.length];
    const lineEnd = /\r\n|\n/.exec(this.#source.slice(start));
    if (this.#endsLine(last)) this.#replace({ start, end }, '');
    else if (lineEnd !== null) {
      const first = start + lineEnd.index;
      this.#replace({ start, end: first }, '');
      this.#replace({ start: first + lineEnd[0].length, end }, '');
    } else if (last.kind !== 'block-text' || !keepsLines(this.#source, last.start)) {
      this.#replace({ start, end }, lineEndingAt(this.#source, start));
    }
  }

  /** @returns the leaf's column */
  #beginLine(leaf: FormatLeaf, gap: ColumnSpan, neighbours: Neighbours): number {
    const was = columnOf(this.#source, leaf.start);
    const column = isInside(leaf, this.#part) ? this.#columnFor(leaf, neighbours) : was;
    this.#mendLines(gap, column);
    this.#lineShift = column - was;
    this.#brackets.startLine(column);
    return column;
  }

  #columnFor(leaf: FormatLeaf, neighbours: Neighbours): number {
    if (this.#brackets.isInside) return this.#brackets.ofLine(leaf);
    if (leaf.kind === 'comment') return this.#columns.ofComment(this.#source, leaf, neighbours);
    return this.#columns.ofLine(leaf);
  }

  /** Fixes trailing spaces, blank lines, and the indentation of the next line to `column`. */
  #mendLines({ start, end }: ColumnSpan, column: number): void {
    let lineStart = start;
    let emptyLines = 0;
    const isLineStart = start === 0 || this.#source[start - 1] === '\n';
    for (const { index, 0: lineEnd } of this.#source.slice(start, end).matchAll(lineEnds)) {
      const at = start + index;
      const isEmpty = lineStart > start || isLineStart;
      if (isEmpty && emptyLines++ > 0) this.#replace({ start: lineStart, end: at + lineEnd.length }, '');
      else this.#replace({ start: lineStart, end: at }, '');
      lineStart = at + lineEnd.length;
    }
    this.#replace({ start: lineStart, end }, ' '.repeat(column));
  }

  #trimLine({ start, end }: ColumnSpan): void {
    const blanks = /^[ \t]*/.exec(this.#source.slice(start, end))?.[0].length ?? 0;
    this.#replace({ start, end: start + blanks }, '');
  }

  #moveText(leaf: FormatLeaf): void {
    if (!isInside(leaf, this.#part)) return;
    const { level, start, end } = leaf;
    const goal = { column: this.#columns.below(level), shift: this.#columns.shift(level) };
    // Without a surrounding list or map, the indentation of the lines is undefined.
    if (level !== null) for (const edit of shiftText(this.#source, { start, end }, goal)) this.#push(edit);
  }

  #moveWord({ kind, start, end, level }: FormatLeaf): void {
    if (kind !== 'scalar' && kind !== 'single-quoted-scalar' && kind !== 'double-quoted-scalar') return;
    if (!isInside({ start, end }, this.#part)) return;
    const least = level === null ? 0 : this.#columns.of(level) + 1;
    for (const edit of shiftWord(this.#source, { start, end }, { shift: this.#lineShift, least })) this.#push(edit);
  }

  #endsLine({ end }: FormatLeaf): boolean {
    return this.#source[end - 1] === '\n';
  }

  #replace({ start, end }: ColumnSpan, text: string): void {
    this.#push({ start, end, text });
  }

  #push(edit: TextEdit): void {
    if (isInside(edit, this.#part) && this.#source.slice(edit.start, edit.end) !== edit.text) this.edits.push(edit);
  }
}

/** Creates the function that finds the leaves around a leaf, ignoring comments. */
function neighboursOf(leaves: readonly FormatLeaf[]): (index: number) => Neighbours {
  const after: (FormatLeaf | undefined)[] = [];
  const before: (FormatLeaf | undefined)[] = [];
  let next: FormatLeaf | undefined;
  for (let index = leaves.length - 1; index >= 0; index--) {
    after[index] = next;
    if (leaves[index]?.kind !== 'comment') next = leaves[index];
  }
  let last: FormatLeaf | undefined;
  for (const [index, leaf] of leaves.entries()) {
    before[index] = last;
    if (leaf.kind !== 'comment') last = leaf;
  }
  return (index) => ({ before: before[index], after: after[index] });
}

const words: ReadonlySet<LeafKind> = new Set([
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'flow-map-end',
  'flow-seq-end',
]);

/** Returns the number of spaces between neighbors on a line; undefined to keep the current ones. */
function blanksBetween(before: FormatLeaf, after: FormatLeaf, columns: LevelColumns): number | undefined {
  // Comments are often aligned with each other.
  if (after.kind === 'comment') return undefined;
  return beforeSign(before.kind, after.kind) ?? behindSign(before, after, columns);
}

function beforeSign(before: LeafKind, after: LeafKind): number | undefined {
  switch (after) {
    case 'flow-map-end':
      return before === 'flow-map-start' ? 0 : 1;
    case 'flow-seq-end':
      return before === 'anchor' || before === 'tag' ? undefined : 0;
    case 'comma':
      return words.has(before) || before === 'alias' ? 0 : undefined;
    case 'map-value-ind':
      // A colon directly after a name would be part of it.
      return words.has(before) ? 0 : undefined;
    default:
      return undefined;
  }
}

function behindSign(
  { kind, level, isEntry }: FormatLeaf,
  after: FormatLeaf,
  columns: LevelColumns,
): number | undefined {
  switch (kind) {
    case 'flow-map-start':
    case 'comma':
      return 1;
    case 'flow-seq-start':
      return 0;
    case 'map-value-ind':
    case 'seq-item-ind':
    case 'explicit-key-ind': {
      if (after.kind === 'comma') return undefined;
      const beginsLevel = isEntry && after.isEntry && after.level !== null && level !== null && after.level !== level;
      return beginsLevel ? columns.of(after.level) - columns.of(level) - 1 : 1;
    }
    default:
      return undefined;
  }
}

interface FormatLine {
  readonly start: number;
  /** Number of spaces at its start. */
  readonly blanks: number;
  readonly isEmpty: boolean;
}

function linesIn(source: string, { start, end }: ColumnSpan): FormatLine[] {
  const lines: FormatLine[] = [];
  for (let at = start; at < end; ) {
    const lineEnd = source.indexOf('\n', at);
    const stop = lineEnd === -1 || lineEnd >= end ? end : lineEnd;
    const line = source.slice(at, stop);
    const blanks = /^ */.exec(line)?.[0].length ?? 0;
    lines.push({ start: at, blanks, isEmpty: line.slice(blanks).replace('\r', '') === '' });
    at = stop + 1;
  }
  return lines;
}

function withBlanks({ start, blanks }: FormatLine, wanted: number): TextEdit[] {
  return wanted === blanks ? [] : [{ start, end: start + blanks, text: ' '.repeat(wanted) }];
}

/**
 * Moves the lines of `|` or `>` text. Spaces and lines that are part of the text stay.
 * @param goal `column` for its lines, or `shift` to the right if its header sets the indentation
 */
function shiftText(
  source: string,
  text: ColumnSpan,
  goal: { readonly column: number; readonly shift: number },
): TextEdit[] {
  const lines = linesIn(source, text);
  const first = lines.find(({ isEmpty }) => !isEmpty);
  if (first === undefined) return [];
  const isDepthTold = /\d/.test(headerOf(source, text.start));
  const shift = isDepthTold ? goal.shift : goal.column - first.blanks;
  return lines.flatMap((line) => {
    // Spaces up to the indentation of the text have no meaning.
    if (line.isEmpty && !isDepthTold && line.blanks <= first.blanks) return withBlanks(line, 0);
    return withBlanks(line, line.isEmpty && line.blanks + shift < 0 ? 0 : line.blanks + shift);
  });
}

/** Whether blank lines at the end of `|` or `>` text are part of it. @param start offset of its lines */
function keepsLines(source: string, start: number): boolean {
  return headerOf(source, start).includes('+');
}

/** Returns the header of `|` or `>` text. @param start offset of its lines */
function headerOf(source: string, start: number): string {
  return /[|>][-+\d]*(?=[ \t]*(?:#.*)?\r?\n$)/.exec(source.slice(lineStart(source, start - 1), start))?.[0] ?? '';
}

/** Moves the continuation lines of quoted or plain text. @param goal `least`: minimum indentation of a line */
function shiftWord(
  source: string,
  word: ColumnSpan,
  { shift, least }: { readonly shift: number; readonly least: number },
): TextEdit[] {
  if (!source.slice(word.start, word.end).includes('\n')) return [];
  const further = linesIn(source, word).slice(1);
  return further.flatMap((line) => (line.isEmpty ? [] : withBlanks(line, Math.max(least, line.blanks + shift))));
}
