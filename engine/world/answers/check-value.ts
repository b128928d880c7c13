/**
 * Validates a value against a JSON Schema (draft 2020-12) without code generation. May not terminate: patterns in a
 * schema are arbitrary regular expressions, and a schema can apply itself to a value repeatedly. It therefore runs on a
 * thread that can be terminated.
 */
import { type OutputUnit, Validator } from '@cfworker/json-schema';
import { isChangingNumber } from '../../language/json/foreign-json.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import type { JsonSchema } from '../../language/schema/json-schema.ts';
import { pointerSegments, SchemaRefs, valueAt } from '../../language/schema/schema-refs.ts';
import type { AnswerProblem } from '../../runtime/kernel/capabilities/capabilities.ts';

/** Maximum number of reported problems. */
const maxProblems = 20;
const maxShown = 80;

/** Keywords that fail only because a nested keyword failed. */
const outer: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'dependentSchemas',
  'items',
  'prefixItems',
  'unevaluatedItems',
  'allOf',
  'if',
  '$ref',
]);

/** Keywords with alternatives, only one of which must match. */
const choices: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'contains']);

/** Prepares a schema that passes `schemaProblems`. */
export function createValueCheck(schema: JsonSchema): (value: JsonValue) => readonly AnswerProblem[] {
  const validator = new Validator(
    structuredClone(schema) as ConstructorParameters<typeof Validator>[0],
    '2020-12',
    false,
  );
  return (value) => {
    const { valid, errors } = validator.validate(value);
    return valid ? [] : problemsOf(errors, { value, schema: schema === false ? {} : (schema as JsonMap) });
  };
}

interface ValueWithSchema {
  readonly value: JsonValue;
  readonly schema: JsonMap;
}

function problemsOf(errors: readonly OutputUnit[], checked: ValueWithSchema): readonly AnswerProblem[] {
  const told = new Map<string, AnswerProblem>();
  const closed: string[] = [];
  const refs = new SchemaRefs(checked.schema);
  for (const { keyword, keywordLocation, instanceLocation } of errors) {
    if (told.size >= maxProblems) break;
    if (closed.some((place) => keywordLocation.startsWith(place))) continue;
    if (choices.has(keyword)) closed.push(`${keywordLocation}/`);
    if (outer.has(keyword)) continue;
    const pointer = decodeURI(instanceLocation.slice(1));
    const found = valueAt(checked.value, pointerSegments(instanceLocation.slice(1)) ?? []);
    const rule = ruleAt(keywordLocation, checked.schema, refs);
    const expected = expectedBy(keyword, rule, found);
    const key = `${pointer} ${expected}`;
    if (!told.has(key)) told.set(key, { pointer, expected, found: shown(found) });
  }
  return [...told.values()];
}

/** Returns the value of the failed keyword. A location continues in the referenced schema after `$ref`. */
function ruleAt(location: string, schema: JsonMap, refs: SchemaRefs): JsonValue | undefined {
  let at: JsonValue | undefined = schema;
  for (const segment of pointerSegments(location.slice(1)) ?? []) {
    if (at === undefined) return undefined;
    const next: JsonValue | undefined = valueAt(at, [segment]);
    const isRef: boolean = segment === '$ref' && typeof next === 'string';
    at = isRef ? refs.find(next as string) : next;
  }
  return at;
}

/** Returns a phrase that completes "Expected". */
function expectedBy(keyword: string, rule: JsonValue | undefined, found: JsonValue | undefined): string {
  const text = rule === undefined ? '' : shown(rule);
  switch (keyword) {
    case 'false':
      return 'nothing here';
    case 'type':
      return typeExpected(isJsonList(rule) ? rule.map(String) : [String(rule)], found);
    case 'required':
      return `the field ${missingOf(rule, found)}`;
    case 'enum':
      return `one of ${text}`;
    case 'const':
      return text;
    case 'not':
      return `a value that does not match ${text}`;
    case 'anyOf':
      return 'a value that matches one of the alternatives';
    case 'oneOf':
      return 'a value that matches exactly one of the alternatives';
    case 'pattern':
      return `a string that matches ${text}`;
    case 'format':
      return `a string in the format ${String(rule)}`;
    case 'uniqueItems':
      return 'unique items';
    case 'contains':
      return 'an item that matches the schema in contains';
    default:
      return boundOf(keyword, text);
  }
}

/** Numbers that a JavaScript number cannot represent are kept as text; see `readForeignJson`. */
function typeExpected(types: readonly string[], found: JsonValue | undefined): string {
  const expected = types.join(' or ');
  const wantsNumber = types.some((type) => type === 'number' || type === 'integer');
  if (!wantsNumber || typeof found !== 'string' || !/^-?\d/.test(found) || !isChangingNumber(found)) return expected;
  return `${expected} (a number with this many digits is kept as a string so that no digit is lost; allow string too)`;
}

const bounds: Readonly<Record<string, (text: string) => string>> = {
  minimum: (text) => `at least ${text}`,
  maximum: (text) => `at most ${text}`,
  exclusiveMinimum: (text) => `more than ${text}`,
  exclusiveMaximum: (text) => `less than ${text}`,
  multipleOf: (text) => `a multiple of ${text}`,
  minLength: (text) => `at least ${text} characters`,
  maxLength: (text) => `at most ${text} characters`,
  minItems: (text) => `at least ${text} items`,
  maxItems: (text) => `at most ${text} items`,
  minContains: (text) => `at least ${text} items that match the schema in contains`,
  maxContains: (text) => `at most ${text} items that match the schema in contains`,
  minProperties: (text) => `at least ${text} fields`,
  maxProperties: (text) => `at most ${text} fields`,
};

function boundOf(keyword: string, text: string): string {
  return bounds[keyword]?.(text) ?? `a value that satisfies ${keyword}`;
}

function missingOf(rule: JsonValue | undefined, found: JsonValue | undefined): string {
  if (!isJsonList(rule) || !isJsonMap(found)) return '';
  const missing = rule.filter((name) => typeof name === 'string' && !Object.hasOwn(found, name));
  return missing.map((name) => JSON.stringify(name)).join(', ');
}

function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
