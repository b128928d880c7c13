/**
 * Reads the fields defined by JSON schemas.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, SchemaRefs } from '../../../engine/isomorphic.ts';
import { text } from './text.ts';

/** A key that a map can have. */
export interface KnownKey {
  readonly name: string;
  readonly schema: JsonMap;
  readonly isRequired: boolean;
}

/** Returns the keys defined by schemas, required ones first. */
export function knownKeys(schemas: readonly JsonMap[]): readonly KnownKey[] {
  const keys = new Map<string, KnownKey>();
  for (const { properties, required } of schemas) {
    if (!isJsonMap(properties)) continue;
    const needed = isJsonList(required) ? required : [];
    for (const [name, schema] of Object.entries(properties)) {
      // If a key occurs twice, the later schema is more specific: that of a node's type comes after that of all nodes.
      if (isJsonMap(schema))
        keys.set(name, { name, schema, isRequired: needed.includes(name) || keys.get(name)?.isRequired === true });
    }
  }
  return [...keys.values()].sort((left, right) => Number(right.isRequired) - Number(left.isRequired));
}

/** Returns the fields of a value at a path, if its schema defines them. */
export function fieldsAt(schema: JsonMap, path: readonly string[]): readonly KnownKey[] {
  let schemas: readonly JsonMap[] = [schema];
  for (const step of path) schemas = membersOf(schemas, step);
  return knownKeys(schemas.flatMap(alternativesOf));
}

/** Targets of references, by the schema that contains the reference. */
const refTargets = new WeakMap<JsonMap, JsonMap>();

/**
 * Resolves the references in a schema, so that the fields of their targets are known. The results are kept as long as
 * the parts of the schema exist.
 */
export function followRefs(root: JsonMap): JsonMap {
  const refs = new SchemaRefs(root);
  const open: JsonValue[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (isJsonMap(next) && typeof next['$ref'] === 'string') {
      const target = refs.find(next['$ref']);
      if (isJsonMap(target)) refTargets.set(next, target);
    }
    open.push(...Object.values(next));
  }
  return root;
}

/** Returns the alternative schemas of a value, without duplicates and without those that only combine others. */
export function alternativesOf(schema: JsonMap): readonly JsonMap[] {
  return gathered(schema).filter((one) => 'type' in one || 'properties' in one);
}

/** Returns a schema and all schemas that it combines. They may refer to each other in cycles. */
function gathered(schema: JsonMap): readonly JsonMap[] {
  const seen = new Set([schema]);
  // Iterating a set also visits elements added during the iteration.
  for (const one of seen) for (const part of partsOf(one)) seen.add(part);
  return [...seen];
}

/** Returns the schemas that a schema combines. */
export function partsOf(schema: JsonMap): readonly JsonMap[] {
  const target = refTargets.get(schema);
  return [
    ...(target === undefined ? [] : [target]),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => mapsIn(schema[key])),
  ];
}

/** Returns the schemas that these schemas allow for a member of a value, without duplicates. */
export function membersOf(schemas: readonly JsonMap[], step: string): readonly JsonMap[] {
  return [...new Set(schemas.flatMap(alternativesOf).flatMap((part) => membersAt(part, step)))];
}

/** Returns the schemas of a member of a map or a list. */
export function membersAt(schema: JsonMap, step: string | number): readonly JsonMap[] {
  const { properties, items, prefixItems, additionalProperties } = schema;
  if (typeof step === 'number' || /^\d+$/.test(step)) {
    const placed = isJsonList(prefixItems) ? prefixItems[Number(step)] : undefined;
    if (isJsonMap(placed)) return [placed];
    if (isJsonMap(items)) return [items];
    if (typeof step === 'number') return [];
  }
  const own = isJsonMap(properties) && Object.hasOwn(properties, step) ? properties[step] : additionalProperties;
  return isJsonMap(own) ? [own] : [];
}

/** Describes the type of a value, for example `text` or `list or nothing`. */
export function typeText(schema: JsonMap): string {
  const words = new Set(gathered(schema).flatMap(({ type }) => (isJsonList(type) ? type : [type ?? null])));
  words.delete(null);
  if (words.size === 0) return text.types.any;
  const names = [...words].map((word) => typeWords[String(word)] ?? String(word));
  return names.reduce((first, second) => text.types.either({ first, second }));
}

const typeWords: Readonly<Record<string, string>> = {
  string: text.types.text,
  number: text.types.number,
  integer: text.types.number,
  boolean: text.types.boolean,
  array: text.types.list,
  object: text.types.map,
  null: text.types.null,
};

function mapsIn(value: JsonValue | undefined): readonly JsonMap[] {
  return value !== undefined && isJsonList(value) ? value.filter(isJsonMap) : [];
}

/** Fields of an output. False for a field that does not exist. */
export type OutputSchemaFields = Readonly<Record<string, JsonMap | false>>;

/** Replaces fields for which more is known than the schema of the type contains. Other fields are unchanged. */
export function withFields(schema: JsonMap, fields: OutputSchemaFields): JsonMap {
  const { properties } = schema;
  if (!isJsonMap(properties)) return schema;
  const known = Object.entries(fields).filter(([, field]) => field === false || Object.keys(field).length > 0);
  if (known.length === 0) return schema;
  const better = new Map(Object.entries(properties));
  for (const [name, field] of known) {
    const before = properties[name];
    const { description } = isJsonMap(before) ? before : {};
    if (field === false) better.delete(name);
    // A copy of a reference would not be resolved.
    else better.set(name, description === undefined || '$ref' in field ? field : { ...field, description });
  }
  return { ...schema, properties: Object.fromEntries(better) };
}

/** Maps each schema. A field that does not exist stays false. */
export function mapEach(fields: OutputSchemaFields, change: (schema: JsonMap) => JsonMap): OutputSchemaFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, schema === false ? schema : change(schema)]),
  );
}
