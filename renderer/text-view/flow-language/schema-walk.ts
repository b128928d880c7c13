/**
 * Finds the parts of the JSON schema that apply to a place in a flow file.
 */

import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../engine/isomorphic.ts';
import { alternativesOf, membersAt, partsOf } from '../../stores/flow/schema-fields.ts';
import { scalarAt, type YamlEntry } from './entry.ts';

/**
 * Returns all parts of a schema that apply to an entry: alternatives, and parts that depend on its other values, such
 * as a node's type.
 */
export function schemasOf(schema: JsonMap, entry: YamlEntry): readonly JsonMap[] {
  const walk = new SchemaWalk(schema);
  return walk.at(entry);
}

/** A value defined by a schema. */
interface KnownValue {
  readonly text: string;
  readonly title: string;
  readonly description: string;
}

/** Returns the values that schemas list individually. */
export function knownValues(schemas: readonly JsonMap[]): readonly KnownValue[] {
  const values = schemas.flatMap((schema) => {
    const suggested = isJsonList(schema['examples']) ? schema['examples'].filter((one) => typeof one === 'number') : [];
    const listed = isJsonList(schema['enum']) ? schema['enum'] : suggested;
    const all = 'const' in schema ? [schema['const'] ?? null, ...listed] : listed;
    const truths = schema['type'] === 'boolean' && all.length === 0 ? [true, false] : all;
    return truths.map((value) => ({
      text: String(value),
      title: wordsAt(schema, 'title'),
      description: wordsAt(schema, 'description'),
    }));
  });
  return [...new Map(values.map((value) => [value.text, value])).values()];
}

/** Returns the descriptions in schemas, without duplicates. */
export function describe(schemas: readonly JsonMap[]): string {
  return [...new Set(schemas.map((schema) => wordsAt(schema, 'description')))]
    .filter((words) => words !== '')
    .join('\n\n');
}

/** Returns how a value is written: a map and a list start on a new line, everything else follows its key. */
export function shapeOf(schema: JsonMap): 'map' | 'list' | 'scalar' {
  const [first] = alternativesOf(schema);
  const type = first?.['type'];
  // A recursive reference is a condition.
  if (type === 'object' || (first === undefined && JSON.stringify(schema).includes('"$ref"'))) return 'map';
  return type === 'array' ? 'list' : 'scalar';
}

function wordsAt(schema: JsonMap, key: string): string {
  const words = schema[key];
  return typeof words === 'string' ? words : '';
}

class SchemaWalk {
  readonly #root: JsonMap;

  constructor(root: JsonMap) {
    this.#root = root;
  }

  at(entry: YamlEntry): readonly JsonMap[] {
    const { parent, key } = entry;
    if (parent === null) return this.#expand(this.#root, entry);
    const step = key?.text ?? 0;
    const members = this.at(parent).flatMap((schema) => membersAt(schema, step));
    return members.flatMap((schema) => this.#expand(schema, entry));
  }

  /** Returns a schema with everything it refers to that applies to the entry. */
  #expand(schema: JsonMap, entry: YamlEntry): readonly JsonMap[] {
    const parts = [...partsOf(schema)];
    const { $ref, if: condition, then } = schema;
    if (typeof $ref === 'string') parts.push(this.#resolve($ref));
    if (isJsonMap(condition) && isJsonMap(then) && holdsFor(condition, entry)) parts.push(then);
    return [schema, ...parts.flatMap((part) => this.#expand(part, entry))];
  }

  #resolve(reference: string): JsonMap {
    let found: JsonValue | undefined = this.#root;
    for (const step of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
      found = isJsonMap(found) ? found[step] : undefined;
    }
    return isJsonMap(found) ? found : {};
  }
}

/** Conditions in our schema test a single value: a node's type. */
function holdsFor({ properties }: JsonMap, entry: YamlEntry): boolean {
  if (!isJsonMap(properties)) return false;
  return Object.entries(properties).every(
    ([key, schema]) => isJsonMap(schema) && schema['const'] === scalarAt(entry, key),
  );
}
