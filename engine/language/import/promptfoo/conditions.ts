/**
 * Converts the assertions of promptfoo that compare the result. Their types:
 * https://www.promptfoo.dev/docs/configuration/expected-outputs/
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { textOf } from './templates.ts';

/** IDs of the nodes of an imported flow. */
export const nodeIds = {
  prompt: 'answer',
  /** Parses the text of the answer as JSON. */
  whole: 'json',
  /** Finds JSON in the text of the answer. */
  part: 'found_json',
} as const;

/** The binding of the text that assertions are about. */
export const answerText = `${nodeIds.prompt}.text`;

/** Conditions for the value of a binding. */
export interface AssertedCondition {
  readonly binding: string;
  readonly matcher: JsonMap;
  /** What is not checked, as sentences. */
  readonly lost?: readonly string[];
}

const listIn = (value: JsonValue | undefined): readonly JsonValue[] =>
  isJsonList(value)
    ? value.map(textOf)
    : textOf(value)
        .split(',')
        .map((part) => part.trim());
const escaped = (value: JsonValue | undefined): string => textOf(value).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

type Matching = (value: JsonValue | undefined) => JsonMap | undefined;

const matchers: ReadonlyMap<string, Matching> = new Map<string, Matching>(
  Object.entries({
    contains: (value) => ({ contains: textOf(value) }),
    'not-contains': (value) => ({ notContains: textOf(value) }),
    'contains-all': (value) => ({ contains: listIn(value) }),
    'contains-any': (value) => ({ containsAny: listIn(value) }),
    'not-contains-any': (value) => ({ notContains: listIn(value) }),
    regex: (value) => pattern('matches', textOf(value)),
    'not-regex': (value) => pattern('notMatches', textOf(value)),
    'starts-with': (value) => ({ matches: `^${escaped(value)}` }),
    'not-starts-with': (value) => ({ notMatches: `^${escaped(value)}` }),
    'word-count': wordCount,
  }),
);

/** Python's way to ignore case is common in configurations. */
function pattern(name: 'matches' | 'notMatches', source: string): JsonMap {
  const rest = /^\(\?i\)([\s\S]*)$/.exec(source)?.[1];
  return rest === undefined ? { [name]: source } : { [name]: rest, ignoreCase: true };
}

function wordCount(value: JsonValue | undefined): JsonMap | undefined {
  const exact = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof exact === 'number') return { minWords: exact, maxWords: exact };
  const { min, max } = isJsonMap(value ?? null) ? (value as JsonMap) : {};
  const limits = {
    ...(min === undefined ? {} : { minWords: Number(min) }),
    ...(max === undefined ? {} : { maxWords: Number(max) }),
  };
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** Converts an assertion that compares; undefined if tests have no such condition. */
export function conditionOf(type: string, value: JsonValue | undefined): AssertedCondition | undefined {
  const name = type.replace(/^(not-)?icontains/, '$1contains');
  const matcher = matchers.get(name)?.(value);
  if (matcher !== undefined)
    return { binding: answerText, matcher: name === type ? matcher : { ...matcher, ignoreCase: true } };
  if (type === 'equals' || type === 'not-equals') return equality(type === 'equals' ? 'equals' : 'notEquals', value);
  return jsonCondition(type, value);
}

function equality(name: 'equals' | 'notEquals', value: JsonValue | undefined): AssertedCondition | undefined {
  const isText = typeof value !== 'object' || value === null;
  if (isText) return { binding: answerText, matcher: { [name]: textOf(value) } };
  // Text that is not JSON is not equal, but has no value with which to compare.
  return name === 'equals' ? { binding: `${nodeIds.whole}.value`, matcher: { equals: value } } : undefined;
}

function jsonCondition(type: string, value: JsonValue | undefined): AssertedCondition | undefined {
  const [, not, kind] = /^(not-)?(is|contains)-json$/.exec(type) ?? [];
  if (kind === undefined) return undefined;
  const node = kind === 'is' ? nodeIds.whole : nodeIds.part;
  const hasSchema = value !== undefined && value !== null && value !== '';
  if (not !== undefined) return hasSchema ? undefined : { binding: `${node}.failed`, matcher: { equals: true } };
  if (!hasSchema) return { binding: `${node}.value`, matcher: { exists: true } };
  if (!isJsonMap(value)) return undefined;
  const unchecked = uncheckedKeywords(value);
  return {
    binding: `${node}.value`,
    matcher: { schema: value },
    lost: unchecked.length === 0 ? [] : [`Tests don't check these keywords of its schema: ${unchecked.join(', ')}.`],
  };
}

const notes = ['title', 'description', 'default', 'examples', '$schema', '$id', '$comment', 'definitions', '$defs'];
const choices = ['$ref', 'const', 'enum', 'anyOf', 'oneOf'];
const byType: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    string: ['minLength', 'maxLength'],
    number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    array: ['items', 'minItems', 'maxItems'],
    object: ['properties', 'required', 'additionalProperties'],
  }),
);

/** Returns the keywords of a JSON Schema that the `schema` condition does not check, such as `pattern` or `additionalProperties: false`, without duplicates. */
function uncheckedKeywords(schema: JsonValue): readonly string[] {
  const found = new Set<string>();
  collect(schema, found);
  return [...found];
}

function collect(schema: JsonValue, found: Set<string>): void {
  if (!isJsonMap(schema)) return;
  const checked = checkedIn(schema);
  for (const key of Object.keys(schema)) if (!checked.has(key)) found.add(key);
  if (schema['additionalProperties'] === false) found.add('additionalProperties: false');
  for (const part of partsOf(schema)) collect(part, found);
}

/** A schema with a choice is checked for the first of these only, and one without a type for nothing. */
function checkedIn(schema: JsonMap): ReadonlySet<string> {
  const only = ['$ref', 'const', 'enum'].find((key) => schema[key] !== undefined);
  if (only !== undefined) return new Set([...notes, only, 'type']);
  const types = isJsonList(schema['type']) ? schema['type'] : [schema['type']];
  const known = types.flatMap((type) => byType.get(String(type)) ?? []);
  if (schema['type'] !== undefined) return new Set([...notes, 'type', ...known]);
  return new Set([...notes, ...choices.filter((key) => schema[key] !== undefined).slice(0, 1)]);
}

function partsOf(schema: JsonMap): readonly JsonValue[] {
  const maps = ['properties', 'definitions', '$defs'].flatMap((key) => {
    const map = schema[key] ?? null;
    return isJsonMap(map) ? Object.values(map) : [];
  });
  const lists = ['anyOf', 'oneOf'].flatMap((key) => (isJsonList(schema[key]) ? schema[key] : []));
  return [...maps, ...lists, schema['items'] ?? null, schema['additionalProperties'] ?? null];
}
