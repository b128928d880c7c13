/**
 * An immutable map whose versions share their common parts, so that changing one of 100,000 entries costs about as much
 * as changing one of 10. Entries keep the order in which their keys were added. Values are in a persistent list, and
 * the key order is in an index shared by all versions.
 */

/**
 * The order in which keys were added, shared by all versions of a persistent map or set. It only grows: a version owns
 * the first `size` keys and ignores the rest, so adding a key does not affect older versions.
 */
export class KeyIndex<Key extends string | number = string> {
  readonly #positions = new Map<Key, number>();
  readonly #keys: Key[] = [];

  /** Returns the position of `key` among the first `size` keys. */
  positionOf(key: Key, size: number): number | undefined {
    const position = this.#positions.get(key);
    return position !== undefined && position < size ? position : undefined;
  }

  /** Yields the first `size` keys, in order. */
  *first(size: number): Generator<Key, undefined> {
    for (let position = 0; position < size; position++) yield this.keyAt(position);
  }

  /** @throws RangeError if there is no key at the position */
  keyAt(position: number): Key {
    const key = this.#keys[position];
    if (key === undefined) throw new RangeError(`No key at ${position}`);
    return key;
  }

  /**
   * Returns an index with the first `size` keys followed by `key`, which must be new to them: this index itself, unless
   * another version has added a different key at that position. The index for a first key is always new, so that the
   * shared initial index stays empty.
   */
  withNext(size: number, key: Key): KeyIndex<Key> {
    const next = this.#keys[size];
    if (next === key) return this;
    const index = size > 0 && next === undefined ? this : this.#copyOf(size);
    index.#push(key);
    return index;
  }

  #push(key: Key): void {
    this.#positions.set(key, this.#keys.length);
    this.#keys.push(key);
  }

  #copyOf(size: number): KeyIndex<Key> {
    const copy = new KeyIndex<Key>();
    for (const key of this.first(size)) copy.#push(key);
    return copy;
  }
}

const widthBits = 5;
const width = 2 ** widthBits;
const positionMask = width - 1;

/** A leaf has values; every other chunk has children. */
class Chunk<V> {
  /** The write that created the chunk and may still modify it. */
  readonly owner: object;
  readonly values: V[];
  readonly children: Chunk<V>[];

  constructor(owner: object, values: V[], children: Chunk<V>[]) {
    this.owner = owner;
    this.values = values;
    this.children = children;
  }
}

/** Placeholder for a chunk's absent part; never modified. */
const none: never[] = [];

/**
 * One write operation. Writes with the same `owner` share their copies, and intermediate versions are not preserved.
 */
interface ListWrite<V> {
  /** From 0 up to the list's size; the size itself appends. */
  readonly position: number;
  readonly value: V;
  readonly owner: object;
}

/**
 * A list whose versions share their common parts: a write copies one path in a tree of fixed-width chunks, which is
 * four chunks for a million values.
 */
class PersistentList<V> {
  readonly size: number;
  readonly #root: Chunk<V>;
  /** Number of position bits resolved below the root. */
  readonly #shift: number;

  private constructor(size: number, root: Chunk<V>, shift: number) {
    this.size = size;
    this.#root = root;
    this.#shift = shift;
  }

  static empty<V>(): PersistentList<V> {
    return new PersistentList<V>(0, new Chunk<V>({}, none, none), 0);
  }

  /** Returns the value at a position below `size`. */
  at(position: number): V | undefined {
    return this.#leafOf(position)?.values[position & positionMask];
  }

  *[Symbol.iterator](): Generator<V, undefined> {
    for (let from = 0; from < this.size; from += width) {
      for (const value of this.#leafOf(from)?.values ?? none) yield value;
    }
  }

  /** Returns the list with one value replaced or appended. */
  with(write: ListWrite<V>): PersistentList<V> {
    const isFull = write.position === width << this.#shift;
    const shift = isFull ? this.#shift + widthBits : this.#shift;
    const root = isFull ? new Chunk<V>(write.owner, none, [this.#root]) : this.#root;
    return new PersistentList(Math.max(this.size, write.position + 1), written(root, shift, write), shift);
  }

  #leafOf(position: number): Chunk<V> | undefined {
    let chunk: Chunk<V> | undefined = this.#root;
    for (let shift = this.#shift; shift > 0; shift -= widthBits) {
      chunk = chunk?.children[(position >>> shift) & positionMask];
    }
    return chunk;
  }
}

function written<V>(chunk: Chunk<V> | undefined, shift: number, write: ListWrite<V>): Chunk<V> {
  const own = chunk?.owner === write.owner ? chunk : copyOf(chunk, shift, write.owner);
  const slot = (write.position >>> shift) & positionMask;
  if (shift === 0) own.values[slot] = write.value;
  else own.children[slot] = written(own.children[slot], shift - widthBits, write);
  return own;
}

function copyOf<V>(chunk: Chunk<V> | undefined, shift: number, owner: object): Chunk<V> {
  if (shift === 0) return new Chunk<V>(owner, chunk?.values.slice() ?? [], none);
  return new Chunk<V>(owner, none, chunk?.children.slice() ?? []);
}

export class PersistentMap<V, Key extends string | number = string> implements ReadonlyMap<Key, V> {
  readonly #index: KeyIndex<Key>;
  readonly #values: PersistentList<V>;

  private constructor(index: KeyIndex<Key>, values: PersistentList<V>) {
    this.#index = index;
    this.#values = values;
  }

  /** Returns a map with these entries; returns `map` itself if it is already persistent. */
  static of<V, Key extends string | number = string>(map: ReadonlyMap<Key, V>): PersistentMap<V, Key> {
    if (map instanceof PersistentMap) return map;
    return new PersistentMap<V, Key>(new KeyIndex<Key>(), PersistentList.empty<V>()).withAll(map);
  }

  /** Returns the map with these entries replaced or, in order, added; returns itself if there are none. */
  withAll(changes: ReadonlyMap<Key, V>): PersistentMap<V, Key> {
    if (changes.size === 0) return this;
    const owner = {};
    let index = this.#index;
    let values = this.#values;
    for (const [key, value] of changes) {
      const known = index.positionOf(key, values.size);
      if (known === undefined) index = index.withNext(values.size, key);
      values = values.with({ position: known ?? values.size, value, owner });
    }
    return new PersistentMap(index, values);
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: Key): V | undefined {
    const position = this.#index.positionOf(key, this.size);
    return position === undefined ? undefined : this.#values.at(position);
  }

  has(key: Key): boolean {
    return this.#index.positionOf(key, this.size) !== undefined;
  }

  keys(): Generator<Key, undefined> {
    return this.#index.first(this.size);
  }

  values(): Generator<V, undefined> {
    return this.#values[Symbol.iterator]();
  }

  *entries(): Generator<[Key, V], undefined> {
    let position = 0;
    for (const value of this.#values) yield [this.#index.keyAt(position++), value];
  }

  [Symbol.iterator](): Generator<[Key, V], undefined> {
    return this.entries();
  }

  forEach(visit: (value: V, key: Key, map: ReadonlyMap<Key, V>) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }

  /** Makes consoles and comparisons treat it like a built-in map. */
  get [Symbol.toStringTag](): string {
    return 'Map';
  }
}
