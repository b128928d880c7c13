/**
 * Merges unsaved edits of a file with the changes of another program.
 */
import { applyEdits, diffFlows, EngineError, takeDifferences, withNeeds } from '../../../engine/isomorphic.ts';
import type { DocumentKind } from '../text/check.ts';
import { type MergedText, mergeTexts, type ThreeTexts } from '../text/merge.ts';

/** Longer texts are merged only line by line, because comparing flows takes longer. */
const longestFlow = 200_000;

/**
 * Merges line by line. Where both sides changed the same lines of a flow, it is merged by nodes, fields and edges
 * instead, so that only those that both sides changed remain in conflict.
 */
export function mergeVersions(texts: ThreeTexts, kind: DocumentKind): MergedText {
  const merged = mergeTexts(texts);
  const isLong = texts.mine.length + texts.theirs.length > longestFlow;
  if (merged.clashes === 0 || kind !== 'flow' || isLong) return merged;
  try {
    return mergeFlows(texts) ?? merged;
  } catch (error) {
    if (EngineError.is(error)) return merged;
    throw error;
  }
}

/** Returns null if their changes cannot be taken over without undoing mine. */
function mergeFlows({ base, mine, theirs }: ThreeTexts): MergedText | null {
  const keysBetween = (before: string, after: string): ReadonlySet<string> =>
    new Set(diffFlows({ before, after }).differences.map(({ key }) => key));
  const [ownKeys, theirKeys] = [keysBetween(base, mine), keysBetween(base, theirs)];
  const between = diffFlows({ before: mine, after: theirs });
  const keys = new Set(between.differences.map(({ key }) => key));
  const taken = [...theirKeys].filter((key) => keys.has(key) && !ownKeys.has(key) && key !== 'text-changed');
  if ([...withNeeds(between, taken)].some((key) => !taken.includes(key))) return null;
  const done = new Set(taken);
  // A change of theirs that is not among the differences is also lost: its node was removed, for example.
  const clashes = [...theirKeys].filter((key) => !done.has(key) && (keys.has(key) || !ownKeys.has(key)));
  const text = applyEdits(mine, [...takeDifferences({ before: mine, after: theirs }, taken)]);
  return { text, clashes: clashes.length };
}
