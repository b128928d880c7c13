/**
 * Interprets a flow file's text for the fast parser: its characters, as UTF-16 codes, its scalars, and how it gives up.
 */
import type { JsonValue } from '../json/json-value.ts';

export const tab = 0x09;
export const lineFeed = 0x0a;
export const space = 0x20;
export const quote = 0x22;
export const hash = 0x23;
export const apostrophe = 0x27;
export const comma = 0x2c;
export const dash = 0x2d;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** NaN represents the end of the text. */
export function isBreakOrBlank(code: number): boolean {
  return code === space || code === lineFeed || Number.isNaN(code);
}

/** Whether plain text in flow style ends before a character that cannot be part of it. */
export function endsPlainInFlow(text: string, position: number): boolean {
  switch (text.charCodeAt(position)) {
    case lineFeed:
    case comma:
    case openBracket:
    case closeBracket:
    case openBrace:
    case closeBrace:
      return true;
    case hash:
      return text.charCodeAt(position - 1) === space;
    case colon:
      return isColonOfKey(text, position);
    case tab:
      return leaveToFullReader();
    default:
      return position >= text.length;
  }
}

/** Whether a colon in flow style ends an unquoted key, where a value is expected. */
function isColonOfKey(text: string, position: number): boolean {
  const next = text.charCodeAt(position + 1);
  return isBreakOrBlank(next) || next === tab || endsPlainInFlow(text, position + 1) ? leaveToFullReader() : false;
}

/** Characters that have no special meaning in YAML. */
const plainStart = /[\p{L}\p{N}_./(+~$]|-[\p{L}\p{N}.-]/uy;

/** Whether unquoted text without a special meaning starts here. */
export function isPlainStart(text: string, position: number): boolean {
  const code = text.charCodeAt(position) | 0x20;
  if (code >= 0x61 && code <= 0x7a) return true;
  plainStart.lastIndex = position;
  return plainStart.test(text);
}

/** Whether a backslash escapes the character at a position. */
export function isEscaped(text: string, position: number): boolean {
  let start = position;
  while (text[start - 1] === '\\') start--;
  return (position - start) % 2 === 1;
}

/** Thrown for text that the fast parser leaves to the full parser. */
export class Unusual extends Error {}

/** @throws Unusual always */
export function leaveToFullReader(): never {
  throw new Unusual();
}

const wholeNumber = /^[-+]?\d+$/;
const fraction = /^[-+]?(?:\.\d+|\d+\.\d*)(?:[eE][-+]?\d+)?$|^[-+]?\d+[eE][-+]?\d+$/;
/** Rare number notations. */
const otherNumber = /^(?:0[ox]|[-+]?\.(?:inf|nan))/i;
const mayBeNumber = /^[-+.\d]/;

const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
const longestWord = 5;

/** Returns the value of unquoted text according to the YAML 1.2 core schema. */
export function plainValue(text: string): JsonValue {
  if (text.length <= longestWord) {
    const word = words.get(text);
    if (word !== undefined) return word;
  }
  if (!mayBeNumber.test(text)) return text;
  if (otherNumber.test(text)) leaveToFullReader();
  if (wholeNumber.test(text)) return exact(Number.parseInt(text, 10));
  return fraction.test(text) ? finite(Number.parseFloat(text)) : text;
}

/**
 * Reads text below its key: `|` keeps its lines, `>` folds them, and `-` removes the trailing line break. `position` is
 * the indicator's position. Returns the text and the start of the line after it.
 */
export function blockText(source: string, position: number, indent: number): { text: string; end: number } {
  const header = /[|>]-?(?= *\n)/y;
  header.lastIndex = position;
  const sign = header.exec(source)?.[0];
  if (sign === undefined) leaveToFullReader();
  const { lines, end } = blockLines(source, source.indexOf('\n', position) + 1, indent);
  const text = sign.startsWith('|') ? lines.join('\n') : folded(lines);
  return { text: sign.endsWith('-') ? text : `${text}\n`, end };
}

/** Returns the lines without their common indentation, and without blank lines at the end. */
function blockLines(source: string, start: number, indent: number): { lines: readonly string[]; end: number } {
  const inner = indentAt(source, start);
  if (inner <= indent || source[start + inner] === '\n') leaveToFullReader();
  const lines: string[] = [];
  let end = start;
  while (end < source.length) {
    const lineEnd = source.indexOf('\n', end);
    // Without a line break at the end of the file, the meaning of `|` is hard to determine.
    if (lineEnd === -1) leaveToFullReader();
    const blanks = indentAt(source, end);
    const isEmpty = end + blanks === lineEnd;
    if ((isEmpty && blanks > inner) || source.charCodeAt(end + blanks) === tab) leaveToFullReader();
    if (!isEmpty && blanks < inner) break;
    lines.push(source.slice(Math.min(end + inner, lineEnd), lineEnd));
    end = lineEnd + 1;
  }
  while (lines.at(-1) === '') lines.pop();
  return { lines, end };
}

function indentAt(source: string, position: number): number {
  let end = position;
  while (source.charCodeAt(end) === 0x20) end++;
  return end - position;
}

/** Joins lines with spaces and keeps blank lines. More deeply indented lines would stay separate. */
function folded(lines: readonly string[]): string {
  let text = '';
  let gap = '';
  for (const line of lines) {
    if (line.startsWith(' ')) leaveToFullReader();
    if (line === '') gap = gap === ' ' ? '\n' : `${gap}\n`;
    else {
      text += gap + line;
      gap = ' ';
    }
  }
  return text;
}

function exact(value: number): number {
  return Number.isSafeInteger(value) ? value : leaveToFullReader();
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : leaveToFullReader();
}
