/**
 * Paths such as `flow.input.site`, `fetch.body[0].title` or `sheet["first name"]`: their syntax and evaluation.
 */

import { nearestWord } from '../findings/nearest.ts';
import { parseJson } from '../json/exact-json.ts';
import { isJsonList, type JsonValue } from '../json/json-value.ts';
import type { StepValues } from '../steps/step-templates.ts';
import { isMarker, isSkipMarker, isSuggestion, type SkipReason, skipCause } from './markers.ts';

/**
 * The roots for bindings and conditions: `flow` resolves to `{input}`, and a node ID to the node's output or marker. A
 * `Map` satisfies this interface and keeps IDs such as `constructor` separate from inherited properties.
 */
export interface BindingContext {
  get(root: string): JsonValue | undefined;
  /**
   * Whether a root is a node with a tolerated failure. A condition on its failure then refers to that failure instead
   * of data.
   */
  keepsFailure?(root: string): boolean;
  /** Values for templates, if the nodes are steps. */
  readonly stepValues?: (() => StepValues) | undefined;
}

/** Letters and digits of any script, and the characters used in keys such as `content-type`, `$ref` and `@id`. */
const plainSegment = /[\p{L}\p{N}\p{M}_$@-]+/uy;
const indexPattern = /^(?:0|[1-9]\d{0,9})$/;
/** An index, or any key as a JSON string or in single quotes. */
const bracketed = /\[(?:(0|[1-9]\d{0,9})|("(?:[^"\\]|\\.)*")|'((?:[^'\\]|\\.)*)')\]/suy;

/** A path in text. */
interface FoundPath {
  readonly segments: readonly string[];
  /** Start and end of each segment. Bracketed segments include the brackets. */
  readonly spans: readonly (readonly [start: number, end: number])[];
  /** Position after the path. */
  readonly end: number;
}

/** Returns a path's segments; undefined if the text is not a path. */
export function parsePath(text: string): readonly string[] | undefined {
  const found = readPath(text, 0);
  return found?.end === text.length ? found.segments : undefined;
}

/** Reads the path that starts at a position in the text, as far as it extends; undefined if there is none. */
export function readPath(text: string, start: number): FoundPath | undefined {
  const segments: string[] = [];
  const spans: [number, number][] = [];
  let end = start;
  const take = (segment: string | undefined, length: number): boolean => {
    if (segment === undefined) return false;
    segments.push(segment);
    spans.push([end, end + length]);
    end += length;
    return true;
  };
  const root = matchAt(plainSegment, text, start)?.[0];
  if (!take(root, root?.length ?? 0)) return undefined;
  for (;;) {
    const bracket = text[end] === '[' ? matchAt(bracketed, text, end) : null;
    if (bracket !== null && take(segmentIn(bracket), bracket[0].length)) continue;
    const plain = text[end] === '.' ? matchAt(plainSegment, text, end + 1)?.[0] : undefined;
    if (plain === undefined) return { segments, spans, end };
    end += 1;
    take(plain, plain.length);
  }
}

function segmentIn([, index, json, single]: RegExpExecArray): string | undefined {
  if (json === undefined) return index ?? single?.replace(/\\(.)/gsu, '$1');
  const key = parseJson(json);
  return typeof key === 'string' ? key : undefined;
}

/**
 * Formats a path: dots between plain segments, brackets around all others. `parsePath` returns the same path for it.
 */
export function pathText([root = '', ...rest]: readonly string[]): string {
  return rest.reduce(
    (text, segment) => text + (isPlainSegment(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`),
    root,
  );
}

function isPlainSegment(segment: string): boolean {
  return matchAt(plainSegment, segment, 0)?.[0].length === segment.length && segment !== '';
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/**
 * Returns the value at a path; undefined if it is missing. `null` and node markers count as missing, including body
 * node markers in a loop's output. Follows only own properties and list indexes.
 */
export function resolveBindingPath(path: readonly string[], context: BindingContext): JsonValue | undefined {
  const [root] = path;
  if (root === undefined) return undefined;
  let value = context.get(root);
  for (let depth = 1; depth < path.length; depth++) value = stepInto(value, path[depth] ?? '');
  return value === null || isMarker(value) ? undefined : value;
}

function stepInto(value: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isJsonList(value)) return indexPattern.test(segment) ? value[Number(segment)] : undefined;
  return Object.hasOwn(value, segment) ? value[segment] : undefined;
}

/** A node without an output on a path. */
export interface AbsentNode {
  /** The part of the path that identifies the node: `a` or `each.iterations[0].outputs.a`. */
  readonly at: string;
  readonly is: 'skipped' | 'failed';
  /** Why it was skipped. */
  readonly reason?: SkipReason;
  /** For a skipped node, if known: the false condition with its values, or the agent's reason. */
  readonly cause?: string;
  /** A failed node's error code. */
  readonly code?: string;
  readonly message?: string;
}

/** Returns the node with a marker on a missing path, or at its end; undefined if there is none. */
export function absentNodeOn(path: readonly string[], context: BindingContext): AbsentNode | undefined {
  const { value, depth } = lastOn(path, context);
  if (!isMarker(value)) return undefined;
  const at = pathText(path.slice(0, depth));
  if (!isSkipMarker(value)) return { at, is: 'failed', code: value.error.code, message: value.error.message };
  const cause = skipCause(value);
  return {
    at,
    is: 'skipped',
    reason: value.reason,
    ...(cause === undefined || cause === '' ? {} : { cause: cut(cause) }),
  };
}

/** Maximum length. A cause may include another node with its own cause, and so on. */
const longestCause = 300;

function cut(text: string): string {
  return text.length <= longestCause ? text : `${text.slice(0, longestCause - 3)}...`;
}

/** Returns the suggestion on a missing path, or at its end, where the value is unknown; undefined if there is none. */
export function suggestionOn(path: readonly string[], context: BindingContext): JsonValue | undefined {
  let value = context.get(path[0] ?? '');
  for (let depth = 1; depth < path.length && !isSuggestion(value); depth++) value = stepInto(value, path[depth] ?? '');
  return isSuggestion(value) ? value : undefined;
}

/** Returns how far a missing path can be followed: the last value, and the number of segments before it. */
function lastOn(path: readonly string[], context: BindingContext): { value: JsonValue | undefined; depth: number } {
  let value = context.get(path[0] ?? '');
  for (let depth = 1; depth < path.length; depth++) {
    const inner = stepInto(value, path[depth] ?? '');
    if (inner === undefined) return { value, depth };
    value = inner;
  }
  return { value, depth: path.length };
}

const skipWords: Readonly<Record<SkipReason, string>> = {
  when: 'its condition was false',
  edge: 'no edge to it was taken',
  disabled: 'it is disabled',
  directive: 'its agent requested the skip',
  autonomy: 'its autonomy level forbids it',
  suggested: 'it depends on a node whose action was only suggested',
};

/** Returns an absent node's state, for display: `"a" was skipped: it is disabled`. */
export function missingValueText({ at, is, reason, cause, code, message }: AbsentNode): string {
  if (is === 'failed') {
    const by = code === undefined ? '' : ` with ${code}`;
    return `"${at}" failed${by}: ${(message ?? 'the error has no message').replace(/\.$/, '')}`;
  }
  const why = reason === undefined ? '' : `: ${skipWords[reason]}`;
  return `"${at}" was skipped${why}${cause === undefined ? '' : ` (${cause})`}`;
}

/** Returns why a path is missing, for display, as a continuation of `because`. */
export function whyMissing(path: readonly string[], context: BindingContext): string {
  const absent = absentNodeOn(path, context);
  if (absent !== undefined) return missingValueText(absent);
  const { value, depth } = lastOn(path, context);
  const at = `"${pathText(path.slice(0, depth))}"`;
  if (value === undefined)
    return `no node ${at} produced an output before this node ran; an edge must lead from it to this node`;
  if (value === null) return `${at} is null`;
  const key = path[depth] ?? '';
  if (isJsonList(value)) return `${at} is a list of length ${value.length} and has no "${key}"`;
  return typeof value === 'object' ? `${at} ${keysBeside(key, Object.keys(value))}` : `${at} is not a map or list`;
}

const mostKeysShown = 10;

function keysBeside(key: string, keys: readonly string[]): string {
  if (keys.length === 0) return 'is empty';
  const meant = nearestWord(key, keys);
  if (meant !== undefined) return `has no "${key}"; it has "${meant}"`;
  const more = keys.length > mostKeysShown ? ` and ${keys.length - mostKeysShown} more` : '';
  return `has no "${key}"; it has ${keys.slice(0, mostKeysShown).join(', ')}${more}`;
}
