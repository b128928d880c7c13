/**
 * Follows a path through a shape: the shape at its end, and whether the value can be missing.
 */
import { pathText } from '../bindings/binding-path.ts';
import { markerNames } from './marker-shapes.ts';
import { canBe, fieldOf, isEmptyShape, isUnknown, shapeText, stepInto, type ValueShape } from './shape.ts';

export type FoundValue =
  | { readonly missing: 'never'; readonly shape: ValueShape }
  /** `at`: the part of the path that may be missing. */
  | { readonly missing: 'maybe'; readonly shape: ValueShape; readonly at: readonly string[]; readonly why: string }
  | { readonly missing: 'always'; readonly problem: MissingProblem };

interface MissingProblem {
  readonly message: string;
  readonly mistyped?: { readonly word: string; readonly known: readonly string[] };
}

/** @param nodeType type of the node at the start of the path, if any */
export function followPath(start: ValueShape, path: readonly string[], nodeType: string | undefined): FoundValue {
  let shape = start;
  let doubt: { readonly at: readonly string[]; readonly why: string } | undefined;
  // A list's length is known only at run time. Below a list item, only values that can never exist are reported.
  let isMember = false;
  for (let depth = 1; depth < path.length; depth++) {
    const segment = path[depth] ?? '';
    const inner = stepInto(shape, segment);
    if (isEmptyShape(inner))
      return { missing: 'always', problem: problemAt(shape, path.slice(0, depth), { segment, nodeType }) };
    isMember ||= canBe(shape, 'list') && /^\d+$/.test(segment);
    if (!isMember) doubt ??= doubtAt(shape, path.slice(0, depth + 1), segment);
    shape = inner;
  }
  if (isEmptyShape(shape) || isOnlyNull(shape)) return { missing: 'always', problem: isNull(path) };
  return doubt === undefined ? { missing: 'never', shape } : { missing: 'maybe', shape, ...doubt };
}

function doubtAt(
  shape: ValueShape,
  at: readonly string[],
  segment: string,
): { at: readonly string[]; why: string } | undefined {
  const name = pathText(at);
  if (isUnknown(shape)) return undefined;
  const known = shape.fields?.get(segment);
  const isMarker = at.length === 2 && markerNames.has(segment);
  if (known !== undefined && !known.isSure && !isUnknown(known.shape) && !isMarker)
    return { at, why: `"${name}" may be missing: it is an optional field.` };
  return undefined;
}

function isOnlyNull(shape: ValueShape): boolean {
  return canBe(shape, 'null') && shape.kinds === 1;
}

function isNull(path: readonly string[]): MissingProblem {
  return { message: `"${pathText(path)}" is always null, which counts as missing.` };
}

const mostNames = 12;

function problemAt(
  shape: ValueShape,
  before: readonly string[],
  { segment, nodeType }: { readonly segment: string; readonly nodeType: string | undefined },
): MissingProblem {
  const name = pathText(before);
  const isNode = before.length === 1 && nodeType !== undefined;
  const what = isNode ? `The output of "${name}" (${nodeType})` : `"${name}"`;
  if (!canBe(shape, 'map') || shape.fields === undefined) {
    return { message: `${what} is ${shapeText(shape)}, so it has no "${segment}".` };
  }
  const own = [...shape.fields].filter(
    ([key, field]) => !isEmptyShape(field.shape) && !(isNode && isMarkerOnly(key, shape)),
  );
  const names = own.map(([key]) => key);
  const known = names.length === 0 ? 'It has no fields.' : `It has: ${namesText(names)}.`;
  return { message: `${what} has no field "${segment}". ${known}`, mistyped: { word: segment, known: names } };
}

function isMarkerOnly(key: string, shape: ValueShape): boolean {
  return markerNames.has(key) && !fieldOf(shape, key).isSure;
}

function namesText(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}
