/**
 * The order in which keys first came, shared by all versions of a persistent map or set. It only ever grows: a version
 * owns the first `size` keys and never looks at those behind them, so adding a key costs its older versions nothing.
 */
export class KeyIndex {
  readonly #positions = new Map<string, number>();
  readonly #keys: string[] = [];

  /** Where `key` stands among the first `size` keys. */
  positionOf(key: string, size: number): number | undefined {
    const position = this.#positions.get(key);
    return position !== undefined && position < size ? position : undefined;
  }

  /** The first `size` keys, in order. */
  *first(size: number): Generator<string, undefined> {
    for (let position = 0; position < size; position++) yield this.keyAt(position);
  }

  /** @throws RangeError when no key stands there */
  keyAt(position: number): string {
    const key = this.#keys[position];
    if (key === undefined) throw new RangeError(`No key at ${position}`);
    return key;
  }

  /**
   * An index with these first `size` keys and then `key`, which must be new to them: this one, unless another version
   * has put a different key there. An index for a first key is always new, so that what all begin with stays empty.
   */
  withNext(size: number, key: string): KeyIndex {
    const next = this.#keys[size];
    if (next === key) return this;
    const index = size > 0 && next === undefined ? this : this.#copyOf(size);
    index.#push(key);
    return index;
  }

  #push(key: string): void {
    this.#positions.set(key, this.#keys.length);
    this.#keys.push(key);
  }

  #copyOf(size: number): KeyIndex {
    const copy = new KeyIndex();
    for (const key of this.first(size)) copy.#push(key);
    return copy;
  }
}
