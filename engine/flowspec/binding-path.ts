/**
 * Paths such as `flow.input.site`, `fetch.body[0].title` or `sheet["first name"]`: how they are written, and what they give.
 */
import { parseJson } from './exact-json.ts';
import { isJsonList, type JsonValue } from './json-value.ts';
import { isMarker, isSkipMarker, isSuggestion, type SkipReason, skipCause } from './markers.ts';
import { nearestWord } from './nearest.ts';
import type { StepValues } from './steps/step-templates.ts';

/**
 * Where bindings and conditions look: `flow` gives `{input}`, a node's id gives its output or marker.
 * A `Map` is one; it also keeps ids such as `constructor` apart from inherited properties.
 */
export interface BindingContext {
  get(root: string): JsonValue | undefined;
  /** Whether a root is a node whose failure the flow tolerates: a condition that asks for it means that, and no data. */
  keepsFailure?(root: string): boolean;
  /** What templates see instead, where the nodes are steps. */
  readonly stepValues?: (() => StepValues) | undefined;
}

/** Letters and digits of any script, and the signs that keys such as `content-type`, `$ref` and `@id` use. */
const plainSegment = /[\p{L}\p{N}\p{M}_$@-]+/uy;
const indexPattern = /^(?:0|[1-9]\d{0,9})$/;
/** An index, or any key as JSON text or between single quotes. */
const bracketed = /\[(?:(0|[1-9]\d{0,9})|("(?:[^"\\]|\\.)*")|'((?:[^'\\]|\\.)*)')\]/suy;

/** A path inside a text. */
interface FoundPath {
  readonly segments: readonly string[];
  /** Where each segment begins and ends, in brackets between them. */
  readonly spans: readonly (readonly [start: number, end: number])[];
  /** Behind the path. */
  readonly end: number;
}

/** The segments of a path. Gives undefined for text that is not a path. */
export function parsePath(text: string): readonly string[] | undefined {
  const found = readPath(text, 0);
  return found?.end === text.length ? found.segments : undefined;
}

/** Reads the path that begins at a place of a text, as far as it goes; undefined when none does. */
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

/** How a path is written: dots between plain segments, all others in brackets. `parsePath` gives the same path for it. */
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
 * What a path gives, or undefined when it is missing: when nothing stands there, and also for `null` and for the marker of
 * a node, that of a body's node in what its loop gave as well. Only own properties and list indexes are followed.
 */
export function lookUp(path: readonly string[], context: BindingContext): JsonValue | undefined {
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

/** The node that a path came to and that gave nothing. */
export interface AbsentNode {
  /** The part of the path that names it: `a`, or `each.iterations[0].outputs.a`. */
  readonly at: string;
  readonly is: 'skipped' | 'failed';
  /** Of a skipped one. */
  readonly reason?: SkipReason;
  /** Of a skipped one, where it is known: the condition that did not hold, with the values it saw, or what an agent said. */
  readonly cause?: string;
  /** Of a failed one: its error's. */
  readonly code?: string;
  readonly message?: string;
}

/** Whose marker stands on the way of a path that is missing, or at its end; undefined when none does. */
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

/** A cause may name another node with its own cause, and so on. */
const longestCause = 300;

function cut(text: string): string {
  return text.length <= longestCause ? text : `${text.slice(0, longestCause - 3)}...`;
}

/** The suggestion that a missing path leads to or through: what would be there is not known. Undefined when there is none. */
export function suggestionOn(path: readonly string[], context: BindingContext): JsonValue | undefined {
  let value = context.get(path[0] ?? '');
  for (let depth = 1; depth < path.length && !isSuggestion(value); depth++) value = stepInto(value, path[depth] ?? '');
  return isSuggestion(value) ? value : undefined;
}

/** How far a path leads that is missing: what stands there, and how many segments lead to it. */
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
  directive: 'its agent asked for that',
  autonomy: 'its autonomy level forbids it',
  suggested: 'it depends on a node whose action was only suggested',
};

/** What an absent node did, for people: `"a" was skipped: it is disabled`. */
export function absenceWords({ at, is, reason, cause, code, message }: AbsentNode): string {
  if (is === 'failed') {
    const by = code === undefined ? '' : ` with ${code}`;
    return `"${at}" failed${by}: ${(message ?? 'it has no message').replace(/\.$/, '')}`;
  }
  const why = reason === undefined ? '' : `: ${skipWords[reason]}`;
  return `"${at}" was skipped${why}${cause === undefined ? '' : ` (${cause})`}`;
}

/** Why a path is missing, for people; goes on behind `because`. */
export function whyMissing(path: readonly string[], context: BindingContext): string {
  const absent = absentNodeOn(path, context);
  if (absent !== undefined) return absenceWords(absent);
  const { value, depth } = lastOn(path, context);
  const at = `"${pathText(path.slice(0, depth))}"`;
  if (value === undefined) return `no node ${at} has given anything before: an edge must lead from it to this node`;
  if (value === null) return `${at} is null`;
  const key = path[depth] ?? '';
  if (isJsonList(value)) return `${at} is a list of ${value.length}, and has no "${key}"`;
  return typeof value === 'object' ? `${at} ${keysBeside(key, Object.keys(value))}` : `${at} is no map and no list`;
}

const mostKeysShown = 10;

function keysBeside(key: string, keys: readonly string[]): string {
  if (keys.length === 0) return 'is empty';
  const meant = nearestWord(key, keys);
  if (meant !== undefined) return `has no "${key}"; it has "${meant}"`;
  const more = keys.length > mostKeysShown ? ` and ${keys.length - mostKeysShown} more` : '';
  return `has no "${key}"; it has ${keys.slice(0, mostKeysShown).join(', ')}${more}`;
}
