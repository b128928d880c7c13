/**
 * Text over several lines that moves with the line in which it begins. What it means does not change.
 */
import type { TextEdit } from '../../base/text-edit.ts';
import type { Span } from './format-columns.ts';
import { lineStart } from './source-lines.ts';

interface Line {
  readonly start: number;
  /** Blanks at its start. */
  readonly blanks: number;
  readonly isEmpty: boolean;
}

function linesIn(source: string, { start, end }: Span): Line[] {
  const lines: Line[] = [];
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

function withBlanks({ start, blanks }: Line, wanted: number): TextEdit[] {
  return wanted === blanks ? [] : [{ start, end: start + blanks, text: ' '.repeat(wanted) }];
}

/**
 * Moves the lines of a `|` or `>` text. Blanks that are part of the text stay, as do all its lines.
 * @param goal `column` for its lines, or `shift` to the right where its header says how deep they are
 */
export function shiftText(
  source: string,
  text: Span,
  goal: { readonly column: number; readonly shift: number },
): TextEdit[] {
  const lines = linesIn(source, text);
  const first = lines.find(({ isEmpty }) => !isEmpty);
  if (first === undefined) return [];
  const isDepthTold = /\d/.test(headerOf(source, text.start));
  const shift = isDepthTold ? goal.shift : goal.column - first.blanks;
  return lines.flatMap((line) => {
    // Up to the depth of the text blanks mean nothing.
    if (line.isEmpty && !isDepthTold && line.blanks <= first.blanks) return withBlanks(line, 0);
    return withBlanks(line, line.isEmpty && line.blanks + shift < 0 ? 0 : line.blanks + shift);
  });
}

/** Whether empty lines at the end of a `|` or `>` text are part of it. @param start of its lines */
export function keepsLines(source: string, start: number): boolean {
  return headerOf(source, start).includes('+');
}

/** The sign of a `|` or `>` text, with what says how it is to be read. @param start of its lines */
function headerOf(source: string, start: number): string {
  return /[|>][-+\d]*(?=[ \t]*(?:#.*)?\r?\n$)/.exec(source.slice(lineStart(source, start - 1), start))?.[0] ?? '';
}

/** Moves the further lines of a text with quotes or without. @param goal `least` = the least deep that a line may stand */
export function shiftWord(
  source: string,
  word: Span,
  { shift, least }: { readonly shift: number; readonly least: number },
): TextEdit[] {
  if (!source.slice(word.start, word.end).includes('\n')) return [];
  const further = linesIn(source, word).slice(1);
  return further.flatMap((line) => (line.isEmpty ? [] : withBlanks(line, Math.max(least, line.blanks + shift))));
}
