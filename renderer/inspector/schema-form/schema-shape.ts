/**
 * Converts JSON Schemas to form rows, and form changes to new schemas. Every change preserves what a form cannot show.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../engine/isomorphic.ts';
import { withKey, withMoved, withRenamed } from '../field-editors/member-values.ts';
import { text } from './text.ts';

/** The kinds of values offered by the form. `choice` is one of several strings; `any` has no restriction. */
export type ShapeKind = 'string' | 'choice' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'any';

/** The form representation of one schema. */
export interface SchemaFormShape {
  readonly kind: ShapeKind;
  /**
   * The keyword that determines the kind and is not supported by the form, such as `$ref` or several types. Null if the
   * form may change the kind.
   */
  readonly locked: string | null;
  /** Keywords that the form does not show, in their order. */
  readonly others: readonly string[];
}

/** Keywords that restrict a value in other ways. */
const deciding = ['$ref', '$dynamicRef', 'const', 'oneOf', 'anyOf', 'allOf', 'not', 'if'];

const shown: ReadonlySet<string> = new Set(['type', 'description', 'enum', 'properties', 'required', 'items']);

/** @param schema any value from the file */
export function shapeOf(schema: JsonValue | undefined): SchemaFormShape {
  if (schema === undefined) return { kind: 'any', locked: null, others: [] };
  if (!isJsonMap(schema)) return { kind: 'any', locked: JSON.stringify(schema), others: [] };
  const others = Object.keys(schema).filter((key) => !isShown(schema, key));
  const decider = deciding.find((key) => Object.hasOwn(schema, key));
  const kind = kindOf(schema);
  if (decider !== undefined) return { kind: kind ?? 'any', locked: decider, others };
  return kind === undefined ? { kind: 'any', locked: 'type', others } : { kind, locked: null, others };
}

/** Returns undefined for types that the form does not offer. */
function kindOf({ type, enum: choices, properties, items }: JsonMap): ShapeKind | undefined {
  if (choices !== undefined && (type === undefined || type === 'string')) return 'choice';
  switch (type) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'array':
    case 'object':
      return type;
    case undefined:
      return properties === undefined ? (items === undefined ? 'any' : 'array') : 'object';
    default:
      return undefined;
  }
}

function isShown(schema: JsonMap, key: string): boolean {
  const value = schema[key];
  switch (key) {
    case 'additionalProperties':
      return typeof value === 'boolean';
    case 'properties':
      return isJsonMap(value);
    case 'items':
      return isJsonMap(value);
    case 'required':
      return requiredOf(schema) !== null;
    case 'enum':
      return isJsonList(value);
    case 'description':
      return typeof value === 'string';
    default:
      return shown.has(key);
  }
}

/** Returns the required names, or null if `required` is not a list of names. */
export function requiredOf({ required }: JsonMap): readonly string[] | null {
  if (required === undefined) return [];
  return isJsonList(required) && required.every((name) => typeof name === 'string') ? (required as string[]) : null;
}

/** Returns the fields of a schema, or null if `properties` is not a map. */
export function fieldsOf({ properties }: JsonMap): JsonMap | null {
  if (properties === undefined) return {};
  return isJsonMap(properties) ? properties : null;
}

/** The initial schema of each kind. */
const beginnings: Readonly<Record<ShapeKind, JsonMap>> = {
  string: { type: 'string' },
  choice: { type: 'string', enum: ['yes', 'no'] },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  array: { type: 'array', items: { type: 'string' } },
  object: { type: 'object', properties: {}, additionalProperties: false },
  any: {},
};

/**
 * The keywords shown by the form that are specific to a kind. They are removed when the kind changes; all others are
 * kept.
 */
const ownKeys = ['type', 'enum', 'items', 'properties', 'required', 'additionalProperties'];

/** Returns the schema with another kind. Everything that the form does not show is kept. */
export function withKind(schema: JsonMap, kind: ShapeKind): JsonMap {
  const isOwn = ([key]: readonly [string, JsonValue]): boolean => ownKeys.includes(key) && isShown(schema, key);
  const entries = Object.entries(schema);
  const place = Math.max(entries.findIndex(isOwn), 0);
  const rest = entries.filter((entry) => !isOwn(entry));
  return Object.fromEntries(rest.toSpliced(place, 0, ...Object.entries(beginnings[kind])));
}

