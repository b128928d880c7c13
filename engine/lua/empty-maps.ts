/**
 * Empty tables of Lua, which are lists and maps at once.
 */
import type { JsonValue } from '../flowspec/json-value.ts';

/** The value with `{}` for each empty table, as wherever tables become JSON other than by `aip.json`. */
export function withEmptyMaps(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? {} : value.map(withEmptyMaps);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withEmptyMaps(entry)]));
}
