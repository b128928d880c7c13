/**
 * Finds the first of many texts in another, and looks at few of its characters for that: nearly all texts hold none.
 */

/** Of the beginning of each text that is sought, so many characters are known by every three of them. */
const mostKnown = 32;
const blockLength = 3;
/** The table has this many entries for each known block, so that hash collisions are rare. */
const spareRoom = 16;
const smallestTable = 4_096;
const largestTable = 1_048_576;

/** A text that is sought. */
export interface Sought {
  /** At least 3 characters. */
  readonly text: string;
  /** The text is in small letters, and found in small and capital ones. */
  readonly isFolded?: boolean;
}

/** What is known of three characters, by their hash: they stand at the beginning of a text that is sought, or anywhere in it. */
const inBeginning = 1;
const anywhere = 2;

interface Place<One> {
  readonly sought: One;
  /** Where in it the three characters stand. */
  readonly offset: number;
}

export interface Found<One> {
  readonly at: number;
  readonly sought: One;
}

/**
 * The search for a set of texts. Of a text that is searched it looks at three characters in a row, and again so far behind them that no
 * text that is sought fits between (after Wu and Manber, https://webglimpse.net/pubs/TR94-17.pdf).
 */
export class TextSearch<One extends Sought = Sought> {
  /** How many characters of each text are known; at most as many as the shortest has. */
  readonly #known: number;
  readonly #blocks: Uint8Array;
  /** Maps UTF-16 units to lower case. Not needed for ASCII, where one bit is the difference between cases. */
  readonly #small: Uint16Array | undefined;
  /** By hash of three characters at the beginning of texts. */
  readonly #places = new Map<number, Place<One>[]>();

  constructor(sought: readonly One[]) {
    this.#known = sought.reduce((least, { text }) => Math.min(least, text.length), mostKnown);
    const wanted = spareRoom * sought.reduce((sum, { text }) => sum + text.length, 0);
    let size = smallestTable;
    while (size < wanted && size < largestTable) size *= 2;
    this.#blocks = new Uint8Array(size);
    this.#small = sought.some(({ text, isFolded }) => isFolded === true && /[^\0-\x7f]/.test(text))
      ? smallLetters()
      : undefined;
    for (const one of sought) this.#add(one);
  }

  #add(sought: One): void {
    const { text } = sought;
    for (let offset = 0; offset + blockLength <= text.length; offset++) {
      const hash = this.#hashAt(text, offset);
      const isKnown = offset + blockLength <= this.#known;
      this.#blocks[hash] = (this.#blocks[hash] ?? 0) | anywhere | (isKnown ? inBeginning : 0);
      if (!isKnown) continue;
      const places = this.#places.get(hash);
      if (places === undefined) this.#places.set(hash, [{ sought, offset }]);
      else places.push({ sought, offset });
    }
  }

  /** Whether one of the texts stands in it. */
  isIn(text: string): boolean {
    return this.find(text, 0) !== undefined;
  }

  /** Returns the first match at or after `from`. Of several at one place, the longest wins. */
  find(text: string, from: number): Found<One> | undefined {
    const step = this.#known - blockLength + 1;
    const last = text.length - blockLength;
    for (let at = from + step - 1; at <= last; at += step) {
      const hash = this.#hashAt(text, at);
      if (((this.#blocks[hash] ?? 0) & inBeginning) === 0) continue;
      const found = this.#foundAround(text, { at, hash, from });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #foundAround(
    text: string,
    { at, hash, from }: { readonly at: number; readonly hash: number; readonly from: number },
  ): Found<One> | undefined {
    let first: Found<One> | undefined;
    for (const { sought, offset } of this.#places.get(hash) ?? []) {
      const start = at - offset;
      if (start < from || !standsAt(text, start, sought)) continue;
      const isFirst = first === undefined || start < first.at;
      if (isFirst || (start === first?.at && sought.text.length > first.sought.text.length))
        first = { at: start, sought };
    }
    return first;
  }

  /** False when its last six characters stand in none of the texts, so that it cannot end in the middle of one of them. */
  mayEndInside(text: string): boolean {
    const at = text.length - blockLength;
    return at >= blockLength && this.#knows(text, at) && this.#knows(text, at - blockLength);
  }

  #knows(text: string, at: number): boolean {
    return ((this.#blocks[this.#hashAt(text, at)] ?? 0) & anywhere) !== 0;
  }

  /** The same for small and capital letters. */
  #hashAt(text: string, at: number): number {
    const small = this.#small;
    const first = text.charCodeAt(at);
    const second = text.charCodeAt(at + 1);
    const third = text.charCodeAt(at + 2);
    const hash =
      small === undefined
        ? (first | 0x20) * 961 + (second | 0x20) * 31 + (third | 0x20)
        : (small[first] ?? 0) * 961 + (small[second] ?? 0) * 31 + (small[third] ?? 0);
    return hash & (this.#blocks.length - 1);
  }
}

let letters: Uint16Array | undefined;

/** By UTF-16 unit. */
function smallLetters(): Uint16Array {
  letters ??= Uint16Array.from({ length: 65_536 }, (_, unit) => {
    const small = String.fromCharCode(unit).toLowerCase();
    return small.length === 1 ? small.charCodeAt(0) : unit;
  });
  return letters;
}

function standsAt(text: string, at: number, { text: sought, isFolded }: Sought): boolean {
  return isFolded === true ? text.slice(at, at + sought.length).toLowerCase() === sought : text.startsWith(sought, at);
}
