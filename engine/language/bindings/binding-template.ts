/**
 * Parses text with bindings: `{{path}}`, `{{?path}}`, `{{path | default:<json>}}`, and `\{{` for two literal braces.
 */
import { strangeSignHint } from '../../base/strange-signs.ts';
import { readExactJson, unsafeNumberCode, unsafeNumberMessage } from '../json/exact-json.ts';
import type { JsonValue } from '../json/json-value.ts';
import { readPath } from './binding-path.ts';

/** Maximum nesting depth of a default. */
const MAX_DEFAULT_DEPTH = 100;

/** A token in braces. */
export interface Binding {
  readonly path: readonly string[];
  /** Whether a missing path resolves to empty text, or to the default. */
  readonly isOptional: boolean;
  /** Absent if no default is written; `null` is a valid default. */
  readonly default?: JsonValue;
  /** The entire token as written, including braces. */
  readonly source: string;
}

interface BindingProblem {
  readonly code: 'binding.bad-path' | 'binding.bad-default' | 'json.unsafe-number';
  readonly message: string;
  /** The invalid token as written. */
  readonly source: string;
}

/** Parsed text. Literal text and bindings alternate in text order. */
export interface Template {
  readonly parts: readonly (string | Binding)[];
  /** Empty if the text is valid. */
  readonly problems: readonly BindingProblem[];
}

type BindingToken = { readonly end: number } & ({ readonly binding: Binding } | { readonly problem: BindingProblem });

/** Fast path for the most common text: one binding without spaces, a mark or a default, with plain characters only. */
const plainBinding = /^\{\{([\w-]+(?:\.[\w-]+)*)\}\}$/;

/** Parses text with bindings. Never throws: errors are returned as problems. */
export function parseTemplate(text: string): Template {
  const plain = plainBinding.exec(text)?.[1];
  if (plain !== undefined) {
    return { parts: [{ path: plain.split('.'), isOptional: false, source: text }], problems: [] };
  }
  return parseAnyTemplate(text);
}

function parseAnyTemplate(text: string): Template {
  const parts: (string | Binding)[] = [];
  const problems: BindingProblem[] = [];
  let plain = '';
  let position = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', position)) {
    if (open > position && text[open - 1] === '\\') {
      plain += `${text.slice(position, open - 1)}{{`;
      position = open + 2;
      continue;
    }
    plain += text.slice(position, open);
    const token = readToken(text, open);
    position = token.end;
    if ('problem' in token) problems.push(token.problem);
    else {
      if (plain !== '') parts.push(plain);
      plain = '';
      parts.push(token.binding);
    }
  }
  plain += text.slice(position);
  if (plain !== '') parts.push(plain);
  return { parts, problems };
}

const headPattern = /\{\{\s*(\?)?\s*/uy;
const blankPattern = /\s*/uy;
const endPattern = /\}\}/y;
const defaultPattern = /\|\s*default\s*:\s*/y;

function readToken(text: string, open: number): BindingToken {
  const head = matchAt(headPattern, text, open);
  const found = head === null ? undefined : readPath(text, open + head[0].length);
  if (head === null || found === undefined) return badPath(text, open);
  const path = found.segments;
  const isOptional = head[1] === '?';
  const afterPath = found.end + (matchAt(blankPattern, text, found.end)?.[0].length ?? 0);
  if (matchAt(endPattern, text, afterPath) !== null) {
    const end = afterPath + 2;
    return { end, binding: { path, isOptional, source: text.slice(open, end) } };
  }
  const introduction = matchAt(defaultPattern, text, afterPath);
  if (introduction === null) return badPath(text, open);
  const literal = readDefault(text, afterPath + introduction[0].length);
  if (literal === undefined) return badDefault(text, open);
  if ('number' in literal) return unsafeDefault(text, open, literal.number);
  const source = text.slice(open, literal.end);
  return { end: literal.end, binding: { path, isOptional, default: literal.value, source } };
}

interface Default {
  readonly value: JsonValue;
  readonly end: number;
}

/** Reads a JSON literal and the closing braces after it. */
function readDefault(text: string, start: number): Default | { readonly number: string } | undefined {
  const literalEnd = endOfJson(text, start);
  const close = matchAt(/\s*\}\}/y, text, literalEnd);
  const read = readExactJson(text.slice(start, literalEnd));
  if (close === null || read.kind === 'no-json' || read.kind === 'too-deep') return undefined;
  if (read.kind === 'unsafe-number') return Number.isFinite(Number(read.number)) ? read : undefined;
  return { value: read.value, end: literalEnd + close[0].length };
}

const jsonStringPattern = /"(?:[^"\\]|\\.)*"/sy;
const jsonScalarPattern = /[^\s{}[\],|"]*/y;

/** Returns the end of a JSON literal that starts at `start`. Only finds the end; `readExactJson` validates. */
function endOfJson(text: string, start: number): number {
  let depth = 0;
  let position = start;
  do {
    const character = text[position];
    if (character === undefined || depth > MAX_DEFAULT_DEPTH) return text.length;
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    position += lengthOfJsonPart(text, position);
  } while (depth > 0);
  return position;
}

function lengthOfJsonPart(text: string, position: number): number {
  const part = matchAt(text[position] === '"' ? jsonStringPattern : jsonScalarPattern, text, position);
  return Math.max(part?.[0].length ?? 0, 1);
}

function badPath(text: string, open: number): BindingToken {
  const { source, end } = wholeToken(text, open);
  const hint = strangeSignHint(source);
  const problem = source.endsWith('}}')
    ? `${shorten(source)} is not a binding. Write {{node.field}}, {{?node.field}}, {{node["a key"]}} or {{node.field | default:"text"}}, or \\{{ for literal braces.`
    : `The binding ${shorten(source)} is not closed. Close it with }}, or write \\{{ for literal braces.`;
  return { end, problem: { code: 'binding.bad-path', message: problem + hint, source } };
}

function badDefault(text: string, open: number): BindingToken {
  const { source, end } = wholeToken(text, open);
  const message = `The default in ${shorten(source)} is not JSON. Put text in double quotes: default:"text".${strangeSignHint(source)}`;
  return { end, problem: { code: 'binding.bad-default', message, source } };
}

/** An invalid token extends to the next closing braces or to the end of the text. */
function wholeToken(text: string, open: number): { source: string; end: number } {
  const close = text.indexOf('}}', open);
  const end = close === -1 ? text.length : close + 2;
  return { source: text.slice(open, end), end };
}

function shorten(source: string): string {
  return source.length <= 60 ? source : `${source.slice(0, 57)}...`;
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

function unsafeDefault(text: string, open: number, number: string): BindingToken {
  const { source, end } = wholeToken(text, open);
  const message = unsafeNumberMessage(`The default in ${shorten(source)}`, number);
  return { end, problem: { code: unsafeNumberCode, message, source } };
}
