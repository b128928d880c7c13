/**
 * Validates a tool's input and output against its schema. Simple schemas are checked directly; keywords that could take
 * long, such as patterns and references, are checked on a thread that can be terminated.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import type { AnswerProblem, AnswersCapability } from '../../runtime/kernel/capabilities/capabilities.ts';

/**
 * Returns the problems; empty if the value is valid. @throws EngineError `schema.too-slow` | `schema.too-much`; the
 * signal's reason
 */
export type SchemaCheck = (value: JsonValue, signal: AbortSignal) => Promise<readonly AnswerProblem[]>;

const checks = new WeakMap<JsonMap, SchemaCheck>();

/** Returns the check for a schema, created once. */
export function schemaCheckOf(schema: JsonMap, answers: AnswersCapability): SchemaCheck {
  let check = checks.get(schema);
  if (check === undefined) {
    check = isPlain(schema) ? async (value) => problemsIn(value, schema) : inThread(schema, answers);
    checks.set(schema, check);
  }
  return check;
}

function inThread(schema: JsonMap, answers: AnswersCapability): SchemaCheck {
  return async (value, signal) => {
    const read = await answers.read({ text: JSON.stringify(value), find: 'whole', schema }, signal);
    if ('problems' in read) return read.problems;
    return 'unreadable' in read ? [{ pointer: '', expected: 'JSON', found: read.unreadable.problem }] : [];
  };
}

/** Keywords that do not affect validation. */
const words: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  '$comment',
  '$schema',
]);
const limits: ReadonlySet<string> = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']);
const plain: ReadonlySet<string> = new Set([...words, ...limits, 'type', 'enum', 'required']);

/** Whether a single pass over the value is sufficient. */
function isPlain(schema: JsonValue | undefined, depth = 0): schema is JsonMap {
  if (depth > 20 || !isJsonMap(schema)) return false;
  return Object.entries(schema).every(([key, value]) => {
    if (key === 'properties') return isJsonMap(value) && Object.values(value).every((one) => isPlain(one, depth + 1));
    if (key === 'items') return isPlain(value, depth + 1);
    if (key === 'additionalProperties') return typeof value === 'boolean' || isPlain(value, depth + 1);
    return plain.has(key);
  });
}

const mostProblems = 20;

/** Validates a value against a simple schema. */
function problemsIn(value: JsonValue, schema: JsonMap, pointer = ''): readonly AnswerProblem[] {
  const { type, enum: choices } = schema;
  const types = (isJsonList(type) ? type : [type]).filter((one) => typeof one === 'string');
  if (types.length > 0 && !types.some((one) => isOfType(one, value))) {
    return [misfit(pointer, value, types.map((one) => typeWords[one] ?? one).join(' or '))];
  }
  if (isJsonList(choices) && !choices.some((one) => jsonEquals(one, value))) {
    return [misfit(pointer, value, `one of ${choices.map((one) => JSON.stringify(one)).join(', ')}`)];
  }
  const own = limitMisfits(value, schema, pointer);
  if (isJsonList(value)) return [...own, ...itemMisfits(value, schema, pointer)].slice(0, mostProblems);
  return isJsonMap(value) ? [...own, ...fieldMisfits(value, schema, pointer)].slice(0, mostProblems) : own;
}

function itemMisfits(value: readonly JsonValue[], { items }: JsonMap, pointer: string): readonly AnswerProblem[] {
  if (!isJsonMap(items)) return [];
  return value.flatMap((item, index) => problemsIn(item, items, `${pointer}/${index}`));
}

function fieldMisfits(value: JsonMap, schema: JsonMap, pointer: string): readonly AnswerProblem[] {
  const { required, properties, additionalProperties } = schema;
  const known = isJsonMap(properties) ? properties : {};
  const missing = (isJsonList(required) ? required : [])
    .filter((name) => typeof name === 'string' && !Object.hasOwn(value, name))
    .map((name) => misfit(`${pointer}/${String(name)}`, undefined, 'a value'));
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const at = `${pointer}/${name}`;
    const rule = Object.hasOwn(known, name) ? known[name] : additionalProperties;
    if (rule === false)
      return [misfit(at, field, `no field with this name (the fields are ${Object.keys(known).join(', ')})`)];
    return isJsonMap(rule) ? problemsIn(field, rule, at) : [];
  });
  return [...missing, ...fields];
}

function limitMisfits(value: JsonValue, schema: JsonMap, pointer: string): readonly AnswerProblem[] {
  const [size, least, most, unit] = measured(value, schema);
  if (typeof least === 'number' && size < least) return [misfit(pointer, value, `at least ${least}${unit}`)];
  return typeof most === 'number' && size > most ? [misfit(pointer, value, `at most ${most}${unit}`)] : [];
}

type MeasuredSize = readonly [size: number, least: JsonValue | undefined, most: JsonValue | undefined, unit: string];

function measured(value: JsonValue, schema: JsonMap): MeasuredSize {
  if (typeof value === 'number') return [value, schema['minimum'], schema['maximum'], ''];
  // JSON Schema counts characters, not UTF-16 code units.
  if (typeof value === 'string')
    return [charactersOf(value, schema), schema['minLength'], schema['maxLength'], ' characters'];
  return isJsonList(value) ? [value.length, schema['minItems'], schema['maxItems'], ' items'] : [0, null, null, ''];
}

function charactersOf(text: string, { minLength, maxLength }: JsonMap): number {
  return minLength === undefined && maxLength === undefined ? 0 : [...text].length;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

function isOfType(type: JsonValue, value: JsonValue): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'array':
      return isJsonList(value);
    case 'object':
      return isJsonMap(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

function misfit(pointer: string, value: JsonValue | undefined, expected: string): AnswerProblem {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return { pointer, expected, found: text.length > 80 ? `${text.slice(0, 79)}…` : text };
}

/** Returns a sentence about all problems. */
export function misfitText(problems: readonly AnswerProblem[]): string {
  return problems
    .map(
      ({ pointer, expected, found }) =>
        `${pointer === '' ? '' : `${pointer.slice(1)}: `}expected ${expected}, found ${found}`,
    )
    .join('; ');
}
