/**
 * Validates JSON Schemas (draft 2020-12) written by people. Keywords and their values:
 * https://json-schema.org/draft/2020-12/json-schema-validation and json-schema-core.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { SchemaRefs } from './schema-refs.ts';

/** A valid schema: `true` allows everything, `false` nothing. */
export type JsonSchema = JsonMap | boolean;

/** A schema's problem and its position. */
export interface SchemaProblem {
  /** Path from the schema's root. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Maximum length of the schema as JSON, in characters, and maximum nesting depth of lists and maps. */
export const maxSchemaLength = 256 * 1024;
export const maxSchemaDepth = 64;

/** Maximum number of reported problems, because one mistake may occur in many places. */
const maxProblems = 20;

const typeNames: ReadonlySet<JsonValue> = new Set([
  'null',
  'boolean',
  'object',
  'array',
  'number',
  'string',
  'integer',
]);

type PlainKind =
  | 'text'
  | 'texts'
  | 'texts-map'
  | 'count'
  | 'number'
  | 'positive'
  | 'flag'
  | 'list'
  | 'map'
  | 'type'
  | 'any'
  | 'refused';

type Kind = PlainKind | 'schema' | 'schemas' | 'schema-map' | 'pattern' | 'pattern-map' | 'ref';

const kinds: Readonly<Record<string, Kind>> = {
  $ref: 'ref',
  $dynamicRef: 'refused',
  $recursiveRef: 'refused',
  $vocabulary: 'map',
  $id: 'refused',
  $anchor: 'text',
  $dynamicAnchor: 'text',
  $schema: 'text',
  $comment: 'text',
  $defs: 'schema-map',
  definitions: 'schema-map',
  type: 'type',
  const: 'any',
  enum: 'list',
  default: 'any',
  examples: 'list',
  title: 'text',
  description: 'text',
  deprecated: 'flag',
  readOnly: 'flag',
  writeOnly: 'flag',
  format: 'text',
  properties: 'schema-map',
  patternProperties: 'pattern-map',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  propertyNames: 'schema',
  required: 'texts',
  dependentRequired: 'texts-map',
  dependentSchemas: 'schema-map',
  minProperties: 'count',
  maxProperties: 'count',
  items: 'schema',
  prefixItems: 'schemas',
  unevaluatedItems: 'schema',
  contains: 'schema',
  minContains: 'count',
  maxContains: 'count',
  minItems: 'count',
  maxItems: 'count',
  uniqueItems: 'flag',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  else: 'schema',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'positive',
  minLength: 'count',
  maxLength: 'count',
  pattern: 'pattern',
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own key; this value is never awaited.
  then: 'schema',
};

type SchemaProblemPath = SchemaProblem['path'];

/**
 * Returns the reasons why a value is not a usable schema: it is too large or too deep, a keyword has an invalid value,
 * or a reference leads out of the schema or is circular. Unknown keywords are allowed, as the draft requires.
 * @returns empty if the schema is usable
 */
export function schemaProblems(schema: JsonValue): readonly SchemaProblem[] {
  if (typeof schema === 'boolean') return [];
  if (!isJsonMap(schema))
    return [{ path: [], message: 'A schema must be true, false or a map such as { type: object }.' }];
  const tooLarge = sizeProblem(schema);
  if (tooLarge !== undefined) return [{ path: [], message: tooLarge }];
  const check = new SchemaValidator(schema);
  check.schema(schema, []);
  return check.problems;
}

function sizeProblem(schema: JsonMap): string | undefined {
  if (depthOf(schema) > maxSchemaDepth)
    return `A schema can have at most ${maxSchemaDepth} levels, but this one has more.`;
  const { length } = JSON.stringify(schema);
  if (length <= maxSchemaLength) return undefined;
  const limit = maxSchemaLength / 1024;
  return `A schema can have at most ${limit} KB, but this one has ${Math.ceil(length / 1024)}.`;
}

/** Returns the nesting depth of lists and maps, up to one above the limit. */
function depthOf(value: JsonValue, above = 0): number {
  if (above > maxSchemaDepth || typeof value !== 'object' || value === null) return above;
  let deepest = above + 1;
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, above + 1));
  return deepest;
}

class SchemaValidator {
  readonly problems: SchemaProblem[] = [];
  readonly #refs: SchemaRefs;
  readonly #ending = new Set<JsonValue>();

  constructor(root: JsonMap) {
    this.#refs = new SchemaRefs(root);
  }

  schema(schema: JsonValue, path: SchemaProblemPath): void {
    if (typeof schema === 'boolean') return;
    if (!isJsonMap(schema)) {
      this.#note(path, 'This must be a schema: true, false or a map such as { type: string }.');
      return;
    }
    for (const [key, value] of Object.entries(schema)) this.#keyword(key, value, [...path, key]);
  }

