/**
 * Resolves references inside a JSON Schema: JSON pointers (RFC 6901, as a fragment) and anchors.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';

/** Keywords whose values are not schemas, so an apparent anchor in them does not count. */
const plainKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

export class SchemaRefs {
  readonly #root: JsonMap;
  readonly #anchors = new Map<string, JsonMap>();

  constructor(root: JsonMap) {
    this.#root = root;
    this.#collect(root);
  }

  /** Returns the target of a `$ref`; undefined if it is not in this schema. */
  find(ref: string): JsonValue | undefined {
    if (ref === '#') return this.#root;
    if (!ref.startsWith('#/')) return this.#anchors.get(ref.slice(1));
    const segments = pointerSegments(ref.slice(1));
    return segments === undefined ? undefined : valueAt(this.#root, segments);
  }

  #collect(value: JsonValue): void {
    if (isJsonList(value)) {
      for (const one of value) this.#collect(one);
      return;
    }
    if (!isJsonMap(value)) return;
    const anchor = value['$anchor'];
    if (typeof anchor === 'string' && !this.#anchors.has(anchor)) this.#anchors.set(anchor, value);
    for (const [key, one] of Object.entries(value)) if (!plainKeywords.has(key)) this.#collect(one);
  }
}

/** Returns the segments of a JSON pointer, which may be percent-encoded; undefined if it is invalid. */
export function pointerSegments(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  try {
    const plain = decodeURIComponent(pointer);
    return plain
      .slice(1)
      .split('/')
      .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined;
  }
}

/** Returns the value at a path of names and indexes; undefined if it does not exist. */
export function valueAt(value: JsonValue, segments: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const segment of segments) {
    if (isJsonList(found)) found = /^\d+$/.test(segment) ? found[Number(segment)] : undefined;
    else found = isJsonMap(found) && Object.hasOwn(found, segment) ? found[segment] : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}
