/**
 * Applies a patch hunk by hunk. Each hunk is applied at its best match under the strictest rule that matches at all.
 */
import { linesOf, textOfLines } from '../formats/text-lines.ts';
import { type Hunk, parseHunks, rangeProblem } from './patch-hunks.ts';
import {
  ComparedLine,
  type ExpectedLine,
  expectedLines,
  type HunkPlacement,
  HunkSearch,
  isMatch,
  matchTiers,
} from './walk-hunk.ts';

/** A hunk that was not applied. */
export type HunkError = {
  /** The hunk as written. */
  readonly hunk_body: string;
  readonly cause: string;
};

interface PatchResult {
  /** Content after all hunks that match; line ends are `\n`. */
  readonly content: string;
  readonly hunkCount: number;
  readonly errors: readonly HunkError[];
}

/** The context of a hunk, used to choose between equally good matches. */
interface HunkContext {
  /** Expected position of the hunk: after the previous one. */
  readonly expected: number;
  /** The last line of the previous hunk's result, and the first line that the next hunk looks for. */
  readonly before: ComparedLine | undefined;
  readonly after: ComparedLine | undefined;
}

const hintScore = 10_000;
const uniformScore = 1_000;

function scoreOf(file: readonly ComparedLine[], { start, end, isUniform }: HunkPlacement, around: HunkContext): number {
  const hints = [
    [around.before, file[start - 1]],
    [around.after, file[end]],
  ].filter(([hint, line]) => hint !== undefined && line !== undefined && isMatch('Resilient', hint, line));
  return hints.length * hintScore + (isUniform ? uniformScore : 0) - Math.abs(start - around.expected);
}

/** Returns the best match in the strictest tier that has one. */
function bestPlace(
  file: readonly ComparedLine[],
  lines: readonly ExpectedLine[],
  around: HunkContext,
): HunkPlacement | undefined {
  for (const tier of matchTiers) {
    const best = bestOf(new HunkSearch(file, lines, tier), around);
    if (best !== undefined) return best;
  }
  return undefined;
}

function bestOf(search: HunkSearch, around: HunkContext): HunkPlacement | undefined {
  let best: HunkPlacement | undefined;
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

/** Whether the hunk has no context in the file, so that its lines are added at the end. */
function isAppended({ lines }: Hunk): boolean {
  return lines.every(({ sign, text }) => sign === '+' || (sign === ' ' && text.trim() === ''));
}

/** Appends the added lines. Omits as many leading blank lines as the file already ends with. */
function appendPlace(file: readonly ComparedLine[], { lines }: Hunk): HunkPlacement {
  const added = lines.filter(({ sign }) => sign === '+').map(({ text }) => text);
  const blanks = file.length - 1 - file.findLastIndex((line) => !line.isBlank);
  const firstText = added.findIndex((line) => line.trim() !== '');
  const isBlank = file.every((line) => line.isBlank);
  const left = Math.min(isBlank ? 0 : blanks, Math.max(0, firstText));
  return { start: file.length, end: file.length, replacement: added.slice(left), exact: 0, isUniform: true };
}

/** Handles an empty file, which has no lines to match: context lines are added, and removed lines are ignored. */
function bootstrapPlace(file: readonly ComparedLine[], { lines }: Hunk): HunkPlacement {
  const replacement = lines.filter(({ sign }) => sign === '+' || sign === ' ').map(({ text }) => text);
  return { start: 0, end: file.length, replacement, exact: 0, isUniform: true };
}

function placeOf(file: readonly ComparedLine[], hunk: Hunk, around: HunkContext): HunkPlacement | undefined {
  if (isAppended(hunk)) return appendPlace(file, hunk);
  if (file.every((line) => line.isBlank)) return bootstrapPlace(file, hunk);
  return bestPlace(file, expectedLines(hunk.lines), around);
}

const compared = (line: string | undefined): ComparedLine | undefined =>
  line === undefined || line.trim() === '' ? undefined : new ComparedLine(line);

/** A file to which a patch is being applied. */
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
      const cause = problem ?? 'The unchanged and removed lines of this hunk were not found in the file';
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
 * Applies all hunks that match; a hunk that does not match changes nothing. Among equally good matches, prefers the one
 * next to the lines of the previous and next hunk, then the one with uniform indentation, then the nearest after the
 * last hunk.
 * @param content of the file; empty for a new one
 */
export function applyPatch(content: string, patch: string): PatchResult {
  const hunks = parseHunks(patch);
  const file = new PatchedFile(content);
  for (const [at, hunk] of hunks.entries()) file.apply(hunk, hunks[at + 1]);
  return { content: file.content, hunkCount: hunks.length, errors: file.errors };
}
