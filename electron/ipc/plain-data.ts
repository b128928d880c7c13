/**
 * What may travel between processes: data as JSON has it, and bytes. The structured clone carries more (files, maps, keys),
 * but Electron's ports lose a whole message with such a thing in it, and then nobody could answer.
 */

/** Deeper than any flow or agent needs, and not so deep that the look at it runs out of stack. */
const maxDepth = 1000;

/**
 * Where in a value something stands that cannot travel, as a sentence without its end; undefined when all of it can. Reads
 * each property once, so what a getter throws is thrown here.
 */
export function findUnsendable(value: unknown, place = '', depth = 0): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return told(place, `a ${typeof value}`);
  if (typeof value !== 'object' || value === null || isBytes(value)) return undefined;
  if (depth > maxDepth) return told(place, `nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) {
    return firstOf(value.entries(), (index, item) => findUnsendable(item, `${place}[${index}]`, depth + 1));
  }
  if (!isPlainObject(value)) return told(place, `a ${Object.prototype.toString.call(value).slice(8, -1)}`);
  return firstOf(Object.entries(value), (key, item) => findUnsendable(item, `${place}.${key}`, depth + 1));
}

function firstOf<Key>(
  entries: Iterable<[Key, unknown]>,
  find: (key: Key, item: unknown) => string | undefined,
): string | undefined {
  for (const [key, item] of entries) {
    const found = find(key, item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function told(place: string, what: string): string {
  return `${place === '' ? 'the value' : place.replace(/^\./, '')} is ${what}`;
}

function isBytes(value: object): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** Also one without a prototype, and one that was made in another realm. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
