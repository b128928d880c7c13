/**
 * Compares requests with recorded ones. If none matches, finds the most similar request and lists the fields that
 * differ.
 */

import { createHash } from 'node:crypto';
import type { ErrorRecord } from '../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { splitThoughts } from '../../language/schema/thoughts.ts';
import { isTree } from '../../world/secrets/json-text.ts';
import { secretMark } from '../../world/secrets/redactor.ts';

/** The recorded part of an error. */
export type RecordedError = Pick<ErrorRecord, 'code' | 'message' | 'recoverable' | 'details'>;

/** A call and its outcome, without secrets. */
export interface RecordedCall {
  /** The type of call, such as `model` or `http`. */
  readonly kind: string;
  readonly request: JsonValue;
  readonly outcome: { readonly response: JsonValue } | { readonly error: RecordedError };
}

// Treats requests as equal if they differ only where one of them has a removed secret. The set of known secrets can
// differ between runs: a key may not be set during replay, or the one of two parallel calls that reveals a token may
// come later.

/** Returns whether the values are equal. A secret's mark on either side matches any text, and key order is ignored. */
export function equalButSecrets(left: JsonValue, right: JsonValue): boolean {
  if (typeof left === 'string' && typeof right === 'string') return fits(left, right) || fits(right, left);
  if (!isTree(left) || !isTree(right)) return left === right;
  const parts = new Map<string, JsonValue>(Object.entries(right));
  const entries: [string, JsonValue][] = Object.entries(left);
  if (Array.isArray(left) !== Array.isArray(right) || entries.length !== parts.size) return false;
  return entries.every(([name, part]) => {
    const other = parts.get(name);
    return other !== undefined && equalButSecrets(part, other);
  });
}

/**
 * Searches for the parts between the marks one by one, because a regular expression could take very long for large
 * text.
 */
function fits(text: string, pattern: string): boolean {
  if (text === pattern) return true;
  const [first = '', ...others] = pattern.split(secretMark);
  const last = others.pop();
  if (last === undefined || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** Returns the SHA-256 of kind and request in hexadecimal. Ignores key order, and thinking in earlier responses. */
export function requestKey(kind: string, request: JsonValue): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, sorted(withoutThoughts(request))]))
    .digest('hex');
}

/** Cassettes of older versions contain the model's thinking in messages that repeat its responses. */
function withoutThoughts(request: JsonValue): JsonValue {
  const fields = isTree(request) && !Array.isArray(request) ? (request as JsonMap) : {};
  const { messages } = fields;
  if (!Array.isArray(messages)) return request;
  const plain = (messages as readonly JsonValue[]).map((message) => {
    if (!isTree(message) || Array.isArray(message)) return message;
    const { role, content } = message as JsonMap;
    if (role !== 'assistant' || typeof content !== 'string') return message;
    return { ...message, content: splitThoughts(content).text };
  });
  return { ...fields, messages: plain };
}

function sorted(value: JsonValue): JsonValue {
  if (!isTree(value)) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries: [string, JsonValue][] = Object.entries(value);
  // Entries are stored as pairs, because an object would move number-like keys to the front, and inside `map`, to
  // distinguish them from a list of pairs.
  return { map: entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]) };
}

/**
 * A field that differs between two requests, with excerpts of its values; a value is absent if its field is missing.
 */
export interface FieldDifference {
  /** Path such as `messages[0].content`. */
  readonly path: string;
  readonly recorded?: string;
  readonly asked?: string;
}

/** Maximum length of a displayed value, in UTF-16 units. */
const shownLength = 60;
/** Length of the text shown before the first difference. */
const lengthBefore = 15;

/** Returns the differences from the nearest call (of several, the first). Undefined without calls. */
export function nearestDifferences(
  request: JsonValue,
  calls: readonly RecordedCall[],
): readonly FieldDifference[] | undefined {
  const asked = fieldsOf(request);
  let nearest: { readonly fields: ComparedRequestFields; readonly paths: readonly string[] } | undefined;
  for (const call of calls) {
    const fields = fieldsOf(call.request);
    const paths = [...new Set([...fields.keys(), ...asked.keys()])].filter(
      (path) => fields.get(path) !== asked.get(path),
    );
    if (nearest === undefined || paths.length < nearest.paths.length) nearest = { fields, paths };
  }
  return nearest?.paths.map((path) => {
    const recorded = nearest.fields.get(path);
    const now = asked.get(path);
    return {
      path,
      ...(recorded === undefined ? {} : { recorded: excerpt(recorded, now) }),
      ...(now === undefined ? {} : { asked: excerpt(now, recorded) }),
    };
  });
}

type ComparedRequestFields = ReadonlyMap<string, JsonValue>;

function fieldsOf(request: JsonValue): ComparedRequestFields {
  const fields = new Map<string, JsonValue>();
  collect(request, '', fields);
  return fields;
}

function collect(value: JsonValue, path: string, fields: Map<string, JsonValue>): void {
  const parts = isTree(value) ? Object.entries(value) : [];
  if (!isTree(value) || parts.length === 0) {
    // Empty lists and maps are compared as text.
    fields.set(path, isTree(value) ? JSON.stringify(value) : value);
    return;
  }
  const isList = Array.isArray(value);
  for (const [name, part] of parts) {
    const below = isList ? `${path}[${name}]` : `${path}${path === '' ? '' : '.'}${name}`;
    collect(part, below, fields);
  }
}

/** Returns the text of a value; for a long one, the part around the first difference. */
function excerpt(value: JsonValue, other: JsonValue | undefined): string {
  if (typeof value !== 'string' || value.length <= shownLength) return JSON.stringify(value);
  const from = Math.max(0, typeof other === 'string' ? firstDifference(value, other) - lengthBefore : 0);
  const part = value.slice(from, from + shownLength);
  const end = from + shownLength < value.length ? '…' : '';
  return JSON.stringify(`${from > 0 ? '…' : ''}${part}${end}`);
}

function firstDifference(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}
