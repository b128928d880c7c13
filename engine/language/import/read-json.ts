/** Reads values of foreign JSON that may have any type. */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';

const emptyMap: JsonMap = {};

/** Returns a value of a map; undefined if there is none. Inherited properties do not count. */
export function at(map: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonMap(map) && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Returns the value at several keys, one inside the other; undefined if there is none. */
export function deepAt(map: JsonValue | undefined, ...keys: readonly string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>((value, key) => at(value, key), map);
}

/** Returns the text at a key; empty if it is not text or a number. */
export function textAt(map: JsonValue | undefined, key: string): string {
  const value = at(map, key);
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Returns the map at a key; empty if it is not a map. */
export function mapAt(map: JsonValue | undefined, key: string): JsonMap {
  const value = at(map, key);
  return isJsonMap(value) ? value : emptyMap;
}

/** Returns the maps in the list at a key; empty if it is not a list. */
export function mapsAt(map: JsonValue | undefined, key: string): readonly JsonMap[] {
  const value = at(map, key);
  return isJsonList(value) ? value.filter(isJsonMap) : [];
}

/** Returns the number at a key, also if it is written as text; undefined if it is not a number. */
export function numberAt(map: JsonValue | undefined, key: string): number | undefined {
  const value = at(map, key);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns an entry of a table; undefined if there is none. Inherited properties do not count. */
export function entryOf<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Whether a setting has no content. */
export function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  if (isJsonList(value)) return value.length === 0;
  return isJsonMap(value) && Object.values(value).every(isBlank);
}

/** Returns a map without the entries that are undefined. */
export function defined(entries: { readonly [key: string]: JsonValue | undefined }): JsonMap {
  return Object.fromEntries(
    Object.entries(entries).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}
