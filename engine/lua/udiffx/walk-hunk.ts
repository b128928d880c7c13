/**
 * Tries a hunk at one place of a file.
 */

import { type ComparedLine, comparedLine, isMatch, type MatchTier } from './line-match.ts';
import type { HunkLine } from './patch-hunks.ts';

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
  return lines.map((line) => ({ ...line, compared: comparedLine(line.text) }));
}

/** One attempt; it ends at the first line that does not fit. */
class HunkWalk {
  readonly #file: readonly ComparedLine[];
  readonly #tier: MatchTier;
  readonly #replacement: string[] = [];
  readonly #indents = new Set<number>();
  #at: number;
  #matched = 0;
  #significant = 0;
  #exact = 0;
  #overhang = 0;

  constructor(file: readonly ComparedLine[], tier: MatchTier, start: number) {
    this.#file = file;
    this.#tier = tier;
    this.#at = start;
  }

  /** Undefined when the hunk does not fit here. */
  run(lines: readonly WantedLine[]): Placement | undefined {
    const start = this.#at;
    for (const [index, line] of lines.entries()) {
      if (line.sign === '+') this.#replacement.push(line.text);
      else if (line.sign === '~') {
        if (!this.#skipRange(lines, index + 1)) return undefined;
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
    if (isMatch(this.#tier, line.compared, found)) {
      this.#take(line, found);
      return true;
    }
    if (this.#tier === 'Strict') return false;
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
    if (next === this.#at || found === undefined || !isMatch(this.#tier, line.compared, found)) return false;
    for (; this.#at < next; this.#at++) this.#replacement.push(this.#file[this.#at]?.text ?? '');
    this.#take(line, found);
    return true;
  }

  /** Goes on where the removed lines below a `~` stand next, all in a row. */
  #skipRange(lines: readonly WantedLine[], from: number): boolean {
    const below: WantedLine[] = [];
    for (let index = from; lines[index]?.sign === '-'; index++) {
      const line = lines[index];
      if (line !== undefined) below.push(line);
    }
    for (let at = this.#at; at + below.length <= this.#file.length; at++) {
      if (!below.every((line, offset) => this.#isAt(line, at + offset))) continue;
      this.#at = at;
      return true;
    }
    return false;
  }

  #isAt(line: WantedLine, at: number): boolean {
    const found = this.#file[at];
    return found !== undefined && isMatch(this.#tier, line.compared, found);
  }
}

/** Tries a hunk at a line of a file, from 0. Undefined = it does not fit. */
export function walkHunk(
  file: readonly ComparedLine[],
  lines: readonly WantedLine[],
  { tier, start }: { readonly tier: MatchTier; readonly start: number },
): Placement | undefined {
  return new HunkWalk(file, tier, start).run(lines);
}
