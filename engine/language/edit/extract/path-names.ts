/**
 * Names for the values that cross the boundary between two flows. A value is requested by its path. If a larger value
 * that contains it is also requested, only the larger one is passed.
 */

/** How a value is requested. */
interface ValueRequirement {
  /** The minimum number of segments of the value's path that may be passed instead. */
  readonly least: number;
  /** Whether the run would always fail without the value. */
  readonly isSure: boolean;
}

/** A value with a name. */
export interface NamedPath {
  readonly name: string;
  readonly path: readonly string[];
  readonly isSure: boolean;
}

export class PathNames {
  readonly #wishes = new Map<string, ValueRequirement & { readonly path: readonly string[] }>();
  readonly #named = new Map<string, NamedPath>();
  readonly #taken = new Set(['__proto__']);

  want(path: readonly string[], { least, isSure }: ValueRequirement): void {
    const key = JSON.stringify(path);
    const known = this.#wishes.get(key);
    this.#wishes.set(key, { path, least, isSure: isSure || known?.isSure === true });
  }

  /** Assigns names once all requests are known. @param taken names already in use */
  close(taken: Iterable<string> = []): void {
    for (const name of taken) this.#taken.add(name);
    for (const { path, least, isSure } of this.#wishes.values()) {
      const whole = this.#standIn(path, least);
      const key = JSON.stringify(whole);
      const known = this.#named.get(key);
      const name = known?.name ?? this.#freeName(whole);
      this.#named.set(key, { name, path: whole, isSure: isSure || known?.isSure === true });
    }
  }

  /** Returns the named value for a requested path. Its own path may be shorter. */
  nameOf(path: readonly string[]): NamedPath | undefined {
    const wish = this.#wishes.get(JSON.stringify(path));
    return wish === undefined ? undefined : this.#named.get(JSON.stringify(this.#standIn(path, wish.least)));
  }

  all(): readonly NamedPath[] {
    return [...this.#named.values()];
  }

  #standIn(path: readonly string[], least: number): readonly string[] {
    for (let length = Math.max(least, 1); length < path.length; length++) {
      const shorter = path.slice(0, length);
      if (this.#wishes.has(JSON.stringify(shorter))) return shorter;
    }
    return path;
  }

  #freeName(path: readonly string[]): string {
    const words = path.map((segment) => segment.replace(/\W+/g, '_')).join('_');
    const base = words
      .replace(/_{2,}/g, '_')
      .replace(/^_+|_+$/g, '')
      .replace(/^(?=\d|$)/, 'value_')
      .replace(/_$/, '');
    let name = base;
    for (let count = 2; this.#taken.has(name); count++) name = `${base}_${count}`;
    this.#taken.add(name);
    return name;
  }
}
