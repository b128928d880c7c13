/**
 * Applies a patch, hunk by hunk: each where it fits best, by the strictest rule by which it fits at all.
 */
import { linesOf, textOfLines } from '../formats/text-lines.ts';
import { type Hunk, parseHunks, rangeProblem } from './patch-hunks.ts';
import {
  ComparedLine,
  HunkSearch,
  isMatch,
  matchTiers,
  type Placement,
  type WantedLine,
  wantedLines,
} from './walk-hunk.ts';

/** A hunk that was not applied. */
export type HunkError = {
  /** As it was written. */
  readonly hunk_body: string;
  readonly cause: string;
};

interface PatchResult {
  /** With all hunks that fit; line ends are `\n`. */
  readonly content: string;
  readonly hunkCount: number;
  readonly errors: readonly HunkError[];
}

/** What is known around a hunk, to choose between places where it fits equally well. */
interface Surroundings {
  /** Where the hunk is expected: behind the last one. */
  readonly expected: number;
  /** The last line that the hunk before it leaves, and the first one that the next one looks for. */
  readonly before: ComparedLine | undefined;
  readonly after: ComparedLine | undefined;
}

const hintScore = 10_000;
const uniformScore = 1_000;

function scoreOf(file: readonly ComparedLine[], { start, end, isUniform }: Placement, around: Surroundings): number {
  const hints = [
    [around.before, file[start - 1]],
    [around.after, file[end]],
  ].filter(([hint, line]) => hint !== undefined && line !== undefined && isMatch('Resilient', hint, line));
  return hints.length * hintScore + (isUniform ? uniformScore : 0) - Math.abs(start - around.expected);
}

/** The best place of the strictest tier that has any. */
function bestPlace(
  file: readonly ComparedLine[],
  lines: readonly WantedLine[],
  around: Surroundings,
): Placement | undefined {
  for (const tier of matchTiers) {
    const best = bestOf(new HunkSearch(file, lines, tier), around);
    if (best !== undefined) return best;
  }
  return undefined;
}

function bestOf(search: HunkSearch, around: Surroundings): Placement | undefined {
  let best: Placement | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let start = 0; start < search.file.length; start++) {
    const place = search.placeAt(start);
    if (place === undefined) continue;
    const score = scoreOf(search.file, place, around);
    const isMoreExact = best === undefined || place.exact > best.exact;
    if (isMoreExact || (place.exact === best?.exact && score > bestScore)) {
      best = place;
      bestScore = score;
    }
  }
  return best;
}

/** Nothing in the file is meant by it: what it adds belongs to the end. */
function isAppended({ lines }: Hunk): boolean {
  return lines.every(({ sign, text }) => sign === '+' || (sign === ' ' && text.trim() === ''));
}

/** The lines that it adds; as many blank ones before them as the file already ends with are left out. */
function appendPlace(file: readonly ComparedLine[], { lines }: Hunk): Placement {
  const added = lines.filter(({ sign }) => sign === '+').map(({ text }) => text);
  const blanks = file.length - 1 - file.findLastIndex((line) => !line.isBlank);
  const firstText = added.findIndex((line) => line.trim() !== '');
  const isBlank = file.every((line) => line.isBlank);
  const left = Math.min(isBlank ? 0 : blanks, Math.max(0, firstText));
  return { start: file.length, end: file.length, replacement: added.slice(left), exact: 0, isUniform: true };
}

/** An empty file has no lines to look for: what would stay comes, what would go is not there. */
function bootstrapPlace(file: readonly ComparedLine[], { lines }: Hunk): Placement {
  const replacement = lines.filter(({ sign }) => sign === '+' || sign === ' ').map(({ text }) => text);
  return { start: 0, end: file.length, replacement, exact: 0, isUniform: true };
}

function placeOf(file: readonly ComparedLine[], hunk: Hunk, around: Surroundings): Placement | undefined {
  if (isAppended(hunk)) return appendPlace(file, hunk);
  if (file.every((line) => line.isBlank)) return bootstrapPlace(file, hunk);
  return bestPlace(file, wantedLines(hunk.lines), around);
}

const compared = (line: string | undefined): ComparedLine | undefined =>
  line === undefined || line.trim() === '' ? undefined : new ComparedLine(line);

/** The file while it changes. */
class PatchedFile {
  readonly errors: HunkError[] = [];
  #lines: ComparedLine[];
  #expected = 0;
  #before: ComparedLine | undefined;

  constructor(content: string) {
    this.#lines = linesOf(content).map((line) => new ComparedLine(line));
  }

  get content(): string {
    return textOfLines(this.#lines.map((line) => line.text));
  }

  apply(hunk: Hunk, next: Hunk | undefined): void {
    const problem = rangeProblem(hunk);
    const after = compared(next?.lines.find(({ sign }) => sign === ' ' || sign === '-')?.text);
    const around = { expected: this.#expected, before: this.#before, after };
    const place = problem === undefined ? placeOf(this.#lines, hunk, around) : undefined;
    if (place === undefined) {
      const cause = problem ?? 'The lines of this hunk that stay or go were not found in the file';
      this.errors.push({ hunk_body: hunk.body, cause });
      return;
    }
    const { start, end, replacement } = place;
    this.#lines = [
      ...this.#lines.slice(0, start),
      ...replacement.map((line) => new ComparedLine(line)),
      ...this.#lines.slice(end),
    ];
    this.#expected = start + replacement.length;
    this.#before = compared(replacement.at(-1));
  }
}

/**
 * Applies all hunks that fit; one that does not changes nothing. Where several places fit equally well, the one counts
 * whose neighbours are those of the hunks before and behind, then the one with the same indentation throughout, then
 * the nearest to the last hunk.
 * @param content of the file; empty for a new one
 */
export function applyPatch(content: string, patch: string): PatchResult {
  const hunks = parseHunks(patch);
  const file = new PatchedFile(content);
  for (const [at, hunk] of hunks.entries()) file.apply(hunk, hunks[at + 1]);
  return { content: file.content, hunkCount: hunks.length, errors: file.errors };
}
