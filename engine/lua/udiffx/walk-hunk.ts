/**
 * Tries a hunk at one place of a file, and how alike the lines of both must be: from strict to lenient.
 */
import type { HunkLine } from './patch-hunks.ts';

/** `Strict`: the same. `Resilient`: but for white space and the like. `Fuzzy`: but for letter case and the like, too. */
type MatchTier = 'Strict' | 'Resilient' | 'Fuzzy';

export const matchTiers: readonly MatchTier[] = ['Strict', 'Resilient', 'Fuzzy'];

/** A part of a line counts for the whole of it when it is its end and at least so long. */
const suffixLength = 10;
/** Shorter lines are too alike without their white space. */
const denseLength = 4;

function withoutEnd(text: string, isEnd: (sign: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isEnd(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/** White space, the level of a heading, and one `;` or `,` at the end do not count. */
function resilientForm(trimmed: string): string {
  const collapsed = trimmed.replace(/\s+/g, ' ').replace(/^#{1,6} /, '# ');
  return /[;,]$/.test(collapsed) ? collapsed.slice(0, -1).trimEnd() : collapsed;
}

/** Letter case, backticks, signs at the end, and `_` within numbers do not count either. */
function fuzzyForm(resilient: string): string {
  const plain = resilient.toLowerCase().replaceAll('`', '');
  return withoutEnd(plain.replace(/(?<=[0-9a-f])_(?=[0-9a-f])/g, ''), (sign) => /[!-/:-@[-^{-~ ]/.test(sign));
}

/** A line in the forms that are compared. They are made when they are asked for: most patches fit strictly. */
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

  /** Without any white space. */
  get dense(): string {
    this.#dense ??= this.fuzzy.replaceAll(' ', '');
    return this.#dense;
  }
}

/** What stands before the found part must not make a comment of it. */
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
 * Whether a line of a file is the one that a patch means.
 * @param wanted the line of the patch
 */
export function isMatch(tier: MatchTier, wanted: ComparedLine, found: ComparedLine): boolean {
  if (wanted.text === found.text) return true;
  if (tier === 'Strict') return false;
  if (wanted.isBlank || found.isBlank) return wanted.isBlank && found.isBlank;
  return isResilientMatch(wanted, found) || (tier === 'Fuzzy' && isFuzzyMatch(wanted, found));
}

/** A line of a hunk, ready to be compared. */
export interface WantedLine extends HunkLine {
  readonly compared: ComparedLine;
}

/** A place where a hunk fits. */
export interface Placement {
  /** First line that the hunk covers, and the one behind its last. */
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly replacement: readonly string[];
  /** How many lines are the same to the letter. */
  readonly exact: number;
  /** Whether all lines are indented by the same more or less than the hunk says. */
  readonly isUniform: boolean;
}

export function wantedLines(lines: readonly HunkLine[]): WantedLine[] {
  return lines.map((line) => ({ ...line, compared: new ComparedLine(line.text) }));
}

/**
 * A hunk and a file under one tier. It is tried at many places; where a range ends is looked for once, since it is the
 * same for all places before that end.
 */
export class HunkSearch {
  readonly file: readonly ComparedLine[];
  readonly lines: readonly WantedLine[];
  readonly tier: MatchTier;
  /** By the index of the line behind `~`: from where was looked, and what was found; -1 = nothing. */
  readonly #rangeEnds = new Map<number, { readonly from: number; readonly end: number }>();

  constructor(file: readonly ComparedLine[], lines: readonly WantedLine[], tier: MatchTier) {
    this.file = file;
    this.lines = lines;
    this.tier = tier;
  }

  /** Tries it at a line, from 0. Undefined = it does not fit. */
  placeAt(start: number): Placement | undefined {
    const first = this.lines.find(({ sign }) => sign !== '+');
    if (first === undefined || (!first.compared.isBlank && !this.isAt(first, start))) return undefined;
    return new HunkWalk(this, start).run();
  }

  isAt(line: WantedLine, at: number): boolean {
    const found = this.file[at];
    return found !== undefined && isMatch(this.tier, line.compared, found);
  }

  /** Where the removed lines that begin with `index` stand next, all in a row; -1 = nowhere. */
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

/** One attempt; it ends at the first line that does not fit. */
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

  /** Undefined when the hunk does not fit here. */
  run(): Placement | undefined {
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

  /** What hangs over the end of the file must be less than what was found in it. */
  #isEnough(): boolean {
    if (this.#significant === 0) return false;
    return this.#overhang === 0 || (this.#significant >= 2 && this.#matched > this.#overhang);
  }

  #takeLine(line: WantedLine): boolean {
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

  #take(line: WantedLine, found: ComparedLine): void {
    this.#at++;
    this.#matched++;
    if (!found.isBlank) {
      this.#significant++;
      this.#indents.add(found.text.indexOf(found.trimmed) - line.text.indexOf(line.compared.trimmed));
    }
    if (line.text === found.text) this.#exact++;
    if (line.sign === ' ') this.#replacement.push(found.text);
  }

  /** Lines that stay may be meant behind the end of the file; lines that go cannot. */
  #takeOverhang(line: WantedLine): boolean {
    if (line.sign === '-') return false;
    this.#overhang++;
    return true;
  }

  /** A blank line that the file does not have was put in to be read more easily: it comes. */
  #takeExtraBlank(line: WantedLine): boolean {
    if (line.sign === ' ') this.#replacement.push('');
    return line.sign === ' ';
  }

  /** Blank lines of the file that the hunk left out; they stay. */
  #takeBehindBlanks(line: WantedLine): boolean {
    if (this.#matched === 0) return false;
    let next = this.#at;
    while (this.#file[next]?.isBlank === true) next++;
    const found = this.#file[next];
    if (next === this.#at || found === undefined || !this.#search.isAt(line, next)) return false;
    for (; this.#at < next; this.#at++) this.#replacement.push(this.#file[this.#at]?.text ?? '');
    this.#take(line, found);
    return true;
  }

  /** Goes on where the removed lines below a `~` stand next. */
  #skipRange(index: number): boolean {
    const end = this.#search.rangeEnd(index, this.#at);
    if (end !== -1) this.#at = end;
    return end !== -1;
  }
}
