/**
 * An immutable set whose versions share their members, in the order in which they were added.
 */
import { KeyIndex } from './persistent-map.ts';

export class PersistentSet implements ReadonlySet<string> {
  readonly size: number;
  readonly #index: KeyIndex;

  private constructor(size: number, index: KeyIndex) {
    this.size = size;
    this.#index = index;
  }

  /** Returns a set with these members; returns `members` itself if it is already a persistent set. */
  static of(members: Iterable<string>): PersistentSet {
    if (members instanceof PersistentSet) return members;
    let set = new PersistentSet(0, new KeyIndex());
    for (const member of members) set = set.with(member);
    return set;
  }

  /** Returns the set with one more member; returns itself if it already has the member. */
  with(member: string): PersistentSet {
    if (this.has(member)) return this;
    return new PersistentSet(this.size + 1, this.#index.withNext(this.size, member));
  }

  has(member: string): boolean {
    return this.#index.positionOf(member, this.size) !== undefined;
  }

  keys(): Generator<string, undefined> {
    return this.#index.first(this.size);
  }

  values(): Generator<string, undefined> {
    return this.keys();
  }

  *entries(): Generator<[string, string], undefined> {
    for (const member of this) yield [member, member];
  }

  [Symbol.iterator](): Generator<string, undefined> {
    return this.keys();
  }

  forEach(visit: (member: string, same: string, set: ReadonlySet<string>) => void): void {
    for (const member of this) visit(member, member, this);
  }

  /** Makes consoles and comparisons treat it like a built-in set. */
  get [Symbol.toStringTag](): string {
    return 'Set';
  }
}
