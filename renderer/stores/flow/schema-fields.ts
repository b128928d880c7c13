/**
 * The fields that JSON schemas name.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../engine/isomorphic.ts';

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
  for (const step of path) schemas = schemas.flatMap(alternativesOf).flatMap((part) => membersAt(part, step));
  return knownKeys(schemas.flatMap(alternativesOf));
}

/** The schemas that a value may follow, those that only gather others left out. */
export function alternativesOf(schema: JsonMap): readonly JsonMap[] {
  const inner = partsOf(schema).flatMap(alternativesOf);
  return 'type' in schema || 'properties' in schema ? [schema, ...inner] : inner;
}

/** The schemas that a schema is put together from. */
export function partsOf(schema: JsonMap): readonly JsonMap[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap((key) => mapsIn(schema[key]));
}

/** Schemas of a member of a map or a list. */
export function membersAt(schema: JsonMap, step: string | number): readonly JsonMap[] {
  const { properties, items, additionalProperties } = schema;
  if (typeof step === 'number' || /^\d+$/.test(step)) {
    if (isJsonMap(items)) return [items];
    if (typeof step === 'number') return [];
  }
  const own = isJsonMap(properties) && Object.hasOwn(properties, step) ? properties[step] : additionalProperties;
  return isJsonMap(own) ? [own] : [];
}

/** Words for what a value is, for example `text` or `list or nothing`. */
export function typeText(schema: JsonMap): string {
  const { type } = schema;
  if (typeof type === 'string') return typeWords[type] ?? type;
  const words = new Set([...mapsIn(schema['anyOf']), ...mapsIn(schema['oneOf'])].map(typeText));
  return words.size === 0 ? 'any value' : [...words].join(' or ');
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
