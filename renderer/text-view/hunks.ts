/**
 * The hunks of a review: where the text on screen differs from the one with the other decision about all undecided
 * differences, and which differences each of these places is about.
 */
import type { DifferenceLines } from '../../engine/isomorphic.ts';

/** Lines from `first` on. None if `count` is 0; then `first` is the line after the place. */
export interface HunkLines {
  readonly first: number;
  readonly count: number;
}

/** Lines that replace others. */
export interface HunkChange {
  readonly before: HunkLines;
  readonly after: HunkLines;
}

export interface TextHunk extends HunkChange {
  /** Keys of the differences that the hunk is about. */
  readonly keys: readonly string[];
}

/** Longer lists of hunks are shown in part, because each of them has buttons. */
export const mostHunks = 200;

/**
 * Assigns differences to changed lines, and splits changes where one difference ends and another one begins.
 * @param changes in the order of the text
 */
export function hunksOf(changes: readonly HunkChange[], lines: readonly DifferenceLines[]): readonly TextHunk[] {
  const keys = { before: keysByLine(lines, 'before'), after: keysByLine(lines, 'after') };
  return changes.flatMap((change) => split(change, keys));
}

type KeysByLine = ReadonlyMap<number, readonly string[]>;

function keysByLine(lines: readonly DifferenceLines[], side: keyof HunkChange): KeysByLine {
  const found = new Map<number, string[]>();
  for (const difference of lines) {
    for (const { first, last } of difference[side]) {
      for (let line = first; line <= last; line++) {
        const keys = found.get(line);
        if (keys === undefined) found.set(line, [difference.key]);
        else if (!keys.includes(difference.key)) keys.push(difference.key);
      }
    }
  }
  return found;
}

/** Lines in a row with the same differences. */
interface HunkRun {
  readonly keys: readonly string[];
  /** The keys as one string. */
  readonly name: string;
  count: number;
}

function runsOf({ first, count }: HunkLines, keysOf: KeysByLine): HunkRun[] {
  const runs: HunkRun[] = [];
  for (let line = first; line < first + count; line++) {
    const keys = keysOf.get(line) ?? [];
    const name = JSON.stringify(keys);
    const last = runs.at(-1);
    if (last?.name === name) last.count++;
    else runs.push({ keys, name, count: 1 });
  }
  return runs;
}

type KeysBySide = Readonly<Record<keyof HunkChange, KeysByLine>>;

function split({ before, after }: HunkChange, keys: KeysBySide): readonly TextHunk[] {
  const removed = runsOf(before, keys.before);
  const added = runsOf(after, keys.after);
  const hunks: TextHunk[] = [];
  let [old, now] = [before.first, after.first];
  while (removed.length > 0 || added.length > 0) {
    const sides = nextSides(removed, added);
    const gone = sides === 'new' ? undefined : removed.shift();
    const fresh = sides === 'old' ? undefined : added.shift();
    const [oldCount, newCount] = [gone?.count ?? 0, fresh?.count ?? 0];
    hunks.push({
      before: { first: old, count: oldCount },
      after: { first: now, count: newCount },
      keys: (gone ?? fresh)?.keys ?? [],
    });
    old += oldCount;
    now += newCount;
  }
  return hunks;
}

/** Returns which lines are next: those that replace others are shown with these. */
function nextSides([gone]: readonly HunkRun[], added: readonly HunkRun[]): 'old' | 'new' | 'both' {
  const [fresh] = added;
  if (fresh === undefined) return 'old';
  if (gone === undefined) return 'new';
  if (gone.name === fresh.name) return 'both';
  return added.some(({ name }) => name === gone.name) ? 'new' : 'old';
}
