/**
 * Masks secrets in text, in every form in which they may occur, including in text that arrives in pieces.
 */
import { AlikeCover, type AlikeTexts, type Cover, type HiddenText, knownCovers } from './secret-covers.ts';
import { shortestHidden } from './secret-forms.ts';

export type { HiddenText } from './secret-covers.ts';

/** Replaces secrets with marks. */
export interface SecretMask {
  text(text: string): string;
  /** Masks text that arrives in pieces. Holds back a possible start of a secret. */
  stream(emit: (piece: string) => void): { push(piece: string): void; end(): void };
  /** Masks every string in a value, including field names. Returns the same object if there is nothing to mask. */
  value<Value>(value: Value): Value;
}

/** Minimum number of parts of a clean value that is remembered, because checking it again would be slower. */
const manyParts = 64;

/**
 * @param hidden secrets; those that are too short are ignored
 * @param alike additional secrets, searched for only where their common prefix occurs
 */
export function createMask(hidden: readonly HiddenText[], alike?: AlikeTexts): SecretMask {
  const long = hidden.filter(({ value }) => value.length >= shortestHidden);
  const covers = [...(alike === undefined ? [] : [new AlikeCover(alike)]), ...knownCovers(long)];
  return covers.length === 0 ? nothingHidden : new CoveringMask(covers);
}

const nothingHidden: SecretMask = {
  text: (text) => text,
  stream: (emit) => ({ push: emit, end: () => undefined }),
  value: (value) => value,
};

class CoveringMask implements SecretMask {
  readonly #covers: readonly Cover[];
  /** Frozen values with many parts that contain no secrets. */
  #clean: WeakSet<object> | undefined;
  /** Number of parts that were checked. */
  #parts = 0;
  /** The last string that was checked and is clean: a node passes on its input, and events contain stored values. */
  #lastText = '';
  #lastValue: unknown;

  constructor(covers: readonly Cover[]) {
    this.#covers = covers;
  }

  text(text: string): string {
    if (text.length < shortestHidden || text === this.#lastText) return text;
    let clean = this.#whole(text);
    for (const cover of this.#covers) if (cover.mayEndInside(clean)) clean = cover.withoutEnd(clean);
    if (clean === text) this.#lastText = text;
    return clean;
  }

  #whole(text: string): string {
    let clean = text;
    for (const cover of this.#covers) if (cover.isIn(clean)) clean = cover.whole(clean);
    return clean;
  }

  stream(emit: (piece: string) => void): { push(piece: string): void; end(): void } {
    let held = '';
    return {
      push: (piece) => {
        const clean = this.#whole(held + piece);
        const kept = Math.max(...this.#covers.map((cover) => cover.beginningIn(clean)));
        held = clean.slice(clean.length - kept);
        if (kept < clean.length) emit(clean.slice(0, clean.length - kept));
      },
      end: () => {
        const rest = this.text(held);
        held = '';
        if (rest !== '') emit(rest);
      },
    };
  }

  value<Value>(value: Value): Value {
    if (value === this.#lastValue) return value;
    const clean = this.#cleaned(value);
    // A frozen value stays clean.
    if (clean === value && Object.isFrozen(value)) this.#lastValue = value;
    // Strings are masked to strings, so the type is unchanged.
    return clean as Value;
  }

  #cleaned(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null || this.#clean?.has(value) === true) return value;
    // Binary data is not masked.
    if (ArrayBuffer.isView(value)) return value;
    const before = this.#parts;
    const clean = Array.isArray(value) ? this.#cleanList(value) : this.#cleanMap(value);
    // A frozen value is not checked again when it is emitted, stored and passed on.
    if (this.#parts - before >= manyParts && clean === value && Object.isFrozen(value)) {
      this.#clean ??= new WeakSet();
      this.#clean.add(value);
    }
    return clean;
  }

  #cleanList(list: readonly unknown[]): readonly unknown[] {
    let changed: unknown[] | undefined;
    this.#parts += list.length;
    for (let at = 0; at < list.length; at++) {
      const clean = this.#cleaned(list[at]);
      if (clean !== list[at]) changed ??= list.slice();
      if (changed !== undefined) changed[at] = clean;
    }
    return changed ?? list;
  }

  #cleanMap(map: object): object {
    for (const key in map) {
      const item = (map as Readonly<Record<string, unknown>>)[key];
      this.#parts++;
      // Built from entries, because a name may be `__proto__`.
      if (this.text(key) !== key || this.#cleaned(item) !== item)
        return Object.fromEntries(Object.entries(map).map(([name, one]) => [this.text(name), this.#cleaned(one)]));
    }
    return map;
  }
}