/** Returns the schema with an additional field, which is required and of type text. */
export function withNewField(schema: JsonMap, name: string): JsonMap {
  const fields = fieldsOf(schema) ?? {};
  const begun = Object.hasOwn(schema, 'type') ? schema : { type: 'object', ...schema };
  const placed = Object.hasOwn(begun, 'properties') ? begun : withKeyBefore(begun, 'required', ['properties', {}]);
  return withRequired({ ...placed, properties: withField(fields, name, { type: 'string' }) }, name, true);
}

/** Returns the map with a key inserted before another one, or at its end. */
function withKeyBefore(map: JsonMap, key: string, entry: readonly [string, JsonValue]): JsonMap {
  const entries = Object.entries(map);
  const index = entries.findIndex(([own]) => own === key);
  return Object.fromEntries(index === -1 ? [...entries, entry] : entries.toSpliced(index, 0, [...entry]));
}

/** A computed key allows any name, unlike a literal one. */
function withField(fields: JsonMap, name: string, schema: JsonValue): JsonMap {
  return { ...fields, [name]: schema };
}

/** Returns a name that no field has. */
export function freeFieldName(schema: JsonMap): string {
  const fields = fieldsOf(schema) ?? {};
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'field' : `field_${number}`;
    if (!Object.hasOwn(fields, name)) return name;
  }
}

/** Returns the schema with the schema of a field replaced. */
export function withFieldSchema(schema: JsonMap, name: string, field: JsonValue): JsonMap {
  return { ...schema, properties: withField(fieldsOf(schema) ?? {}, name, field) };
}

/** Returns the schema without a field, including its entry in the required names. */
export function withoutField(schema: JsonMap, name: string): JsonMap {
  return { ...withRequired(schema, name, false), properties: withKey(fieldsOf(schema) ?? {}, name, undefined) };
}

/** Returns the schema with a field renamed in place. */
export function withFieldName(schema: JsonMap, name: string, next: string): JsonMap {
  const needed = requiredOf(schema);
  const renamed = { ...schema, properties: withRenamed(fieldsOf(schema) ?? {}, name, next) };
  if (needed === null || !needed.includes(name)) return renamed;
  return { ...renamed, required: needed.map((one) => (one === name ? next : one)) };
}

/** Returns the schema with a field at another position. */
export function withFieldAt(schema: JsonMap, from: number, to: number): JsonMap {
  const fields = Object.entries(fieldsOf(schema) ?? {});
  const moved = withMoved(fields, from, to);
  return moved === fields ? schema : { ...schema, properties: Object.fromEntries(moved) };
}

/** Sets whether a field is required. Other names in the list keep their positions. */
export function withRequired(schema: JsonMap, name: string, isRequired: boolean): JsonMap {
  const needed = requiredOf(schema);
  if (needed === null || needed.includes(name) === isRequired) return schema;
  const next = isRequired ? [...needed, name] : needed.filter((one) => one !== name);
  return withKey(schema, 'required', next.length === 0 ? undefined : next);
}

/** Sets the choices. Text stays a choice without any, so that others can be added; a number then allows any value. */
export function withChoices(schema: JsonMap, choices: readonly JsonValue[]): JsonMap {
  const isKept = choices.length > 0 || shapeOf(schema).kind === 'choice';
  return withKey(schema, 'enum', isKept ? choices : undefined);
}

/**
 * Parses a typed choice, as a number if the schema requires numbers. Undefined if the choice exists already or is not
 * valid.
 */
export function newChoice({ type, enum: choices }: JsonMap, typed: string): JsonValue | undefined {
  const isNumber = type === 'number' || type === 'integer';
  const value = isNumber ? Number(typed) : typed;
  if (typed.trim() === '' || (typeof value === 'number' && !isNumberFor(type, value))) return undefined;
  return isJsonList(choices) && choices.includes(value) ? undefined : value;
}

function isNumberFor(type: JsonValue | undefined, value: number): boolean {
  return type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** Predefined schemas to start from. */
export const schemaTemplates: readonly { readonly title: string; readonly schema: JsonMap }[] = [
  {
    title: text.templates.labelAndReason,
    schema: {
      type: 'object',
      properties: { label: { type: 'string', enum: ['yes', 'no'] }, reason: { type: 'string' } },
      required: ['label', 'reason'],
      additionalProperties: false,
    },
  },
  {
    title: text.templates.list,
    schema: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, note: { type: 'string' } },
            required: ['name', 'note'],
            additionalProperties: false,
          },
        },
      },
      required: ['items'],
      additionalProperties: false,
    },
  },
  {
    title: text.templates.ownFields,
    schema: {
      type: 'object',
      properties: { field: { type: 'string' } },
      required: ['field'],
      additionalProperties: false,
    },
  },
];
