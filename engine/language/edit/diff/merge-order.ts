/**
 * Compares and merges the orders of two lists of unique names.
 */

/** Returns the names that are in both lists, but in another order; the fewest that explain the difference. */
export function movedNames(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = new Map(before.map((name, place) => [name, place]));
  const common = after.filter((name) => places.has(name));
  const kept = new Set(longestRising(common.map((name) => places.get(name) ?? 0)));
  return new Set(common.filter((_, index) => !kept.has(index)));
}

/** Returns the indexes of the longest sequence of numbers that rises. */
function longestRising(numbers: readonly number[]): readonly number[] {
  /** For each length, the index of the smallest number that ends such a sequence. */
  const ends: number[] = [];
  const former: number[] = [];
  for (const [index, number] of numbers.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    former[index] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = index;
  }
  const found: number[] = [];
  for (let index = ends.at(-1) ?? -1; index !== -1; index = former[index] ?? -1) found.push(index);
  return found;
}

interface OrderChoice {
  /** Whether the result contains the name. */
  readonly has: (name: string) => boolean;
  /** Names with another place in the second list. */
  readonly moved: ReadonlySet<string>;
  /** Whether a moved name gets its new place. */
  readonly isTaken: (name: string) => boolean;
}

/**
 * Merges two orders: names keep their place in `before`, and new or moved ones follow the name that precedes them in
 * `after`. With everything that differs, the result is `after`.
 */
export function mergeOrder(before: readonly string[], after: readonly string[], choice: OrderChoice): string[] {
  const { has, moved, isTaken } = choice;
  const staying = before.filter((name) => has(name) && !(moved.has(name) && isTaken(name)));
  const placed = new Set(staying);
  const chain = new Chain(staying);
  for (const name of after) {
    // A name that keeps its old place says nothing about the new place of others.
    if (!has(name) || (moved.has(name) && !isTaken(name))) continue;
    if (placed.has(name)) chain.goTo(name);
    else chain.insert(name);
  }
  return chain.names();
}

/** A linked list of unique names, with a position in it. */
class Chain {
  /** The next name of each; of `undefined` the first one. */
  readonly #next = new Map<string | undefined, string>();
  #position: string | undefined;

  constructor(names: readonly string[]) {
    for (const [index, name] of names.entries()) this.#next.set(names[index - 1], name);
  }

  goTo(name: string): void {
    this.#position = name;
  }

  /** Inserts a name after the position, and goes to it. */
  insert(name: string): void {
    const behind = this.#next.get(this.#position);
    if (behind !== undefined) this.#next.set(name, behind);
    this.#next.set(this.#position, name);
    this.#position = name;
  }

  names(): string[] {
    const names: string[] = [];
    for (let name = this.#next.get(undefined); name !== undefined; name = this.#next.get(name)) names.push(name);
    return names;
  }
}
