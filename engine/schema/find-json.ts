/**
 * JSON in a text that may hold more than it, such as the answer of a model.
 */
import { readExactJson, unsafeNumberMessage } from '../flowspec/exact-json.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { scanJson, skipBlanks } from './scan-json.ts';

/** `whole`: the text is nothing else. `first`: it may stand in a code fence or between words. */
export type FindJson = 'whole' | 'first';

/** Why a text gives no value, and where. */
export interface UnreadableJson {
  /** A sentence. */
  readonly problem: string;
  /** From 1; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** Up to 40 characters of the text around the place. */
  readonly around: string;
}

export type FoundJson = { readonly value: JsonValue } | { readonly unreadable: UnreadableJson };

/** Lists and maps inside each other in a value that is taken: what every later step can still walk through. */
export const maxValueDepth = 500;

/** So many code fences of an answer are looked into. */
const maxFences = 20;
const fence = /```[^\n`]*\n([\s\S]*?)\n?[^\S\n]*```/g;

/**
 * Reads the JSON value of a text. Of several, `first` takes that of the first code fence that holds nothing else, and otherwise
 * the list or map that begins first; one that the text breaks off in is no value, nor is any inside of it.
 */
export function findJson(text: string, find: FindJson): FoundJson {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const whole = scanJson(text, skipBlanks(text, start));
  if (whole.end !== undefined && skipBlanks(text, whole.end) === text.length) return take(text, start, whole);
  if (find === 'whole')
    return { unreadable: unreadableAt(text, whole.end === undefined ? whole.at : skipBlanks(text, whole.end)) };
  let fences = 0;
  for (const match of text.matchAll(fence)) {
    if (++fences > maxFences) break;
    const inner = match[1] ?? '';
    const scan = scanJson(inner, skipBlanks(inner, 0));
    if (scan.end === undefined || skipBlanks(inner, scan.end) !== inner.length) continue;
    const shift = match.index + match[0].indexOf(inner);
    return take(text, shift + scan.start, { depth: scan.depth, end: shift + scan.end });
  }
  return findBetweenWords(text, start);
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

function take(
  text: string,
  start: number,
  scan: { readonly end?: number | undefined; readonly depth: number },
): FoundJson {
  if (scan.depth > maxValueDepth) {
    return { unreadable: { ...placeOf(text, start), problem: `It is nested more than ${maxValueDepth} levels deep.` } };
  }
  const read = readExactJson(text.slice(start, scan.end));
  if (read.kind === 'value') return { value: read.value };
  const problem = read.kind === 'unsafe-number' ? unsafeNumberMessage('It', read.number) : `${read.problem}.`;
  return { unreadable: { ...placeOf(text, start), problem } };
}

function unreadableAt(text: string, at: number): UnreadableJson {
  const problem = at >= text.length ? 'The text ends before the JSON value does.' : 'This is no JSON.';
  return { ...placeOf(text, at), problem: text.trim() === '' ? 'The text is empty.' : problem };
}

function placeOf(text: string, at: number): Omit<UnreadableJson, 'problem'> {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let next = before.indexOf('\n'); next !== -1; next = before.indexOf('\n', next + 1)) line++;
  return { line, column: at - lineStart + 1, around: text.slice(Math.max(0, at - 20), at + 20) };
}
