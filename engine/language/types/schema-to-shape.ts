/**
 * Converts a JSON Schema to a shape. Unsupported keywords widen the shape and never narrow it.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { valueAtPointer } from '../schema/schema-of-json.ts';
import {
  anyShape,
  both,
  deepest,
  emptyShape,
  type Field,
  type KindName,
  kinds,
  listOf,
  oneOfValues,
  union,
  unionOf,
  type ValueShape,
} from './shape.ts';

const known = new WeakMap<JsonMap, ValueShape>();
/** Schemas that represent shapes: passed to node types in place of a value's schema. */
const standIns = new WeakMap<JsonMap, ValueShape>();

/** Returns the shape of the values that a schema accepts; the same shape for the same object. */
export function shapeOfSchema(schema: JsonMap | boolean): ValueShape {
  if (!isJsonMap(schema)) return schema ? anyShape : emptyShape;
  let shape = known.get(schema);
  if (shape === undefined) {
    shape = new SchemaShapeReader(schema).read(schema, 0);
    known.set(schema, shape);
  }
  return shape;
}

/** Returns a schema that is read as this shape, even inside another one. For a list, it also has `items`. */
export function schemaOfShape(shape: ValueShape): JsonMap {
  const isList = shape.kinds === kinds.list && shape.items !== undefined;
  const schema: JsonMap = isList ? { items: schemaOfShape(shape.items ?? anyShape) } : {};
  standIns.set(schema, shape);
  return schema;
}

const typeKinds: Readonly<Record<string, KindName>> = {
  null: 'null',
  boolean: 'boolean',
  number: 'number',
  integer: 'number',
  string: 'string',
  array: 'list',
  object: 'map',
};

class SchemaShapeReader {
  readonly #root: JsonMap;
  /** References being followed. A circular reference adds no information. */
  readonly #open = new Set<string>();

  constructor(root: JsonMap) {
    this.#root = root;
  }

  read(schema: JsonValue | undefined, depth: number): ValueShape {
    if (schema === false) return emptyShape;
    if (!isJsonMap(schema) || depth > deepest) return anyShape;
    // A nested `$id` changes the meaning of references.
    if (schema['$id'] !== undefined && schema !== this.#root) return anyShape;
    const shape = standIns.get(schema) ?? this.#gathered(schema, depth);
    // The OpenAPI keyword, which some servers use.
    return schema['nullable'] === true ? union(shape, oneOfValues([null])) : shape;
  }

  #gathered(schema: JsonMap, depth: number): ValueShape {
    const { anyOf, oneOf, allOf, $ref, not } = schema;
    if (isJsonMap(not) && Object.keys(not).length === 0) return emptyShape;
    const listed = (list: JsonValue | undefined): readonly ValueShape[] =>
      isJsonList(list) ? list.map((one) => this.read(one, depth + 1)) : [];
    const choices = [listed(anyOf), listed(oneOf)].filter(({ length }) => length > 0).map(unionOf);
    const behind = typeof $ref === 'string' ? [this.#behind($ref, depth)] : [];
    return [...behind, ...choices, ...listed(allOf)].reduce((all, one) => both(all, one), this.#own(schema, depth));
  }

  #behind(ref: string, depth: number): ValueShape {
    if (this.#open.has(ref)) return anyShape;
    const target = valueAtPointer(this.#root, ref);
    if (target === undefined) return anyShape;
    this.#open.add(ref);
    const shape = this.read(target, depth + 1);
    this.#open.delete(ref);
    return shape;
  }

  #own(schema: JsonMap, depth: number): ValueShape {
    const shape = { ...kindsIn(schema['type']), ...this.#fields(schema, depth), ...this.#items(schema, depth) };
    const { const: only, enum: values } = schema;
    const choice = only !== undefined ? [only] : isJsonList(values) ? values : undefined;
    return choice === undefined ? shape : both(shape, oneOfValues(choice));
  }

  #fields(schema: JsonMap, depth: number): Pick<ValueShape, 'fields' | 'rest'> {
    const { properties, required, additionalProperties, patternProperties } = schema;
    const needed = isJsonList(required) ? required.filter((name) => typeof name === 'string') : [];
    const named = isJsonMap(properties) ? Object.entries(properties) : [];
    const fields = new Map<string, Field>(
      named.map(([name, one]) => [name, { shape: this.read(one, depth + 1), isSure: needed.includes(name) }]),
    );
    // A pattern may match any key, even one that `additionalProperties` would reject.
    const hasPatterns = isJsonMap(patternProperties) && Object.keys(patternProperties).length > 0;
    const isSaid = additionalProperties !== undefined && !hasPatterns;
    const rest = isSaid ? this.read(additionalProperties, depth + 1) : undefined;
    for (const name of needed) {
      const isNew = typeof name === 'string' && !fields.has(name);
      if (isNew) fields.set(name, { shape: rest ?? anyShape, isSure: true });
    }
    return {
      ...(fields.size === 0 ? {} : { fields }),
      ...(rest === undefined ? {} : { rest }),
    };
  }

  #items({ items, prefixItems }: JsonMap, depth: number): Pick<ValueShape, 'items'> {
    // In older drafts, a list of schemas defines a tuple.
    if (items === undefined || isJsonList(items)) return {};
    const places = isJsonList(prefixItems) ? prefixItems : [];
    return { items: unionOf([items, ...places].map((one) => this.read(one, depth + 1))) };
  }
}

function kindsIn(type: JsonValue | undefined): ValueShape {
  const names = isJsonList(type) ? type : [type];
  const found = names.map((name) => (typeof name === 'string' ? typeKinds[name] : undefined));
  if (found.length === 0 || found.includes(undefined)) return anyShape;
  return { kinds: found.reduce((bits, name) => bits | (name === undefined ? 0 : kinds[name]), 0) };
}

/** Returns a literal value's shape: strings in it stand for themselves. */
export function shapeOfValue(value: JsonValue, depth = 0): ValueShape {
  if (depth > deepest) return anyShape;
  if (isJsonList(value)) return listOf(unionOf(value.map((item) => shapeOfValue(item, depth + 1))));
  if (!isJsonMap(value)) return oneOfValues([value]);
  const fields = Object.entries(value).map(([key, item]): [string, Field] => [
    key,
    { shape: shapeOfValue(item, depth + 1), isSure: true },
  ]);
  return { kinds: kinds.map, fields: new Map(fields), rest: emptyShape };
}
