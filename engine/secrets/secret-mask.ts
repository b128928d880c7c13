/**
 * Takes secrets out of texts, in every form in which they may stand there, also when a text comes in pieces.
 */
import { AlikeCover, type AlikeTexts, type Cover, type HiddenText, knownCovers } from './secret-covers.ts';
import { shortestHidden } from './secret-forms.ts';

export type { HiddenText } from './secret-covers.ts';

/** Takes out what must not be seen. */
export interface SecretMask {
  text(text: string): string;
  /** The same for a text that comes in pieces, in which a secret may be split: what may be the beginning of one is held back. */
  stream(emit: (piece: string) => void): { push(piece: string): void; end(): void };
  /** The same for each text of a value, names of fields included; what holds none comes back itself. */
  value<Value>(value: Value): Value;
}

/** Values of so many parts are known by themselves once they are clean: looking again would take longer. */
const manyParts = 64;

/**
 * @param hidden values that are too short to be hidden are left out
 * @param alike more of them, which are taken apart only where their common beginning is found
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
  /** Frozen values of many parts that are clean. */
  #clean: WeakSet<object> | undefined;
  /** Parts that were looked at. */
  #parts = 0;
  /** What was looked at last and is clean: a node hands on what it was given, and it is told as it is kept. */
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
    // What cannot change any more stays clean.
    if (clean === value && Object.isFrozen(value)) this.#lastValue = value;
    // Each text comes out as a text.
    return clean as Value;
  }

  #cleaned(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null || this.#clean?.has(value) === true) return value;
    // Bytes are no text.
    if (ArrayBuffer.isView(value)) return value;
    const before = this.#parts;
    const clean = Array.isArray(value) ? this.#cleanList(value) : this.#cleanMap(value);
    // What cannot change any more need not be looked at again: an output is told, kept and handed on.
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
      // Put together from pairs, because a name may be `__proto__`.
      if (this.text(key) !== key || this.#cleaned(item) !== item)
        return Object.fromEntries(Object.entries(map).map(([name, one]) => [this.text(name), this.#cleaned(one)]));
    }
    return map;
  }
}
