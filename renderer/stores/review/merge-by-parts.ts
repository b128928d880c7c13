/**
 * Merges unsaved edits of a file with the changes of another program.
 */
import type { DocumentKind } from '../text/check.ts';
import { type MergedText, mergeTexts, type ThreeTexts } from '../text/merge.ts';
import type { DocumentService } from '../text/service.ts';

/** Longer texts are merged only line by line, because comparing flows takes longer. */
const longestFlow = 200_000;

/**
 * Merges line by line. Where both sides changed the same lines of a flow, it is merged by nodes, fields and edges
 * instead, so that only those that both sides changed remain in conflict.
 */
export async function mergeByParts(
  documents: Pick<DocumentService, 'mergeVersions'>,
  versions: ThreeTexts,
  kind: DocumentKind,
): Promise<MergedText> {
  const merged = mergeTexts(versions);
  const isLong = versions.mine.length + versions.theirs.length > longestFlow;
  if (merged.clashes === 0 || kind !== 'flow' || isLong) return merged;
  const byParts = await documents.mergeVersions(versions).catch(() => null);
  return byParts?.ok === true ? { text: byParts.text, clashes: byParts.conflicts } : merged;
}
