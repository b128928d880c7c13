/**
 * A list whose versions share what they have in common: a write copies one path of a tree of fixed-width chunks, four
 * chunks for a million values.
 */

const widthBits = 5;
const width = 2 ** widthBits;
const positionMask = width - 1;

/** A leaf has values, every other chunk has children. */
class Chunk<V> {
  /** Whoever holds this object made the chunk and may still write into it. */
  readonly owner: object;
  readonly values: V[];
  readonly children: Chunk<V>[];

  constructor(owner: object, values: V[], children: Chunk<V>[]) {
    this.owner = owner;
    this.values = values;
    this.children = children;
  }
}

/** Stands for what a chunk has not; never written. */
const none: never[] = [];

/** One write. Writes with the same `owner` share their copies; versions in between are lost. */
export interface ListWrite<V> {
  /** From 0 up to the list's size, which appends. */
  readonly position: number;
  readonly value: V;
  readonly owner: object;
}

export class PersistentList<V> {
  readonly size: number;
  readonly #root: Chunk<V>;
  /** Bits of a position that are decided below the root. */
  readonly #shift: number;

  private constructor(size: number, root: Chunk<V>, shift: number) {
    this.size = size;
    this.#root = root;
    this.#shift = shift;
  }

  static empty<V>(): PersistentList<V> {
    return new PersistentList<V>(0, new Chunk<V>({}, none, none), 0);
  }

  /** The value at a position below `size`. */
  at(position: number): V | undefined {
    return this.#leafOf(position)?.values[position & positionMask];
  }

  *[Symbol.iterator](): Generator<V, undefined> {
    for (let from = 0; from < this.size; from += width) {
      for (const value of this.#leafOf(from)?.values ?? none) yield value;
    }
  }

  /** The list with one value replaced or appended. */
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
