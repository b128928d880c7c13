/**
 * Finds JSON in text that may contain other text, such as a model's response.
 */
import { type JsonNotes, readForeignJson } from '../json/foreign-json.ts';
import type { JsonValue } from '../json/json-value.ts';
import { scanJson, skipBlanks } from './scan-json.ts';
import { splitThoughts } from './thoughts.ts';

/**
 * `whole`: the text contains nothing else. `first` and `last`: the value may be in a code block or surrounded by prose,
 * and a model's thinking is not searched.
 */
export type FindJson = 'whole' | 'first' | 'last';

/** Why text contains no value, and the position of the problem. */
export interface UnreadableJson {
  /** Description of the problem, as a sentence. */
  readonly problem: string;
  /** From 1; columns are in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** Up to 40 characters of the text around the position. */
  readonly around: string;
}

export type FoundJson =
  | { readonly value: JsonValue; readonly notes?: JsonNotes }
  | { readonly unreadable: UnreadableJson };

/** Maximum number of code fences that are searched. */
const maxFences = 20;
const fence = /```[^\n`]*\n([\s\S]*?)\n?[^\S\n]*```/g;

/** Maximum number of values in a response that are compared with its schema. */
const maxValues = 50;
/** Maximum number of characters scanned twice because an apparent value was not one. */
const maxRescanned = 200_000;

/**
 * Parses the JSON value in a text. If there are several, `first` selects the first code fence that contains nothing
 * else, and otherwise the list or map that begins first; `last` selects the list or map that ends last and is not part
 * of another one. A value that is cut off by the end of the text does not count, and neither do values inside it.
 */
export function findJson(text: string, find: FindJson): FoundJson {
  const [found] = find === 'last' ? lastValues(text) : [find === 'first' ? firstValue(text) : wholeValue(text)];
  return found ?? wholeValue(text);
}

function wholeValue(text: string): FoundJson {
  const start = startOf(text);
  const whole = scanJson(text, skipBlanks(text, start));
  if (whole.end === undefined) return { unreadable: unreadableAt(text, whole.at) };
  const rest = skipBlanks(text, whole.end);
  return rest === text.length ? take(text, start, whole) : { unreadable: unreadableAt(text, rest) };
}

/** Returns the position after a byte order mark. */
function startOf(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0;
}

function isWholeValue(text: string): boolean {
  const { end } = scanJson(text, skipBlanks(text, startOf(text)));
  return end !== undefined && skipBlanks(text, end) === text.length;
}

/** Replaces thinking with spaces, so that lines and columns stay the same. A text that is JSON may contain the tags. */
function withoutThoughts(text: string): string {
  if (isWholeValue(text)) return text;
  return splitThoughts(text).ranges.reduce(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(start, end).replace(/[^\n]/g, ' ') + rest.slice(end),
    text,
  );
}

function firstValue(original: string): FoundJson {
  const text = withoutThoughts(original);
  if (isWholeValue(text)) return wholeValue(text);
  const [fenced] = fencedValues(text);
  return fenced === undefined ? findBetweenWords(text, startOf(text)) : take(text, fenced.start, fenced);
}

/**
 * Returns a text's values that are not part of another one, last one first. Returns at least one; if the text has no
 * value, it contains the reason.
 */
export function lastValues(original: string): readonly FoundJson[] {
  const text = withoutThoughts(original);
  if (isWholeValue(text)) return [wholeValue(text)];
  const fenced = [...fencedValues(text)].filter(({ depth }) => depth === 0);
  const spans = [...fenced, ...valuesBetweenWords(text)].sort((a, b) => b.start - a.start);
  if (spans.length === 0) return [findBetweenWords(text, startOf(text))];
  return spans.slice(0, maxValues).map((span) => take(text, span.start, span));
}

interface JsonTextSpan {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/** Yields the code blocks that contain a single value and nothing else. */
function* fencedValues(text: string): Generator<JsonTextSpan> {
  let fences = 0;
  for (const match of text.matchAll(fence)) {
    if (++fences > maxFences) return;
    const inner = match[1] ?? '';
    const scan = scanJson(inner, skipBlanks(inner, 0));
    if (scan.end === undefined || skipBlanks(inner, scan.end) !== inner.length) continue;
    const shift = match.index + match[0].indexOf(inner);
    yield { start: shift + scan.start, depth: scan.depth, end: shift + scan.end };
  }
}

function valuesBetweenWords(text: string): readonly JsonTextSpan[] {
  const spans: JsonTextSpan[] = [];
  let rescanned = 0;
  for (let at = nextOpening(text, startOf(text)); at !== -1; ) {
    const scan = scanJson(text, at);
    if (scan.end === undefined && scan.at >= text.length) break;
    if (scan.end !== undefined) spans.push({ start: at, end: scan.end, depth: scan.depth });
    else rescanned += scan.at - at;
    const next = scan.end ?? (rescanned > maxRescanned ? Math.max(scan.at, at + 1) : at + 1);
    at = nextOpening(text, next);
  }
  return spans;
}

function findBetweenWords(text: string, from: number): FoundJson {
  let failedAt: number | undefined;
  for (let at = nextOpening(text, from); at !== -1; ) {
    const scan = scanJson(text, at);
    if (scan.end !== undefined) return take(text, at, scan);
    if (scan.inner !== undefined && scan.at < text.length) return take(text, scan.inner.start, scan.inner);
    failedAt ??= scan.at;
    if (scan.at >= text.length) break;
    at = nextOpening(text, Math.max(scan.at, at + 1));
  }
  return { unreadable: unreadableAt(text, failedAt ?? from) };
}

function nextOpening(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) return at;
  }
  return -1;
}

function take(text: string, start: number, scan: { readonly end?: number | undefined }): FoundJson {
  const read = readForeignJson(text.slice(start, scan.end));
  if (read.kind !== 'value') return { unreadable: { ...placeOf(text, start), problem: `${read.problem}.` } };
  const { value, notes } = read;
  return notes === undefined ? { value } : { value, notes };
}

function unreadableAt(text: string, at: number): UnreadableJson {
  const problem = at >= text.length ? 'The text ends in the middle of the JSON value.' : 'This is not valid JSON.';
  return { ...placeOf(text, at), problem: text.trim() === '' ? 'The text is empty.' : problem };
}

function placeOf(text: string, at: number): Omit<UnreadableJson, 'problem'> {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let next = before.indexOf('\n'); next !== -1; next = before.indexOf('\n', next + 1)) line++;
  return { line, column: at - lineStart + 1, around: text.slice(Math.max(0, at - 20), at + 20) };
}
