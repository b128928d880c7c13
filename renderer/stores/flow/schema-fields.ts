/**
 * The fields that JSON schemas name.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, SchemaRefs } from '../../../engine/isomorphic.ts';

/** A key that a map may have. */
export interface KnownKey {
  readonly name: string;
  readonly schema: JsonMap;
  readonly isRequired: boolean;
}

/** The keys that schemas name, the required ones first. */
export function knownKeys(schemas: readonly JsonMap[]): readonly KnownKey[] {
  const keys = new Map<string, KnownKey>();
  for (const { properties, required } of schemas) {
    if (!isJsonMap(properties)) continue;
    const needed = isJsonList(required) ? required : [];
    for (const [name, schema] of Object.entries(properties)) {
      // Of a key that is named twice, the later place knows more: that of a node's type comes behind that of all nodes.
      if (isJsonMap(schema))
        keys.set(name, { name, schema, isRequired: needed.includes(name) || keys.get(name)?.isRequired === true });
    }
  }
  return [...keys.values()].sort((left, right) => Number(right.isRequired) - Number(left.isRequired));
}

/** The fields of a value at a path, where its schema names them. */
export function fieldsAt(schema: JsonMap, path: readonly string[]): readonly KnownKey[] {
  let schemas: readonly JsonMap[] = [schema];
  for (const step of path) schemas = membersOf(schemas, step);
  return knownKeys(schemas.flatMap(alternativesOf));
}

/** Where the references of schemas lead, by the schema that has one. */
const refTargets = new WeakMap<JsonMap, JsonMap>();

/** Notes where the references in a schema lead, so that the fields behind them are known. Its parts are looked at as long as it lives. */
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

/** The schemas that a value may follow, those that only gather others left out; each once. */
export function alternativesOf(schema: JsonMap): readonly JsonMap[] {
  return gathered(schema).filter((one) => 'type' in one || 'properties' in one);
}

/** A schema and all that it is put together from. They may lead to each other in circles. */
function gathered(schema: JsonMap): readonly JsonMap[] {
  const seen = new Set([schema]);
  // A set gives what is added to it while it is gone through.
  for (const one of seen) for (const part of partsOf(one)) seen.add(part);
  return [...seen];
}

/** The schemas that a schema is put together from. */
export function partsOf(schema: JsonMap): readonly JsonMap[] {
  const target = refTargets.get(schema);
  return [
    ...(target === undefined ? [] : [target]),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => mapsIn(schema[key])),
  ];
}

/** Schemas of a member of what follows one of these; each once. */
export function membersOf(schemas: readonly JsonMap[], step: string): readonly JsonMap[] {
  return [...new Set(schemas.flatMap(alternativesOf).flatMap((part) => membersAt(part, step)))];
}

/** Schemas of a member of a map or a list. */
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

/** Words for what a value is, for example `text` or `list or nothing`. */
export function typeText(schema: JsonMap): string {
  const words = new Set(gathered(schema).flatMap(({ type }) => (isJsonList(type) ? type : [type ?? null])));
  words.delete(null);
  return words.size === 0
    ? 'any value'
    : [...words].map((word) => typeWords[String(word)] ?? String(word)).join(' or ');
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'yes or no',
  array: 'list',
  object: 'map',
  null: 'nothing',
};

function mapsIn(value: JsonValue | undefined): readonly JsonMap[] {
  return value !== undefined && isJsonList(value) ? value.filter(isJsonMap) : [];
}

/** Fields of an output; false = there is none of the name. */
export type Fields = Readonly<Record<string, JsonMap | false>>;

/** Fields that are known better than the schema of the type says; what nothing is known of stays as it is. */
export function withFields(schema: JsonMap, fields: Fields): JsonMap {
  const { properties } = schema;
  if (!isJsonMap(properties)) return schema;
  const known = Object.entries(fields).filter(([, field]) => field === false || Object.keys(field).length > 0);
  if (known.length === 0) return schema;
  const better = new Map(Object.entries(properties));
  for (const [name, field] of known) {
    const before = properties[name];
    const { description } = isJsonMap(before) ? before : {};
    if (field === false) better.delete(name);
    // A copy of a reference would lead nowhere.
    else better.set(name, description === undefined || '$ref' in field ? field : { ...field, description });
  }
  return { ...schema, properties: Object.fromEntries(better) };
}

/** Changes each schema; a field that there is not stays away. */
export function mapEach(fields: Fields, change: (schema: JsonMap) => JsonMap): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, schema === false ? schema : change(schema)]),
  );
}
