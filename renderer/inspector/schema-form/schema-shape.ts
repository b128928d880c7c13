/**
 * JSON Schemas as rows of a form: what a form can show of one, and its changes as new schemas. What a form cannot show stays as it
 * is in every change.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../engine/isomorphic.ts';
import { withKey, withMoved, withRenamed } from '../field-editors/member-values.ts';

/** What a person chooses a value to be. `choice` = one of some texts; `any` = nothing is said. */
export type ShapeKind = 'string' | 'choice' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'any';

/** How a form shows one schema. */
export interface Shape {
  readonly kind: ShapeKind;
  /** What decides the kind and is none of the form's choices, such as `$ref` or several types; null = the form may change it. */
  readonly locked: string | null;
  /** Keywords that the form does not show, in their order. */
  readonly others: readonly string[];
}

/** Keywords that say what a value is in ways of their own. */
const deciding = ['$ref', '$dynamicRef', 'const', 'oneOf', 'anyOf', 'allOf', 'not', 'if'];

const shown: ReadonlySet<string> = new Set(['type', 'description', 'enum', 'properties', 'required', 'items']);

/** @param schema as it stands in the file, whatever that is */
export function shapeOf(schema: JsonValue | undefined): Shape {
  if (schema === undefined) return { kind: 'any', locked: null, others: [] };
  if (!isJsonMap(schema)) return { kind: 'any', locked: JSON.stringify(schema), others: [] };
  const others = Object.keys(schema).filter((key) => !isShown(schema, key));
  const decider = deciding.find((key) => Object.hasOwn(schema, key));
  const kind = kindOf(schema);
  if (decider !== undefined) return { kind: kind ?? 'any', locked: decider, others };
  return kind === undefined
    ? { kind: 'any', locked: `type ${JSON.stringify(schema['type'])}`, others }
    : { kind, locked: null, others };
}

/** Undefined for types that are none of the choices. */
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

/** Names that have to be there; null when what stands there is no list of names. */
export function requiredOf({ required }: JsonMap): readonly string[] | null {
  if (required === undefined) return [];
  return isJsonList(required) && required.every((name) => typeof name === 'string') ? (required as string[]) : null;
}

/** The fields of a schema; null when what stands there is no map of them. */
export function fieldsOf({ properties }: JsonMap): JsonMap | null {
  if (properties === undefined) return {};
  return isJsonMap(properties) ? properties : null;
}

/** What a form begins a kind with. */
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

/** Of each kind: the keywords of its own that the form shows. They go with it, all others stay. */
const ownKeys = ['type', 'enum', 'items', 'properties', 'required', 'additionalProperties'];

/** The schema of another kind: the same in all that the form does not show. */
export function withKind(schema: JsonMap, kind: ShapeKind): JsonMap {
  const isOwn = ([key]: readonly [string, JsonValue]): boolean => ownKeys.includes(key) && isShown(schema, key);
  const entries = Object.entries(schema);
  const place = Math.max(entries.findIndex(isOwn), 0);
  const rest = entries.filter((entry) => !isOwn(entry));
  return Object.fromEntries(rest.toSpliced(place, 0, ...Object.entries(beginnings[kind])));
}

/** One more field, which has to be there, as text. */
export function withNewField(schema: JsonMap, name: string): JsonMap {
  const fields = fieldsOf(schema) ?? {};
  const begun = Object.hasOwn(schema, 'type') ? schema : { type: 'object', ...schema };
  const placed = Object.hasOwn(begun, 'properties') ? begun : withKeyBefore(begun, 'required', ['properties', {}]);
  return withRequired({ ...placed, properties: withField(fields, name, { type: 'string' }) }, name, true);
}

/** The map with a key right before another one, or at its end. */
function withKeyBefore(map: JsonMap, key: string, entry: readonly [string, JsonValue]): JsonMap {
  const entries = Object.entries(map);
  const index = entries.findIndex(([own]) => own === key);
  return Object.fromEntries(index === -1 ? [...entries, entry] : entries.toSpliced(index, 0, [...entry]));
}

/** Unlike a literal's, a computed key may bear any name. */
function withField(fields: JsonMap, name: string, schema: JsonValue): JsonMap {
  return { ...fields, [name]: schema };
}

/** A name that no field has. */
export function freeFieldName(schema: JsonMap): string {
  const fields = fieldsOf(schema) ?? {};
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'field' : `field_${number}`;
    if (!Object.hasOwn(fields, name)) return name;
  }
}

/** The schema with what a field is. */
export function withFieldSchema(schema: JsonMap, name: string, field: JsonValue): JsonMap {
  return { ...schema, properties: withField(fieldsOf(schema) ?? {}, name, field) };
}

/** Without a field, also among those that have to be there. */
export function withoutField(schema: JsonMap, name: string): JsonMap {
  return { ...withRequired(schema, name, false), properties: withKey(fieldsOf(schema) ?? {}, name, undefined) };
}

/** With another name for a field, at the same place. */
export function withFieldName(schema: JsonMap, name: string, next: string): JsonMap {
  const needed = requiredOf(schema);
  const renamed = { ...schema, properties: withRenamed(fieldsOf(schema) ?? {}, name, next) };
  if (needed === null || !needed.includes(name)) return renamed;
  return { ...renamed, required: needed.map((one) => (one === name ? next : one)) };
}

/** With a field at another place. */
export function withFieldAt(schema: JsonMap, from: number, to: number): JsonMap {
  const fields = Object.entries(fieldsOf(schema) ?? {});
  const moved = withMoved(fields, from, to);
  return moved === fields ? schema : { ...schema, properties: Object.fromEntries(moved) };
}

/** Whether a field has to be there; other names in the list keep their places. */
export function withRequired(schema: JsonMap, name: string, isRequired: boolean): JsonMap {
  const needed = requiredOf(schema);
  if (needed === null || needed.includes(name) === isRequired) return schema;
  const next = isRequired ? [...needed, name] : needed.filter((one) => one !== name);
  return withKey(schema, 'required', next.length === 0 ? undefined : next);
}

/** What may be chosen. Text stays "one of" without choices, so that others can be added; a number may then be any. */
export function withChoices(schema: JsonMap, choices: readonly JsonValue[]): JsonMap {
  const isKept = choices.length > 0 || shapeOf(schema).kind === 'choice';
  return withKey(schema, 'enum', isKept ? choices : undefined);
}

/** A typed choice as a value: a number where numbers are wanted. Undefined when it is there already, or cannot be one. */
export function newChoice({ type, enum: choices }: JsonMap, text: string): JsonValue | undefined {
  const isNumber = type === 'number' || type === 'integer';
  const value = isNumber ? Number(text) : text;
  if (text.trim() === '' || (typeof value === 'number' && !isNumberFor(type, value))) return undefined;
  return isJsonList(choices) && choices.includes(value) ? undefined : value;
}

function isNumberFor(type: JsonValue | undefined, value: number): boolean {
  return type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** Whole schemas to begin with, and to change then. */
export const schemaBeginnings: readonly { readonly title: string; readonly schema: JsonMap }[] = [
  {
    title: 'Label and reason',
    schema: {
      type: 'object',
      properties: { label: { type: 'string', enum: ['yes', 'no'] }, reason: { type: 'string' } },
      required: ['label', 'reason'],
      additionalProperties: false,
    },
  },
  {
    title: 'List of items',
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
    title: 'Fields of my own',
    schema: {
      type: 'object',
      properties: { field: { type: 'string' } },
      required: ['field'],
      additionalProperties: false,
    },
  },
];
