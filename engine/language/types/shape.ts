/**
 * The possible values of something, insofar as they are known before a run. A shape is an upper bound: it may include
 * values that never occur, but never excludes one that can.
 */
import { isJsonList, isJsonMap, type JsonValue, jsonEquals } from '../json/json-value.ts';

/** One bit per kind, so that sets of kinds are numbers. */
export const kinds = { null: 1, boolean: 2, number: 4, string: 8, list: 16, map: 32 } as const;

export type KindName = keyof typeof kinds;

const everyKind = 63;

/** A map key. */
export interface Field {
  readonly shape: ValueShape;
  /** Whether every such map has the key. */
  readonly isSure: boolean;
}

export interface ValueShape {
  /** The possible kinds; 0 if no value is possible. */
  readonly kinds: number;
  /** The only possible values, if they are few and known. Never includes lists or maps. */
  readonly values?: readonly JsonValue[];
  /** For a map: the known keys. */
  readonly fields?: ReadonlyMap<string, Field>;
  /** For a map: the shape of its other keys; absent for anything. */
  readonly rest?: ValueShape;
  /** For a list: the shape of its items; absent for anything. */
  readonly items?: ValueShape;
}

export const anyShape: ValueShape = { kinds: everyKind };
export const emptyShape: ValueShape = { kinds: 0 };

/** Maximum number of listed values. If there are more, only their kinds are kept. */
const mostValues = 50;
/** Shapes below this depth count as anything. */
export const deepest = 12;

export function isEmptyShape({ kinds: bits }: ValueShape): boolean {
  return bits === 0;
}

/** Whether nothing is known about the value. */
export function isUnknown({ kinds: bits, fields, items, rest, values }: ValueShape): boolean {
  return (
    bits === everyKind && fields === undefined && items === undefined && rest === undefined && values === undefined
  );
}

/** Whether a value of this shape can have the kind. */
export function canBe(shape: ValueShape, kind: KindName): boolean {
  return (shape.kinds & kinds[kind]) !== 0;
}

export function ofKind(...names: readonly KindName[]): ValueShape {
  return { kinds: names.reduce((bits, name) => bits | kinds[name], 0) };
}

export function listOf(items: ValueShape): ValueShape {
  return { kinds: kinds.list, items };
}

/** Returns the shape of a map with these keys. @param rest shape of other keys; `emptyShape` if there are none */
export function mapOf(fields: Iterable<readonly [string, Field]>, rest: ValueShape = emptyShape): ValueShape {
  return { kinds: kinds.map, fields: new Map(fields), rest };
}

export function sure(shape: ValueShape): Field {
  return { shape, isSure: true };
}

export function unsure(shape: ValueShape): Field {
  return { shape, isSure: false };
}

export function kindOf(value: JsonValue): KindName {
  if (value === null) return 'null';
  if (isJsonList(value)) return 'list';
  return isJsonMap(value) ? 'map' : (typeof value as 'boolean' | 'number' | 'string');
}

/** Returns the shape of one of a few values. Only the kind is kept for lists and maps. */
export function oneOfValues(values: readonly JsonValue[]): ValueShape {
  const bits = values.reduce<number>((sum, value) => sum | kinds[kindOf(value)], 0);
  const isPlain = values.every((value) => typeof value !== 'object' || value === null);
  return isPlain && values.length <= mostValues ? { kinds: bits, values } : { kinds: bits };
}

/** Returns the shape without the kind. */
export function except(shape: ValueShape, kind: KindName): ValueShape {
  if (!canBe(shape, kind)) return shape;
  const { values } = shape;
  const left = values?.filter((value) => kindOf(value) !== kind);
  return { ...shape, kinds: shape.kinds & ~kinds[kind], ...(left === undefined ? {} : { values: left }) };
}

/** Returns the union of two shapes. */
export function union(left: ValueShape, right: ValueShape, depth = 0): ValueShape {
  if (isEmptyShape(left) || left === right) return right;
  if (isEmptyShape(right)) return left;
  if (isUnknown(left) || isUnknown(right) || depth > deepest) return anyShape;
  const values = unionOfValues(left, right);
  const items = unionOfItems(left, right, depth);
  return { kinds: left.kinds | right.kinds, ...values, ...unionOfFields(left, right, depth), ...items };
}

export function unionOf(shapes: readonly ValueShape[]): ValueShape {
  return shapes.reduce((all, one) => union(all, one), emptyShape);
}

function unionOfValues({ values: left }: ValueShape, { values: right }: ValueShape): Pick<ValueShape, 'values'> {
  if (left === undefined || right === undefined) return {};
  const all = [...left, ...right.filter((value) => !left.some((one) => jsonEquals(one, value)))];
  return all.length > mostValues ? {} : { values: all };
}

