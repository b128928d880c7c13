/**
 * Estimates how many lines a summary will take without a browser, because heights must be known before the first card
 * is rendered. Widths are those of Inter at 12 px and JetBrains Mono at 11 px, rounded up, so that text never needs
 * more room.
 */
import type { SummaryPart } from '../../engine/isomorphic.ts';

const spaceWidth = 3.5;
const monoWidth = 6.65;
const chipPadding = 8;

/** Characters of Inter by width in pixels at 12 px. All others count as `defaultWidth`. */
const letterWidths: readonly (readonly [letters: string, width: number])[] = [
  ["ijl.,:;'|!Il()[]", 3.9],
  ['frt"/-', 5],
  ['mwMW@%', 10.8],
  ['ABCDEGHKNOPQRSTUVXYZ', 8.9],
];
const defaultWidth = 7.1;
/** The first character of the scripts with square characters. */
const firstWideCharacter = 0x1100;
const wideCharacterWidth = 12;

const widthOf = new Map(letterWidths.flatMap(([letters, width]) => [...letters].map((letter) => [letter, width])));

/** Returns the number of lines of a summary in a column of this width in pixels: 0 if it is empty, at most `most`. */
export function countLines(parts: readonly SummaryPart[], columnWidth: number, most: number): number {
  let lines = 0;
  let used = Number.POSITIVE_INFINITY;
  for (const width of wordWidths(parts)) {
    if (used + spaceWidth + width > columnWidth) {
      lines += 1;
      used = Math.min(width, columnWidth);
    } else {
      used += spaceWidth + width;
    }
  }
  return Math.min(lines, most);
}

/** Returns the widths of unbreakable units: words, and chips with adjacent punctuation. */
function wordWidths(parts: readonly SummaryPart[]): number[] {
  const widths: number[] = [];
  let isOpen = false;
  for (const { width, isGlued } of parts.flatMap(splitPart)) {
    const last = widths.at(-1);
    if (isOpen && isGlued && last !== undefined) widths[widths.length - 1] = last + width;
    else if (width > 0) widths.push(width);
    isOpen = width > 0;
  }
  return widths;
}

interface MeasuredTextPart {
  readonly width: number;
  /** Whether the part follows without a space. */
  readonly isGlued: boolean;
}

function splitPart(part: SummaryPart): MeasuredTextPart[] {
  if (typeof part !== 'string') return [{ width: part.chip.length * monoWidth + chipPadding, isGlued: true }];
  const startsGlued = !/^\s/.test(part);
  const words = part.split(/\s+/).filter((word) => word !== '');
  const pieces = words.map((word, index) => ({ width: wordWidth(word), isGlued: index === 0 && startsGlued }));
  return /\s$/.test(part) ? [...pieces, { width: 0, isGlued: false }] : pieces;
}

function wordWidth(word: string): number {
  let width = 0;
  for (const letter of word) {
    const isWide = (letter.codePointAt(0) ?? 0) >= firstWideCharacter;
    width += widthOf.get(letter) ?? (isWide ? wideCharacterWidth : defaultWidth);
  }
  return width;
}
