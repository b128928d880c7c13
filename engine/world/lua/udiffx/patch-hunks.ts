/**
 * Parses patches as models write them: hunks start at lines that begin with `@@`, with no line numbers or unreliable
 * ones.
 */
import { linesOf } from '../formats/text-lines.ts';

/** ` ` keeps a line, `-` removes it, `+` adds it, and `~` removes all file lines between the lines around it. */
type HunkSign = ' ' | '-' | '+' | '~';

export interface HunkLine {
  readonly sign: HunkSign;
  /** Text without the sign. */
  readonly text: string;
}

export interface Hunk {
  /** The hunk as written, without its `@@` line. */
  readonly body: string;
  readonly lines: readonly HunkLine[];
}

/** Wrapper lines of another patch format. File lines always have a sign before them. */
const wrapperPattern = /^\*\*\* (?:Begin Patch|End Patch|End of File|(?:Update|Add|Delete) File:)/;
const fileHeaderPattern = /^(?:---|\+\+\+|diff|index) /;

/** A line without a sign is a context line with a missing leading space. */
function hunkLine(line: string): HunkLine {
  if (line.trimEnd() === '~') return { sign: '~', text: '' };
  const [sign] = line;
  if (sign === ' ' || sign === '-' || sign === '+') return { sign, text: line.slice(1) };
  return { sign: ' ', text: line };
}

function hunkOf(lines: readonly string[]): Hunk {
  // Trailing blank lines come from the tags around the patch.
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1;
  const body = lines.slice(0, end);
  return { body: body.join('\n'), lines: body.filter((line) => !line.startsWith('\\ No newline')).map(hunkLine) };
}

/** Parses the hunks of a patch. Omits hunks without changes. */
export function parseHunks(patch: string): Hunk[] {
  const groups: string[][] = [];
  let isInHunk = false;
  for (const line of linesOf(patch)) {
    if (wrapperPattern.test(line)) continue;
    if (line.startsWith('@@')) {
      groups.push([]);
      isInHunk = true;
    } else if (isInHunk || !fileHeaderPattern.test(line)) {
      if (groups.length === 0) groups.push([]);
      groups.at(-1)?.push(line);
    }
  }
  return groups.map(hunkOf).filter((hunk) => hunk.lines.some(({ sign }) => sign === '+' || sign === '-'));
}

/** Describes what is wrong with a hunk's `~` lines; undefined if they are valid. */
export function rangeProblem({ lines }: Hunk): string | undefined {
  const isRemoval = (at: number): boolean => lines[at]?.sign === '-';
  const isWrong = lines.some(({ sign }, at) => {
    const isFramed = isRemoval(at - 1) && isRemoval(at - 2) && isRemoval(at + 1) && isRemoval(at + 2);
    return sign === '~' && !isFramed;
  });
  return isWrong
    ? "A line '~' needs at least two removed lines ('-') right above it and two right below it"
    : undefined;
}
