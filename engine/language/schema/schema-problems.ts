/**
 * Returns a schema's errors as a flat list in plain language.
 */
import type { z } from 'zod';
import { isJsonList, isJsonMap, type JsonValue } from '../json/json-value.ts';
import { acceptorOf } from './schema-acceptor.ts';

/** Keys and list indexes, outermost first. */
export type ValuePath = readonly (string | number)[];

export interface SchemaMismatch {
  readonly path: ValuePath;
  readonly kind: 'missing' | 'wrong-type' | 'bad-value' | 'unknown-key';
  /** The problem without its path's name: `must be text, not a list`. */
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/**
 * Validates a value. Returns the schema's output, or every problem. A union's problems are those of the alternative
 * that was probably intended.
 */
export function checkAgainst<Output>(
  schema: z.ZodType<Output>,
  value: JsonValue,
):
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly problems: readonly SchemaMismatch[] } {
  const result = schema.safeParse(value, { error: inPlainWords });
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, problems: result.error.issues.flatMap((issue) => flatten(issue, [], value)) };
}

/** Returns all of a value's problems; empty if the schema accepts it. */
export function problemsOf(schema: z.ZodType, value: JsonValue): readonly SchemaMismatch[] {
  if (acceptorOf(schema)(value)) return [];
  const checked = checkAgainst(schema, value);
  return checked.ok ? [] : checked.problems;
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: JsonValue | undefined, path: ValuePath): JsonValue | undefined {
  let current = value;
  for (const segment of path) {
    if (isJsonList(current)) current = current[Number(segment)];
    else if (isJsonMap(current) && Object.hasOwn(current, segment)) current = current[segment];
    else return undefined;
  }
  return current;
}

function flatten(issue: Issue, base: ValuePath, root: JsonValue): readonly SchemaMismatch[] {
  const path = [...base, ...issue.path.filter((segment) => typeof segment !== 'symbol')];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], kind: 'unknown-key', message: 'is not allowed here' }));
  }
  if (issue.code === 'invalid_union') {
    const meant = alternativeMeant(issue.errors, valueAt(root, path));
    if (meant !== undefined) return meant.flatMap((inner) => flatten(inner, path, root));
  }
  return [{ path, kind: kindOf(issue, valueAt(root, path)), message: issue.message }];
}

/**
 * Returns the only alternative with a matching top-level shape, so that its errors are nested deeper; undefined if that
 * is ambiguous.
 */
function alternativeMeant(
  alternatives: readonly (readonly Issue[])[],
  value: JsonValue | undefined,
): readonly Issue[] | undefined {
  const fitting = alternatives.filter((issues) => !issues.some((issue) => isAboutShape(issue, value)));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Whether an issue concerns the value itself or a missing key. */
function isAboutShape({ path, code }: Issue, value: JsonValue | undefined): boolean {
  if (path.length === 0) return true;
  const isOfPresence = code === 'invalid_type' || code === 'invalid_union';
  return path.length === 1 && isOfPresence && valueAt(value, path.map(String)) === undefined;
}

function kindOf(issue: Issue, value: JsonValue | undefined): SchemaMismatch['kind'] {
  if (value === undefined) return 'missing';
  return issue.code === 'invalid_type' && !(issue.expected === 'int' && typeof value === 'number')
    ? 'wrong-type'
    : 'bad-value';
}

const kindWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a map',
  record: 'a map',
  null: 'null',
};

/** Returns the text for zod's own issues. A schema's custom messages take precedence. */
function inPlainWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kindWords[issue.expected] ?? issue.expected}, not ${describeValue(issue.input)}${quotesHint(issue)}`;
    case 'too_small':
      return `must ${boundWords(issue.origin)} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitWords(issue.origin)}`;
    case 'too_big':
      return `must ${boundWords(issue.origin)} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitWords(issue.origin)}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}, not ${describeValue(issue.input)}`;
    case 'invalid_union':
      return unionWords(issue.errors, issue.input);
    default:
      return undefined;
  }
}

function quotesHint({ expected, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const isScalar = typeof input === 'number' || typeof input === 'boolean';
  return expected === 'string' && isScalar ? ', so put it in quotes' : '';
}

function boundWords(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unitWords(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

function unionWords(alternatives: readonly (readonly Issue[])[], input: unknown): string | undefined {
  const expected = alternatives.map(([issue]) =>
    issue?.code === 'invalid_type' && issue.path.length === 0 ? kindWords[issue.expected] : undefined,
  );
  return expected.includes(undefined)
    ? 'does not match any of the allowed forms'
    : `must be ${[...new Set(expected)].join(' or ')}, not ${describeValue(input)}`;
}

function describeValue(value: unknown): string {
  if (value === null) return 'empty (null)';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 40 ? text : `${text.slice(0, 37)}...`;
}
