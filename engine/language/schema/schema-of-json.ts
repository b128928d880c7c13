/**
 * Converts a JSON Schema to a zod schema, so that values are validated, adapted and reported like those of built-in
 * types. Keywords that it does not support (patterns, `not`, `if`, …) are ignored here. The engine validates everything
 * when the node runs, on a thread that can be terminated, because a pattern may be any regular expression.
 */
import { z } from 'zod';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../json/json-value.ts';
import { valueAt } from './schema-problems.ts';

const sources = new WeakMap<z.core.$ZodType, JsonMap>();

/** Returns the JSON Schema from which a schema was created; undefined for other schemas. */
export function jsonSourceOf(schema: z.core.$ZodType): JsonMap | undefined {
  return sources.get(schema);
}

/**
 * Converts lazily, because most types that a window lists are never used to validate a value.
 * @param schema must be valid according to `schemaProblems`
 */
export function schemaOfJson(schema: JsonMap | boolean): z.ZodType<JsonValue> {
  let inner: z.ZodType | undefined;
  const made = z.lazy(() => {
    inner ??= new Maker(schema).make(schema);
    return inner;
  });
  if (isJsonMap(schema)) sources.set(made, schema);
  return made as z.ZodType<JsonValue>;
}

class Maker {
  readonly #root: JsonValue;
  readonly #named = new Map<string, z.ZodType>();

  constructor(root: JsonValue) {
    this.#root = root;
  }

  make(schema: JsonValue): z.ZodType {
    if (schema === false) return z.never();
    if (!isJsonMap(schema)) return z.any();
    const { $ref, type, const: only, enum: values, anyOf, oneOf } = schema;
    if (typeof $ref === 'string') return this.#reference($ref);
    if (only !== undefined) return choiceOf([only]);
    if (isJsonList(values)) return choiceOf(values);
    if (isJsonList(type)) return unionOf(type.map((one) => this.make({ ...schema, type: one })));
    if (typeof type === 'string') return this.#ofType(type, schema);
    const choices = anyOf ?? oneOf;
    return isJsonList(choices) ? unionOf(choices.map((one) => this.make(one))) : z.any();
  }

  #ofType(type: string, schema: JsonMap): z.ZodType {
    switch (type) {
      case 'string':
        return textOf(schema);
      case 'integer':
        return withBounds(z.int(), schema);
      case 'number':
        return withBounds(z.number(), schema);
      case 'boolean':
        return z.boolean();
      case 'null':
        return z.null();
      case 'array':
        return this.#list(schema);
      default:
        return this.#map(schema);
    }
  }

  #list({ items, prefixItems, minItems, maxItems }: JsonMap): z.ZodType {
    let list = z.array(prefixItems === undefined ? this.make(items ?? true) : z.any());
    if (typeof minItems === 'number') list = list.min(minItems);
    return typeof maxItems === 'number' ? list.max(maxItems) : list;
  }

  #map({ properties, required, additionalProperties, patternProperties }: JsonMap): z.ZodType {
    const needed = isJsonList(required) ? required : [];
    const named: [string, JsonValue][] = Object.entries(isJsonMap(properties ?? null) ? (properties as JsonMap) : {});
    for (const name of needed) {
      if (typeof name === 'string' && named.every(([one]) => one !== name)) named.push([name, true]);
    }
    // An own key of this name cannot be distinguished from the map's prototype.
    const shape = named
      .filter(([name]) => name !== '__proto__')
      .map(([name, one]): [string, z.ZodType] => {
        const made = this.make(one);
        return [name, needed.includes(name) ? made : withDefault(made, one)];
      });
    const map = z.object(Object.fromEntries(shape));
    if (patternProperties !== undefined) return map.loose();
    if (additionalProperties === false) return map;
    return isJsonMap(additionalProperties ?? null)
      ? map.catchall(this.make(additionalProperties ?? true))
      : map.loose();
  }

  /** References may be circular, so their target is created on first use. */
  #reference(ref: string): z.ZodType {
    const known = this.#named.get(ref);
    if (known !== undefined) return known;
    let target: z.ZodType | undefined;
    const made = z.lazy(() => {
      target ??= this.make(valueAtPointer(this.#root, ref) ?? true);
      return target;
    });
    this.#named.set(ref, made);
    return made;
  }
}

/** Values such as strings and numbers are listed in messages. */
function choiceOf(values: readonly JsonValue[]): z.ZodType {
  if (values.length > 0 && values.every((value) => typeof value === 'string')) return z.enum(values as string[]);
  const isPlain = (value: JsonValue): value is string | number | boolean | null =>
    typeof value !== 'object' || value === null;
  if (values.length > 0 && values.every(isPlain)) return z.literal(values);
  const words = values.map((value) => JSON.stringify(value)).join(' or ');
  return z.any().refine((value) => values.some((one) => jsonEquals(one, value)), `must be ${words}`);
}

function unionOf(options: readonly z.ZodType[]): z.ZodType {
  const [first, ...others] = options;
  if (first === undefined) return z.any();
  return others.length === 0 ? first : z.union(options);
}

/** Counts characters by code point, as JSON Schema does. */
function textOf({ minLength, maxLength }: JsonMap): z.ZodType {
  let text = z.string();
  if (typeof minLength === 'number' && minLength > 0) {
    const least = minLength;
    text = text.refine((value) => lengthOf(value, least) >= least, `must have at least ${countOf(least)}`);
  }
  if (typeof maxLength === 'number') {
    const most = maxLength;
    text = text.refine((value) => lengthOf(value, most + 1) <= most, `must have at most ${countOf(most)}`);
  }
  return text;
}

function countOf(count: number): string {
  return `${count} ${count === 1 ? 'character' : 'characters'}`;
}

/** Counts code points, but no further than needed. */
function lengthOf(text: string, enough: number): number {
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count >= enough) break;
  }
  return count;
}

function withBounds(schema: z.ZodNumber, rules: JsonMap): z.ZodType {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = rules;
  let bounded = schema;
  if (typeof minimum === 'number') bounded = bounded.gte(minimum);
  if (typeof maximum === 'number') bounded = bounded.lte(maximum);
  if (typeof exclusiveMinimum === 'number') bounded = bounded.gt(exclusiveMinimum);
  if (typeof exclusiveMaximum === 'number') bounded = bounded.lt(exclusiveMaximum);
  return bounded;
}

/** A missing value is replaced by the schema's default, as in built-in types' settings. */
function withDefault(made: z.ZodType, schema: JsonValue): z.ZodType {
  const otherwise = isJsonMap(schema) ? schema['default'] : undefined;
  return otherwise === undefined ? made.optional() : made.default(otherwise);
}

/** Returns the value at a JSON pointer in a schema; undefined for an anchor and for text that is not a pointer. */
export function valueAtPointer(root: JsonValue, ref: string): JsonValue | undefined {
  // An anchor has no slash and is validated during the run.
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  const keys = ref.split('/').slice(1).map(decoded);
  return keys.includes(undefined) ? undefined : valueAt(root, keys as string[]);
}

function decoded(key: string): string | undefined {
  try {
    return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