  #keyword(key: string, value: JsonValue, path: SchemaProblemPath): void {
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
    switch (kind) {
      case 'schema':
        this.schema(value, path);
        return;
      case 'schemas':
        this.#schemas(value, path);
        return;
      case 'schema-map':
      case 'pattern-map':
        this.#schemaMap(value, path, kind === 'pattern-map');
        return;
      case 'ref':
        this.#ref(value, path);
        return;
      case 'pattern':
        this.#pattern(value, path);
        return;
      case undefined:
        return;
      default: {
        const { rule, is } = plainKinds[kind];
        if (!is(value)) this.#note(path, `${key} ${rule}.`);
      }
    }
  }

  #schemas(value: JsonValue, path: SchemaProblemPath): void {
    if (!isJsonList(value) || value.length === 0) {
      this.#note(path, `${path.at(-1)} must be a list of at least one schema.`);
      return;
    }
    for (const [index, one] of value.entries()) this.schema(one, [...path, index]);
  }

  #schemaMap(value: JsonValue, path: SchemaProblemPath, areKeysPatterns: boolean): void {
    if (!isJsonMap(value)) {
      this.#note(path, `${path.at(-1)} must be a map of schemas by name.`);
      return;
    }
    for (const [key, one] of Object.entries(value)) {
      if (areKeysPatterns) this.#pattern(key, [...path, key]);
      this.schema(one, [...path, key]);
    }
  }

  #pattern(value: JsonValue, path: SchemaProblemPath): void {
    const problem = patternProblem(value);
    if (problem !== undefined) this.#note(path, problem);
  }

  #ref(value: JsonValue, path: SchemaProblemPath): void {
    if (typeof value !== 'string' || !value.startsWith('#')) {
      this.#note(
        path,
        '$ref must refer to a part of this schema, such as "#/$defs/name". Other schemas are not loaded.',
      );
      return;
    }
    const target = this.#refs.find(value);
    if (target === undefined) this.#note(path, `${JSON.stringify(value)} does not exist in this schema.`);
    else if (this.#isEndless(target))
      this.#note(path, 'This $ref refers back to itself for the same value, without end.');
  }

  /** Whether a schema is applied recursively to the same value. */
  #isEndless(schema: JsonValue, around: ReadonlySet<JsonValue> = new Set()): boolean {
    if (!isJsonMap(schema) || this.#ending.has(schema)) return false;
    if (around.has(schema)) return true;
    const inside = new Set(around).add(schema);
    const isEndless = sameValueSchemas(schema, this.#refs).some((one) => this.#isEndless(one, inside));
    if (!isEndless) this.#ending.add(schema);
    return isEndless;
  }

  #note(path: SchemaProblemPath, message: string): void {
    if (this.problems.length < maxProblems) this.problems.push({ path, message });
  }
}

const isTexts = (value: JsonValue): boolean => isJsonList(value) && value.every((text) => typeof text === 'string');

/** Checks for keyword values, by keyword kind. */
const plainKinds: Readonly<Record<PlainKind, { readonly rule: string; readonly is: (value: JsonValue) => boolean }>> = {
  text: { rule: 'must be text', is: (value) => typeof value === 'string' },
  texts: { rule: 'must be a list of names', is: isTexts },
  'texts-map': {
    rule: 'must be a map of name lists by name',
    is: (value) => isJsonMap(value) && Object.values(value).every(isTexts),
  },
  count: {
    rule: 'must be a whole number of at least 0',
    is: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
  number: { rule: 'must be a number', is: (value) => typeof value === 'number' },
  positive: { rule: 'must be a number greater than 0', is: (value) => typeof value === 'number' && value > 0 },
  flag: { rule: 'must be true or false', is: (value) => typeof value === 'boolean' },
  list: { rule: 'must be a list', is: isJsonList },
  map: { rule: 'must be a map', is: isJsonMap },
  type: { rule: `must be one of ${[...typeNames].join(', ')}, or a list of them`, is: isType },
  any: { rule: 'can be anything', is: () => true },
  refused: { rule: 'is not supported. Use $ref with a path in this schema instead', is: () => false },
};

function isType(value: JsonValue): boolean {
  if (!isJsonList(value)) return typeNames.has(value);
  return value.length > 0 && value.every((one) => typeNames.has(one));
}

function patternProblem(value: JsonValue): string | undefined {
  if (typeof value !== 'string') return 'pattern must be text.';
  try {
    // Patterns have the semantics of JavaScript's `u` flag: https://json-schema.org/draft/2020-12/json-schema-core,
    // 6.4.
    new RegExp(value, 'u');
    return undefined;
  } catch {
    return `${JSON.stringify(value)} is not a valid regular expression.`;
  }
}

const listsOfSchemas = ['allOf', 'anyOf', 'oneOf'];
const oneSchema = ['not', 'if', 'then', 'else'];

/** Returns the subschemas that apply to the same value as the schema itself. */
function sameValueSchemas(schema: JsonMap, refs: SchemaRefs): readonly JsonValue[] {
  const { $ref, dependentSchemas } = schema;
  const target = typeof $ref === 'string' ? refs.find($ref) : undefined;
  return [
    ...(target === undefined ? [] : [target]),
    ...listsOfSchemas.flatMap((key) => (isJsonList(schema[key]) ? (schema[key] as readonly JsonValue[]) : [])),
    ...oneSchema.flatMap((key) => schema[key] ?? []),
    ...(isJsonMap(dependentSchemas) ? Object.values(dependentSchemas) : []),
  ];
}
