/**
 * Fields that an output may have in addition to its node type's fields.
 */
import {
  anyShape,
  canBe,
  emptyShape,
  type Field,
  isUnknown,
  kinds,
  mapOf,
  ofKind,
  oneOfValues,
  sure,
  union,
  unsure,
  type ValueShape,
} from './shape.ts';

const text = ofKind('string');

/** Fields of the marker that replaces a failed or skipped node's output. */
const markerFields: readonly (readonly [string, Field])[] = [
  ['failed', unsure(oneOfValues([true]))],
  [
    'error',
    unsure(
      mapOf([
        ['code', sure(text)],
        ['message', sure(text)],
        ['stack', unsure(text)],
      ]),
    ),
  ],
  ['attempts', unsure(ofKind('number'))],
  ['skipped', unsure(oneOfValues([true]))],
  ['reason', unsure(oneOfValues(['when', 'edge', 'disabled', 'directive', 'autonomy', 'suggested']))],
  ['suggested', unsure(oneOfValues([true]))],
  ['tool', unsure(text)],
  ['params', unsure(anyShape)],
];

/** Marker field names. */
export const markerNames: ReadonlySet<string> = new Set(markerFields.map(([name]) => name));

/** Added to a node's output if an edge follows a start or call that a person rejects. */
export const rejectionFields: readonly (readonly [string, Field])[] = [
  ['route', sure(oneOfValues(['rejected']))],
  ['message', sure(text)],
  ['comment', sure(text)],
];

/** Adds optional fields to a shape. */
export function withOptional(shape: ValueShape, more: readonly (readonly [string, Field])[]): ValueShape {
  if (isUnknown(shape)) return shape;
  const isMap = canBe(shape, 'map');
  const fields = new Map(isMap ? shape.fields : []);
  for (const [name, field] of more) {
    const own = fields.get(name);
    fields.set(name, own === undefined ? field : { ...own, shape: union(own.shape, field.shape) });
  }
  return { ...shape, kinds: shape.kinds | kinds.map, fields, ...(isMap ? {} : { rest: emptyShape }) };
}

const marked = new WeakMap<ValueShape, ValueShape>();

/** Adds marker fields. Returns the same object for the same shape. */
export function withMarkers(shape: ValueShape): ValueShape {
  let made = marked.get(shape);
  if (made === undefined) {
    made = withOptional(shape, markerFields);
    marked.set(shape, made);
  }
  return made;
}
