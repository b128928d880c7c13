/**
 * A map whose versions stay valid for ever and share what they have in common, so that changing one entry of 100,000
 * costs about as much as changing one of ten. Entries keep the order in which their keys first came.
 */
import { KeyIndex } from './key-index.ts';
import { PersistentList } from './persistent-list.ts';

export class PersistentMap<V> implements ReadonlyMap<string, V> {
  readonly #index: KeyIndex;
  readonly #values: PersistentList<V>;

  private constructor(index: KeyIndex, values: PersistentList<V>) {
    this.#index = index;
    this.#values = values;
  }

  /** A map with these entries: `map` itself when it is persistent already. */
  static of<V>(map: ReadonlyMap<string, V>): PersistentMap<V> {
    if (map instanceof PersistentMap) return map;
    return new PersistentMap<V>(new KeyIndex(), PersistentList.empty<V>()).withAll(map);
  }

  /** The map with these entries replaced or, in their order, added; itself when there are none. */
  withAll(changes: ReadonlyMap<string, V>): PersistentMap<V> {
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

  get(key: string): V | undefined {
    const position = this.#index.positionOf(key, this.size);
    return position === undefined ? undefined : this.#values.at(position);
  }

  has(key: string): boolean {
    return this.#index.positionOf(key, this.size) !== undefined;
  }

  keys(): Generator<string, undefined> {
    return this.#index.first(this.size);
  }

  values(): Generator<V, undefined> {
    return this.#values[Symbol.iterator]();
  }

  *entries(): Generator<[string, V], undefined> {
    let position = 0;
    for (const value of this.#values) yield [this.#index.keyAt(position++), value];
  }

  [Symbol.iterator](): Generator<[string, V], undefined> {
    return this.entries();
  }

  forEach(visit: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }

  /** Consoles and comparisons then treat it as what it stands for. */
  get [Symbol.toStringTag](): string {
    return 'Map';
  }
}
