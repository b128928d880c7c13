/**
 * Shows white space that would be invisible: at the ends of a text, repeated, and other kinds than a space.
 */
import { text as words } from './text.ts';

/** A part of a text. With a sign, it is one character of white space. */
export interface MarkedPart {
  readonly text: string;
  readonly sign?: string;
}

const signs: Readonly<Record<string, string>> = { ' ': '·', '\t': '→', '\n': '↵', '\r': '↵' };
const wideSign = '␣';

/** White space at the ends, two or more characters of it inside, and any that is not a space. */
const marked = /^\s+|\s+$|\s{2,}|[^\S ]/g;
/** In text with several lines, only the ends of the whole text. */
const markedEnds = /^[^\S\r\n]+|[^\S\r\n]+$/g;
/** A longer run of white space is not worth more marks. */
const mostMarks = 20;

/** Returns whether white space inside a text is a part of a short value, such as a name, and not of its layout. */
function isShort(text: string): boolean {
  return text.length <= 100;
}

function patternFor(text: string, isInLine: boolean): RegExp {
  if (isShort(text) && (isInLine || !text.trim().includes('\n'))) return marked;
  return markedEnds;
}

/**
 * Splits a text at the white space to mark. A text without any is one part.
 * @param isInLine whether the text is shown in a single line
 */
export function markedParts(text: string, isInLine: boolean): readonly MarkedPart[] {
  const parts: MarkedPart[] = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(patternFor(text, isInLine))) {
    if (index > end) parts.push({ text: text.slice(end, index) });
    for (const sign of run.slice(0, mostMarks)) parts.push({ text: sign, sign: signs[sign] ?? wideSign });
    if (run.length > mostMarks) parts.push({ text: run.slice(mostMarks) });
    end = index + run.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

function kindOf(run: string): keyof typeof words.space.kinds {
  if (/^ +$/.test(run)) return 'space';
  if (/^\t+$/.test(run)) return 'tab';
  if (/^(?:\r?\n)+$/.test(run)) return 'lineEnd';
  return 'other';
}

function named(run: string): string {
  return words.space.kinds[kindOf(run)]({ count: run.replaceAll('\r\n', '\n').length });
}

/** Describes the white space that is marked, for example `Ends with a space`. Undefined if there is none. */
export function spaceWords(text: string): string | undefined {
  const pattern = patternFor(text, true);
  const found = [...text.matchAll(pattern)].map(({ 0: run, index }) => {
    if (index === 0) return words.space.starts({ what: named(run) });
    return index + run.length === text.length
      ? words.space.ends({ what: named(run) })
      : words.space.contains({ what: named(run) });
  });
  return found.length === 0 ? undefined : [...new Set(found)].join('. ');
}
