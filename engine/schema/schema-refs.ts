/**
 * References inside of one JSON Schema: by JSON pointer (RFC 6901, as a fragment) and by anchor.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';

/** Whose values are no schemas, so that what looks like an anchor in them is none. */
const plainKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

export class SchemaRefs {
  readonly #root: JsonMap;
  readonly #anchors = new Map<string, JsonMap>();

  constructor(root: JsonMap) {
    this.#root = root;
    this.#collect(root);
  }

  /** Where a `$ref` leads; undefined when it leads nowhere in this schema. */
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

/** The names on the way of a JSON pointer, which may be percent-encoded; undefined when it is none. */
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

/** What stands at the end of a way of names and indexes; undefined when nothing does. */
export function valueAt(value: JsonValue, segments: readonly string[]): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const segment of segments) {
    if (isJsonList(found)) found = /^\d+$/.test(segment) ? found[Number(segment)] : undefined;
    else found = isJsonMap(found) && Object.hasOwn(found, segment) ? found[segment] : undefined;
    if (found === undefined) return undefined;
  }
  return found;
}