function unionOfFields(left: ValueShape, right: ValueShape, depth: number): Pick<ValueShape, 'fields' | 'rest'> {
  if (!canBe(left, 'map')) return copied(right);
  if (!canBe(right, 'map')) return copied(left);
  const names = new Set([...(left.fields?.keys() ?? []), ...(right.fields?.keys() ?? [])]);
  const fields = [...names].map((name): [string, Field] => {
    const [one, other] = [fieldOf(left, name), fieldOf(right, name)];
    return [name, { shape: union(one.shape, other.shape, depth + 1), isSure: one.isSure && other.isSure }];
  });
  const rest =
    left.rest === undefined || right.rest === undefined ? undefined : union(left.rest, right.rest, depth + 1);
  return { fields: new Map(fields), ...(rest === undefined ? {} : { rest }) };
}

function copied({ fields, rest }: ValueShape): Pick<ValueShape, 'fields' | 'rest'> {
  return { ...(fields === undefined ? {} : { fields }), ...(rest === undefined ? {} : { rest }) };
}

/** Returns the shape of a list's items. Ignores a shape that is never a list. */
function unionOfItems(left: ValueShape, right: ValueShape, depth: number): Pick<ValueShape, 'items'> {
  const [one, other] = [left, right].filter((shape) => canBe(shape, 'list')).map(({ items = anyShape }) => items);
  if (one === undefined) return {};
  return { items: other === undefined ? one : union(one, other, depth + 1) };
}

/** Returns a map's key. For a key that the shape does not name, returns the shape of other keys. */
export function fieldOf({ fields, rest = anyShape }: ValueShape, name: string): Field {
  return fields?.get(name) ?? unsure(rest);
}

/** Returns the intersection of two shapes, insofar as it is easy to compute. Never excludes a possible value. */
export function both(left: ValueShape, right: ValueShape, depth = 0): ValueShape {
  if (isUnknown(left) || depth > deepest) return right;
  if (isUnknown(right)) return left;
  const values = valuesOfBoth(left, right);
  const bits = left.kinds & right.kinds;
  const items = eitherPart(left.items, right.items, depth);
  const fields = fieldsOfBoth(left, right, depth);
  return {
    kinds: values === undefined ? bits : values.reduce<number>((sum, value) => sum | (kinds[kindOf(value)] & bits), 0),
    ...(values === undefined ? {} : { values }),
    ...fields,
    ...(items === undefined ? {} : { items }),
  };
}

function eitherPart(
  left: ValueShape | undefined,
  right: ValueShape | undefined,
  depth: number,
): ValueShape | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return both(left, right, depth + 1);
}

function valuesOfBoth(left: ValueShape, right: ValueShape): readonly JsonValue[] | undefined {
  const { values } = left;
  if (values === undefined) return right.values?.filter((value) => canBe(left, kindOf(value)));
  const { values: others } = right;
  if (others === undefined) return values.filter((value) => canBe(right, kindOf(value)));
  return values.filter((value) => others.some((other) => jsonEquals(value, other)));
}

function fieldsOfBoth(left: ValueShape, right: ValueShape, depth: number): Pick<ValueShape, 'fields' | 'rest'> {
  const rest = eitherPart(left.rest, right.rest, depth);
  const closed = rest === undefined ? {} : { rest };
  if (left.fields === undefined && right.fields === undefined) return closed;
  const names = new Set([...(left.fields?.keys() ?? []), ...(right.fields?.keys() ?? [])]);
  const fields = [...names].map((name): [string, Field] => {
    const [one, other] = [fieldOf(left, name), fieldOf(right, name)];
    return [name, { shape: both(one.shape, other.shape, depth + 1), isSure: one.isSure || other.isSure }];
  });
  return { fields: new Map(fields), ...closed };
}

const kindWords: Readonly<Record<KindName, string>> = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  string: 'text',
  list: 'a list',
  map: 'a map',
};

const mostShown = 8;

/** Describes a shape for display: `a list`, `text or a number`, `"a" or "b"`. */
export function shapeText(shape: ValueShape): string {
  const { values } = shape;
  if (values !== undefined && values.length > 0) {
    const shown = values.slice(0, mostShown).map((value) => JSON.stringify(value));
    return values.length > mostShown ? `one of ${shown.join(', ')}, …` : shown.join(' or ');
  }
  const names = (Object.keys(kinds) as KindName[]).filter((name) => canBe(shape, name));
  return names.length === 0 ? 'nothing' : names.map((name) => kindWords[name]).join(' or ');
}

/** Returns the shape of a map or list member. */
export function stepInto(shape: ValueShape, segment: string): ValueShape {
  let found: ValueShape = emptyShape;
  if (canBe(shape, 'list') && /^(?:0|[1-9]\d*)$/.test(segment)) found = shape.items ?? anyShape;
  if (canBe(shape, 'map')) found = union(found, fieldOf(shape, segment).shape);
  return found;
}

/** Narrows one field; `emptyShape` removes it. */
export function withField(shape: ValueShape, name: string, field: ValueShape): ValueShape {
  if (!canBe(shape, 'map') || isUnknown(shape)) return shape;
  const fields = new Map(shape.fields);
  if (isEmptyShape(field)) {
    fields.delete(name);
    return { ...shape, fields };
  }
  fields.set(name, sure(both(fieldOf(shape, name).shape, field)));
  return { ...shape, fields };
}
