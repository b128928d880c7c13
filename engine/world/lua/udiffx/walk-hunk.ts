/**
 * Matches a hunk at one position of a file, with tiers of similarity from strict to lenient.
 */
import type { HunkLine } from './patch-hunks.ts';

/**
 * `Strict`: identical lines. `Resilient`: also ignores whitespace and similar differences. `Fuzzy`: also ignores letter
 * case and similar differences.
 */
type MatchTier = 'Strict' | 'Resilient' | 'Fuzzy';

export const matchTiers: readonly MatchTier[] = ['Strict', 'Resilient', 'Fuzzy'];

/** Minimum length of a line ending that can match the entire line. */
const suffixLength = 10;
/** Shorter lines are too similar to each other without their whitespace. */
const denseLength = 4;

function withoutEnd(text: string, isEnd: (sign: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isEnd(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/** Ignores whitespace, heading level, and one `;` or `,` at the end. */
function resilientForm(trimmed: string): string {
  const collapsed = trimmed.replace(/\s+/g, ' ').replace(/^#{1,6} /, '# ');
  return /[;,]$/.test(collapsed) ? collapsed.slice(0, -1).trimEnd() : collapsed;
}

/** Also ignores letter case, backticks, punctuation at the end, and `_` within numbers. */
function fuzzyForm(resilient: string): string {
  const plain = resilient.toLowerCase().replaceAll('`', '');
  return withoutEnd(plain.replace(/(?<=[0-9a-f])_(?=[0-9a-f])/g, ''), (sign) => /[!-/:-@[-^{-~ ]/.test(sign));
}

/** A line in the forms used for comparison. They are computed on demand, because most patches match strictly. */
export class ComparedLine {
  readonly text: string;
  readonly trimmed: string;
  #resilient: string | undefined;
  #fuzzy: string | undefined;
  #dense: string | undefined;

  constructor(text: string) {
    this.text = text;
    this.trimmed = text.trim();
  }

  get isBlank(): boolean {
    return this.trimmed === '';
  }

  get resilient(): string {
    this.#resilient ??= resilientForm(this.trimmed);
    return this.#resilient;
  }

  get fuzzy(): string {
    this.#fuzzy ??= fuzzyForm(this.resilient);
    return this.#fuzzy;
  }

  /** The line without whitespace. */
  get dense(): string {
    this.#dense ??= this.fuzzy.replaceAll(' ', '');
    return this.#dense;
  }
}

/** The text before the match must not turn it into a comment. */
function isSuffix(part: string, whole: string): boolean {
  if (part.length < suffixLength || !whole.endsWith(part)) return false;
  return !/^(?:\/\/|#|--|<!--|\*|\/\*)\s*$/.test(whole.slice(0, -part.length));
}

function isResilientMatch(wanted: ComparedLine, found: ComparedLine): boolean {
  return wanted.resilient === found.resilient || isSuffix(wanted.trimmed, found.trimmed);
}

function isFuzzyMatch(wanted: ComparedLine, found: ComparedLine): boolean {
  if (wanted.fuzzy === found.fuzzy && (wanted.fuzzy !== '' || wanted.isBlank)) return true;
  if (isSuffix(wanted.fuzzy, found.fuzzy)) return true;
  return wanted.dense.length >= denseLength && wanted.dense === found.dense;
}

/**
 * Whether a line of a file matches a line of a patch.
 * @param wanted the line of the patch
 */
export function isMatch(tier: MatchTier, wanted: ComparedLine, found: ComparedLine): boolean {
  if (wanted.text === found.text) return true;
  if (tier === 'Strict') return false;
  if (wanted.isBlank || found.isBlank) return wanted.isBlank && found.isBlank;
  return isResilientMatch(wanted, found) || (tier === 'Fuzzy' && isFuzzyMatch(wanted, found));
}

/** A line of a hunk, prepared for comparison. */
export interface ExpectedLine extends HunkLine {
  readonly compared: ComparedLine;
}

/** A position where a hunk matches. */
export interface HunkPlacement {
  /** The first line that the hunk covers, and the line after its last. */
  readonly start: number;
  readonly end: number;
  /** Lines that replace the covered ones. */
  readonly replacement: readonly string[];
  /** Number of lines that match exactly. */
  readonly exact: number;
  /** Whether the indentation of all lines differs from the hunk by the same amount. */
  readonly isUniform: boolean;
}

export function expectedLines(lines: readonly HunkLine[]): ExpectedLine[] {
  return lines.map((line) => ({ ...line, compared: new ComparedLine(line.text) }));
}

/**
 * A search for a hunk in a file under one tier. The hunk is tried at many positions. The end of a range is searched for
 * only once, because it is the same for all positions before it.
 */
export class HunkSearch {
  readonly file: readonly ComparedLine[];
  readonly lines: readonly ExpectedLine[];
  readonly tier: MatchTier;
  /** Results by the index of the line after `~`: where the search started and what it found; -1 if nothing. */
  readonly #rangeEnds = new Map<number, { readonly from: number; readonly end: number }>();

  constructor(file: readonly ComparedLine[], lines: readonly ExpectedLine[], tier: MatchTier) {
    this.file = file;
    this.lines = lines;
    this.tier = tier;
  }

  /** Tries to match at a line, from 0. Returns undefined if the hunk does not match. */
  placeAt(start: number): HunkPlacement | undefined {
    const first = this.lines.find(({ sign }) => sign !== '+');
    if (first === undefined || (!first.compared.isBlank && !this.isAt(first, start))) return undefined;
    return new HunkWalk(this, start).run();
  }

  isAt(line: ExpectedLine, at: number): boolean {
    const found = this.file[at];
    return found !== undefined && isMatch(this.tier, line.compared, found);
  }

  /** Returns the next position of the consecutive removed lines that begin with `index`; -1 if there is none. */
  rangeEnd(index: number, from: number): number {
    const known = this.#rangeEnds.get(index);
    if (known !== undefined && known.from <= from && (known.end === -1 || known.end >= from)) return known.end;
    const end = this.#findRun(index, from);
    this.#rangeEnds.set(index, { from, end });
    return end;
  }

  #findRun(index: number, from: number): number {
    const behind = this.lines.slice(index).findIndex(({ sign }) => sign !== '-');
    const run = this.lines.slice(index, behind === -1 ? undefined : index + behind);
    for (let at = from; at + run.length <= this.file.length; at++) {
      if (run.every((line, offset) => this.isAt(line, at + offset))) return at;
    }
    return -1;
  }
}

/** One attempt to match. It stops at the first line that does not match. */
class HunkWalk {
  readonly #search: HunkSearch;
  readonly #file: readonly ComparedLine[];
  readonly #replacement: string[] = [];
  readonly #indents = new Set<number>();
  #at: number;
  #matched = 0;
  #significant = 0;
  #exact = 0;
  #overhang = 0;

  constructor(search: HunkSearch, start: number) {
    this.#search = search;
    this.#file = search.file;
    this.#at = start;
  }

  /** Returns undefined if the hunk does not match here. */
  run(): HunkPlacement | undefined {
    const start = this.#at;
    for (const [index, line] of this.#search.lines.entries()) {
      if (line.sign === '+') this.#replacement.push(line.text);
      else if (line.sign === '~') {
        if (!this.#skipRange(index + 1)) return undefined;
      } else if (!this.#takeLine(line)) return undefined;
    }
    if (!this.#isEnough()) return undefined;
    const isUniform = this.#indents.size <= 1;
    return { start, end: this.#at, replacement: this.#replacement, exact: this.#exact, isUniform };
  }

  /** The part past the end of the file must be smaller than the part that matched. */
  #isEnough(): boolean {
    if (this.#significant === 0) return false;
    return this.#overhang === 0 || (this.#significant >= 2 && this.#matched > this.#overhang);
  }

  #takeLine(line: ExpectedLine): boolean {
    const found = this.#file[this.#at];
    if (found === undefined) return this.#takeOverhang(line);
    if (this.#search.isAt(line, this.#at)) {
      this.#take(line, found);
      return true;
    }
    if (this.#search.tier === 'Strict') return false;
    if (line.compared.isBlank) return this.#takeExtraBlank(line);
    return this.#takeBehindBlanks(line);
  }

  #take(line: ExpectedLine, found: ComparedLine): void {
    this.#at++;
    this.#matched++;
    if (!found.isBlank) {
      this.#significant++;
      this.#indents.add(found.text.indexOf(found.trimmed) - line.text.indexOf(line.compared.trimmed));
    }
    if (line.text === found.text) this.#exact++;
    if (line.sign === ' ') this.#replacement.push(found.text);
  }

  /** Context lines may be past the end of the file; removed lines may not. */
  #takeOverhang(line: ExpectedLine): boolean {
    if (line.sign === '-') return false;
    this.#overhang++;
    return true;
  }

  /** A blank line that the file does not have was inserted for readability and is added. */
  #takeExtraBlank(line: ExpectedLine): boolean {
    if (line.sign === ' ') this.#replacement.push('');
    return line.sign === ' ';
  }

  /** Skips blank file lines that the hunk omits; they are kept. */
  #takeBehindBlanks(line: ExpectedLine): boolean {
    if (this.#matched === 0) return false;
    let next = this.#at;
    while (this.#file[next]?.isBlank === true) next++;
    const found = this.#file[next];
    if (next === this.#at || found === undefined || !this.#search.isAt(line, next)) return false;
    for (; this.#at < next; this.#at++) this.#replacement.push(this.#file[this.#at]?.text ?? '');
    this.#take(line, found);
    return true;
  }

  /** Continues at the next position of the removed lines after a `~`. */
  #skipRange(index: number): boolean {
    const end = this.#search.rangeEnd(index, this.#at);
    if (end !== -1) this.#at = end;
    return end !== -1;
  }
}
