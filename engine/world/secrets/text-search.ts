/**
 * Finds the first of many strings in a text while inspecting only a few of its characters, because most text contains
 * none of them.
 */

/** Maximum number of leading characters of each string that are indexed, in blocks of three. */
const mostKnown = 32;
const blockLength = 3;
/** The table has this many entries for each known block, so that hash collisions are rare. */
const spareRoom = 16;
const smallestTable = 4_096;
const largestTable = 1_048_576;

/** A string to search for. */
export interface SearchPattern {
  /** A string of at least 3 characters. */
  readonly text: string;
  /** Whether the string is lowercase and matching ignores case. */
  readonly isFolded?: boolean;
}

/** Flags for a block of three characters, by its hash: it occurs at the start of a string, or anywhere in it. */
const inBeginning = 1;
const anywhere = 2;

interface SearchedTextOffset<One> {
  readonly sought: One;
  /** Offset of the block in the string. */
  readonly offset: number;
}

export interface SearchTextMatch<One> {
  readonly at: number;
  readonly sought: One;
}

/**
 * A search for a set of strings. It inspects a block of three characters, then skips as far as no string can fit in
 * between (after Wu and Manber, https://webglimpse.net/pubs/TR94-17.pdf).
 */
export class MultiTextSearch<One extends SearchPattern = SearchPattern> {
  /** Number of indexed characters per string; at most the length of the shortest. */
  readonly #known: number;
  readonly #blocks: Uint8Array;
  /** Maps UTF-16 code units to lowercase. Not needed for ASCII, where uppercase and lowercase differ by one bit. */
  readonly #small: Uint16Array | undefined;
  /** Strings by the hash of a block in their indexed start. */
  readonly #places = new Map<number, SearchedTextOffset<One>[]>();

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

  /** Whether the text contains one of the searched strings. */
  isIn(text: string): boolean {
    return this.find(text, 0) !== undefined;
  }

  /** Returns the first match at or after `from`. If several start at the same position, the longest wins. */
  find(text: string, from: number): SearchTextMatch<One> | undefined {
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
  ): SearchTextMatch<One> | undefined {
    let first: SearchTextMatch<One> | undefined;
    for (const { sought, offset } of this.#places.get(hash) ?? []) {
      const start = at - offset;
      if (start < from || !standsAt(text, start, sought)) continue;
      const isFirst = first === undefined || start < first.at;
      if (isFirst || (start === first?.at && sought.text.length > first.sought.text.length))
        first = { at: start, sought };
    }
    return first;
  }

  /**
   * Returns false if the text cannot end with a partial match, because no search string contains its last six characters.
   */
  mayEndInside(text: string): boolean {
    const at = text.length - blockLength;
    return at >= blockLength && this.#knows(text, at) && this.#knows(text, at - blockLength);
  }

  #knows(text: string, at: number): boolean {
    return ((this.#blocks[this.#hashAt(text, at)] ?? 0) & anywhere) !== 0;
  }

  /** Returns the same hash for uppercase and lowercase. */
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

/** Returns each UTF-16 code unit's lowercase form. */
function smallLetters(): Uint16Array {
  letters ??= Uint16Array.from({ length: 65_536 }, (_, unit) => {
    const small = String.fromCharCode(unit).toLowerCase();
    return small.length === 1 ? small.charCodeAt(0) : unit;
  });
  return letters;
}

function standsAt(text: string, at: number, { text: sought, isFolded }: SearchPattern): boolean {
  return isFolded === true ? text.slice(at, at + sought.length).toLowerCase() === sought : text.startsWith(sought, at);
}
