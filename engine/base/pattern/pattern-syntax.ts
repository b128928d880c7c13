/**
 * Parses pattern syntax into parts.
 */

const longestSource = 10_000;
const deepestGroups = 200;

/** An error in a pattern. Never thrown outside of this folder. */
export class PatternProblem extends Error {}

export type CharTest = (codePoint: number) => boolean;
export type PatternAnchor = 'start' | 'end' | 'word-edge' | 'no-word-edge';

export type PatternPart =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'place'; readonly place: PatternAnchor }
  | { readonly kind: 'all'; readonly parts: readonly PatternPart[] }
  | { readonly kind: 'any'; readonly parts: readonly PatternPart[] }
  | { readonly kind: 'repeat'; readonly part: PatternPart; readonly min: number; readonly max: number };

const escapes = /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pP]\{[^}]*\}|.)/isuy;
const counts = /\{(\d+)(?:(,)(\d*))?\}/y;
const groups = /\((?:\?:|\?<[\p{L}_$][\p{L}\p{N}_$]*>)?/uy;

/** Parses a pattern's source into parts. */
export class PatternParser {
  readonly #source: string;
  readonly #lineEnds: string;
  readonly #ignoreCase: boolean;
  #at = 0;
  #depth = 0;

  constructor(source: string, { lineEnds, ignoreCase }: { readonly lineEnds: string; readonly ignoreCase: boolean }) {
    if (source.length > longestSource) throw new PatternProblem('is longer than 10,000 characters');
    this.#source = source;
    this.#lineEnds = lineEnds;
    this.#ignoreCase = ignoreCase;
  }

  parse(): PatternPart {
    const part = this.#alternatives();
    if (this.#at < this.#source.length) throw new PatternProblem('has a ")" too many');
    return part;
  }

  #alternatives(): PatternPart {
    const parts = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'any', parts };
  }

  #sequence(): PatternPart {
    const parts: PatternPart[] = [];
    for (let next = this.#source[this.#at]; next !== undefined && next !== '|' && next !== ')'; ) {
      parts.push(this.#repeated(this.#single(next)));
      next = this.#source[this.#at];
    }
    return { kind: 'all', parts };
  }

  #single(next: string): PatternPart {
    switch (next) {
      case '(':
        return this.#group();
      case '^':
        return this.#place('start', 1);
      case '$':
        return this.#place('end', 1);
      case '.':
        this.#at++;
        return charOf(`[^${this.#lineEnds}]`, false);
      case '[':
        return this.#charClass();
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new PatternProblem(`has a "${next}" with nothing before it`);
      default: {
        const wanted = this.#source.codePointAt(this.#at) ?? 0;
        this.#at += wanted > 0xffff ? 2 : 1;
        return { kind: 'char', test: this.#ignoreCase ? sameLetter(wanted) : (codePoint) => codePoint === wanted };
      }
    }
  }

  #place(place: PatternAnchor, length: number): PatternPart {
    this.#at += length;
    return { kind: 'place', place };
  }

  #group(): PatternPart {
    const opening = this.#take(groups) ?? '(';
    if (this.#source[this.#at] === '?' && opening === '(') {
      throw new PatternProblem('uses look-around or another "(?" group, which is not supported');
    }
    if (++this.#depth > deepestGroups) throw new PatternProblem(`nests groups more than ${deepestGroups} deep`);
    const part = this.#alternatives();
    if (this.#source[this.#at] !== ')') throw new PatternProblem('has a group that is not closed');
    this.#at++;
    this.#depth--;
    return part;
  }

  #charClass(): PatternPart {
    const start = this.#at;
    this.#at++;
    for (;;) {
      const next = this.#source[this.#at];
      if (next === undefined) throw new PatternProblem('has a "[" that is not closed');
      if (next === '\\') this.#at++;
      this.#at++;
      if (next === ']') return charOf(this.#source.slice(start, this.#at), this.#ignoreCase);
    }
  }

  #escape(): PatternPart {
    if (this.#source.startsWith('\\b', this.#at)) return this.#place('word-edge', 2);
    if (this.#source.startsWith('\\B', this.#at)) return this.#place('no-word-edge', 2);
    if (/^\\(?:[1-9]|k<)/.test(this.#source.slice(this.#at, this.#at + 3))) {
      throw new PatternProblem('uses a back reference, which is not supported');
    }
    const found = this.#take(escapes);
    if (found === undefined) throw new PatternProblem('ends with a "\\"');
    return charOf(found, this.#ignoreCase);
  }

  #repeated(part: PatternPart): PatternPart {
    const [min, max] = this.#count();
    if (min === 1 && max === 1) return part;
    if (part.kind === 'place') return min === 0 ? { kind: 'all', parts: [] } : part;
    // Lazy quantifiers can be ignored: the order of attempts does not affect whether there is a match.
    if (this.#source[this.#at] === '?') this.#at++;
    if (min > max) throw new PatternProblem('has a count with an end before its start');
    const next = this.#source[this.#at];
    if (next === '*' || next === '+' || next === '?') throw new PatternProblem(`has a "${next}" behind another count`);
    return { kind: 'repeat', part, min, max };
  }

  #count(): readonly [min: number, max: number] {
    const next = this.#source[this.#at];
    if (next === '*' || next === '+' || next === '?') {
      this.#at++;
      return [next === '+' ? 1 : 0, next === '?' ? 1 : Number.POSITIVE_INFINITY];
    }
    counts.lastIndex = this.#at;
    const found = next === '{' ? counts.exec(this.#source) : null;
    if (found === null) return [1, 1];
    this.#at = counts.lastIndex;
    const min = Number(found[1]);
    if (found[2] === undefined) return [min, min];
    return [min, found[3] === '' ? Number.POSITIVE_INFINITY : Number(found[3])];
  }

  #take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

/** Returns the test for a character in upper or lower case. */
function sameLetter(wanted: number): CharTest {
  const folded = String.fromCodePoint(wanted).toLowerCase();
  return (codePoint) => codePoint === wanted || String.fromCodePoint(codePoint).toLowerCase() === folded;
}

/** Number of characters for which a class's result is precomputed. */
const asciiCount = 128;

/**
 * Creates the part for a class or an escape. It matches a single character, so the built-in regular expression engine
 * cannot backtrack.
 */
function charOf(source: string, ignoreCase: boolean): PatternPart {
  const flag = ignoreCase ? 'i' : '';
  const expression = singleChar(source, `u${flag}`) ?? singleChar(source, flag);
  if (expression === undefined) throw new PatternProblem(`contains ${JSON.stringify(source)}, which is not valid`);
  const ascii = Array.from({ length: asciiCount }, (_, code) => expression.test(String.fromCharCode(code)));
  const test: CharTest = (codePoint) => ascii[codePoint] ?? expression.test(String.fromCodePoint(codePoint));
  return { kind: 'char', test };
}

function singleChar(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(`^${source}$`, flags);
  } catch {
    return undefined;
  }
}
