/**
 * Whether a text holds one of many others, told by a look at few of its characters: nearly all texts hold none.
 */

/** Of the beginning of each text that is sought, so many characters are known by every three of them. */
const mostKnown = 32;
const blockLength = 3;
const fewTexts = 8;

/** What is known of three characters, by their hash: they stand at the beginning of a text that is sought, or anywhere in it. */
const inBeginning = 1;
const anywhere = 2;

interface Place {
  readonly sought: string;
  /** Where in it the three characters stand. */
  readonly offset: number;
}

/**
 * The search for a set of texts. Of a text that is searched it looks at three characters in a row, and again so far behind them that no
 * text that is sought fits between (after Wu and Manber, https://webglimpse.net/pubs/TR94-17.pdf).
 */
export class TextSearch {
  /** How many characters of each text are known; at most as many as the shortest has. */
  readonly #known: number;
  readonly #blocks: Uint8Array;
  /** By hash of three characters at the beginning of texts. */
  readonly #places = new Map<number, readonly Place[]>();

  /** @param sought each of at least 3 characters */
  constructor(sought: readonly string[]) {
    this.#known = sought.reduce((least, { length }) => Math.min(least, length), mostKnown);
    // So large that few other characters have the hash of some that are known.
    this.#blocks = new Uint8Array(sought.length <= fewTexts ? 4_096 : 65_536);
    for (const text of sought) this.#add(text);
  }

  #add(sought: string): void {
    for (let offset = 0; offset + blockLength <= sought.length; offset++) {
      const hash = this.#hashAt(sought, offset);
      const isKnown = offset + blockLength <= this.#known;
      this.#blocks[hash] = (this.#blocks[hash] ?? 0) | anywhere | (isKnown ? inBeginning : 0);
      if (isKnown) this.#places.set(hash, [...(this.#places.get(hash) ?? []), { sought, offset }]);
    }
  }

  /** Whether one of the texts stands in it. */
  isIn(text: string): boolean {
    const step = this.#known - blockLength + 1;
    const last = text.length - blockLength;
    for (let at = step - 1; at <= last; at += step) {
      const hash = this.#hashAt(text, at);
      if (((this.#blocks[hash] ?? 0) & inBeginning) !== 0 && this.#standsAt(text, at, hash)) return true;
    }
    return false;
  }

  #standsAt(text: string, at: number, hash: number): boolean {
    return (
      this.#places.get(hash)?.some(({ sought, offset }) => at >= offset && text.startsWith(sought, at - offset)) ===
      true
    );
  }

  /** False when its last six characters stand in none of the texts, so that it cannot end in the middle of one of them. */
  mayEndInside(text: string): boolean {
    const at = text.length - blockLength;
    return at >= blockLength && this.#knows(text, at) && this.#knows(text, at - blockLength);
  }

  #knows(text: string, at: number): boolean {
    return ((this.#blocks[this.#hashAt(text, at)] ?? 0) & anywhere) !== 0;
  }

  #hashAt(text: string, at: number): number {
    const hash = text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2);
    return hash & (this.#blocks.length - 1);
  }
}
