/**
 * Divides two values into the parts that differ: keys of objects, rows of lists of records, or the whole value.
 */
import {
  isJsonList,
  isJsonMap,
  type JsonMap,
  type JsonValue,
  jsonEquals,
  visibleText,
} from '../../engine/isomorphic.ts';

/** A part of a value. A side is undefined if its run does not have the part. */
export interface PairedPart {
  /** Keys, and numbers of rows from 0. Empty for the whole value. */
  readonly path: readonly (string | number)[];
  readonly a: string | undefined;
  readonly b: string | undefined;
}

/** The parts that differ, and how many more there are. */
export interface PairedParts {
  readonly parts: readonly PairedPart[];
  readonly omitted: number;
}

/** Maximum number of parts to show. */
const mostParts = 100;
/** Deeper values are compared as text. */
const deepest = 3;

export function differingParts(a: JsonValue | undefined, b: JsonValue | undefined): PairedParts {
  const parts = partsOf(a, b, []);
  return { parts: parts.slice(0, mostParts), omitted: Math.max(0, parts.length - mostParts) };
}

function partsOf(a: JsonValue | undefined, b: JsonValue | undefined, path: PairedPart['path']): readonly PairedPart[] {
  if (a === b || (a !== undefined && b !== undefined && jsonEquals(a, b))) return [];
  // A missing value has no keys, so those of the other one are shown.
  const [first = noFields, second = noFields] = [a, b];
  if (path.length < deepest && isJsonMap(first) && isJsonMap(second)) {
    return [...new Set([...Object.keys(second), ...Object.keys(first)])].flatMap((key) =>
      partsOf(ownField(first, key), ownField(second, key), [...path, key]),
    );
  }
  if (path.length < deepest && isRecords(a) && isRecords(b)) {
    const length = Math.max(a.length, b.length);
    return Array.from({ length }, (_, row) => partsOf(a[row], b[row], [...path, row])).flat();
  }
  return [{ path, a: textOf(a), b: textOf(b) }];
}

const noFields: JsonMap = {};

function ownField(map: JsonMap, key: string): JsonValue | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function isRecords(value: JsonValue | undefined): value is readonly JsonValue[] {
  return isJsonList(value) && value.length > 0 && value.every(isJsonMap);
}

/** Returns a value as text, without invisible characters. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  return visibleText(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}
