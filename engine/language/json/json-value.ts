/** Any JSON value. Files, bindings, inputs and outputs consist of these. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonMap;

/** A JSON object. */
export type JsonMap = { readonly [key: string]: JsonValue };

/** `Array.isArray` for JSON: the built-in function does not narrow read-only lists. */
export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Whether the value is a JSON object. */
export function isJsonMap(value: JsonValue | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares values deeply, as conditions do: key order does not matter, and nothing is converted. */
export function jsonEquals(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (isJsonList(left)) return isJsonList(right) && listsEqual(left, right);
  return isJsonMap(left) && isJsonMap(right) && mapsEqual(left, right);
}

/** Compares values deeply, as people read them: like `jsonEquals`, but also comparing key order. */
export function isWrittenAlike(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (isJsonList(left)) {
    return (
      isJsonList(right) &&
      left.length === right.length &&
      left.every((one, at) => isWrittenAlike(one, right[at] ?? null))
    );
  }
  if (!(isJsonMap(left) && isJsonMap(right))) return false;
  const [keys, others] = [Object.keys(left), Object.keys(right)];
  return (
    keys.length === others.length &&
    keys.every((key, place) => key === others[place] && isWrittenAlike(left[key] ?? null, right[key] ?? null))
  );
}

/** Returns a value as part of another text: text unchanged, everything else as JSON. */
export function textForm(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function listsEqual(left: readonly JsonValue[], right: readonly JsonValue[]): boolean {
  return left.length === right.length && left.every((item, index) => jsonEquals(item, right[index] ?? null));
}

function mapsEqual(left: JsonMap, right: JsonMap): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && jsonEquals(left[key] ?? null, right[key] ?? null));
}
