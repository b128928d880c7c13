/**
 * Two changes of one text brought together, line by line.
 */
import { diff3Merge } from 'node-diff3';

export interface MergedText {
  readonly text: string;
  /** Places that both changed, each in its own way; there the text is the one called mine. */
  readonly clashes: number;
}

export interface ThreeTexts {
  /** What both began with. */
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** Lines with their ends, so that a different line ending is a difference and none is lost. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** Merges what `mine` and `theirs` made of `base`. */
export function mergeTexts({ base, mine, theirs }: ThreeTexts): MergedText {
  const regions = diff3Merge(linesOf(mine), linesOf(base), linesOf(theirs), { excludeFalseConflicts: true });
  const lines = regions.flatMap(({ ok, conflict }) => ok ?? conflict?.a ?? []);
  return { text: lines.join(''), clashes: regions.filter(({ conflict }) => conflict !== undefined).length };
}
