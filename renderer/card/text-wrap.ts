/**
 * Breaks summaries with chips and names into lines, for painted text that no browser lays out.
 */
import type { SummaryPart } from '../../engine/isomorphic.ts';

/** The text styles on a canvas. Names are larger at lower zoom levels. */
export type Letters = 'title' | 'titleMiddle' | 'typeMiddle' | 'titleFar' | 'body' | 'meta' | 'mono';

/** Returns the width of text on one line, in pixels at 100 %. */
export type MeasureText = (text: string, letters: Letters) => number;

/** A word or a chip with its position. */
interface PlacedPart {
  readonly text: string;
  readonly isChip: boolean;
  /** Pixels from the start of the line. */
  readonly x: number;
  readonly width: number;
}

export type PlacedLine = readonly PlacedPart[];

interface WrapRoom {
  /** Width of a line in pixels. */
  readonly width: number;
  /** Maximum number of lines. Text that does not fit is truncated with an ellipsis. */
  readonly lines: number;
}

/** Padding on the left and right of a chip's text. */
export const chipPadding = 4;

type WrappablePart = Pick<PlacedPart, 'text' | 'isChip' | 'width'>;

/** Returns the lines of a summary. */
export function wrapParts(parts: readonly SummaryPart[], room: WrapRoom, measure: MeasureText): PlacedLine[] {
  const space = measure(' ', 'body');
  const lines: PlacedPart[][] = [];
  let used = 0;
  for (const unit of unitsOf(parts, measure)) {
    const width = unit.reduce((sum, piece) => sum + piece.width, 0);
    const line = lines.at(-1);
    if (line !== undefined && used + space + width <= room.width) {
      used = put(line, unit, used + space);
      continue;
    }
    if (lines.length === room.lines) {
      // A truncated line already ends with an ellipsis.
      const isCut = line?.at(-1)?.text.endsWith('…') === true;
      if (line !== undefined && !isCut) put(line, cutUnit(unit, room.width - used - space, measure), used + space);
      break;
    }
    lines.push([]);
    used = put(lines.at(-1) ?? [], width > room.width ? cutUnit(unit, room.width, measure) : unit, 0);
  }
  return lines;
}

/** Truncates text to a width and adds an ellipsis. */
export function cutText(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  const letters = [...text];
  let [from, to] = [0, letters.length];
  while (from < to) {
    const half = Math.ceil((from + to) / 2);
    if (measure(`${letters.slice(0, half).join('')}…`) <= width) from = half;
    else to = half - 1;
  }
  return `${letters.slice(0, from).join('').trimEnd()}…`;
}

function put(line: PlacedPart[], unit: readonly WrappablePart[], start: number): number {
  let x = start;
  for (const piece of unit) {
    line.push({ ...piece, x });
    x += piece.width;
  }
  return x;
}

/** Returns the part that fits, or at least an ellipsis, so that the line is recognizable as truncated. */
function cutUnit(unit: readonly WrappablePart[], room: number, measure: MeasureText): WrappablePart[] {
  const kept: WrappablePart[] = [];
  let left = room;
  for (const piece of unit) {
    if (piece.width > left) {
      const around = piece.isChip ? 2 * chipPadding : 0;
      const letters = piece.isChip ? 'mono' : 'body';
      const text = cutText(piece.text, left - around, (some) => measure(some, letters));
      kept.push({ ...piece, text, width: measure(text, letters) + around });
      break;
    }
    kept.push(piece);
    left -= piece.width;
  }
  const last = kept.at(-1);
  return last === undefined || last.text.endsWith('…') ? kept : [...kept, wordOf('…', measure)];
}

/** Returns unbreakable units: words, and chips with adjacent punctuation. */
function unitsOf(parts: readonly SummaryPart[], measure: MeasureText): WrappablePart[][] {
  const units: WrappablePart[][] = [];
  let isGlued = false;
  for (const part of parts) {
    if (typeof part !== 'string') {
      addPiece(units, chipOf(part.chip, measure), isGlued);
      isGlued = true;
      continue;
    }
    const words = part.split(/\s+/).filter((word) => word !== '');
    if (/^\s/.test(part)) isGlued = false;
    for (const word of words) {
      addPiece(units, wordOf(word, measure), isGlued);
      isGlued = false;
    }
    isGlued = words.length > 0 && !/\s$/.test(part);
  }
  return units;
}

function addPiece(units: WrappablePart[][], piece: WrappablePart, isGlued: boolean): void {
  const last = units.at(-1);
  if (isGlued && last !== undefined) last.push(piece);
  else units.push([piece]);
}

function wordOf(text: string, measure: MeasureText): WrappablePart {
  return { text, isChip: false, width: measure(text, 'body') };
}

function chipOf(text: string, measure: MeasureText): WrappablePart {
  return { text, isChip: true, width: measure(text, 'mono') + 2 * chipPadding };
}

interface TitleRoom {
  readonly letters: Letters;
  /** Width of a line. */
  readonly room: number;
  readonly most: number;
}

const known = new Map<string, readonly string[]>();
const mostKnown = 20_000;

/** Breaks a name between words, or within one that is too long, and truncates the rest. Measures each word once. */
export function fitTitle(measure: MeasureText, title: string, { letters, room, most }: TitleRoom): readonly string[] {
  const key = `${letters} ${room} ${title}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const lines = breakTitle(title, { room, most }, (text) => measure(text, letters));
  known.set(key, lines);
  return lines;
}

function breakTitle(
  title: string,
  { room, most }: Omit<TitleRoom, 'letters'>,
  measure: (text: string) => number,
): string[] {
  const fits = (text: string): boolean => measure(text) <= room;
  const lines: string[] = [];
  let rest = title;
  while (rest !== '' && lines.length < most) {
    const isLast = lines.length === most - 1;
    if (fits(rest)) {
      lines.push(rest);
      break;
    }
    const length = longestFitting(rest, isLast ? (text) => fits(`${text}…`) : fits);
    const space = isLast ? -1 : rest.lastIndexOf(' ', length);
    const end = space > 0 ? space : length;
    lines.push(isLast ? `${rest.slice(0, end)}…` : rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return lines;
}

/** Returns at least one character. */
function longestFitting(text: string, fits: (part: string) => boolean): number {
  let [from, to] = [1, text.length];
  while (from < to) {
    const half = Math.ceil((from + to) / 2);
    if (fits(text.slice(0, half))) from = half;
    else to = half - 1;
  }
  return from;
}
