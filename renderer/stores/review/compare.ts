/**
 * Compares the texts of a review, and adapts a review to edits that the person makes meanwhile.
 */
import { type DifferenceLines, EngineError, type FlowTexts } from '../../../engine/isomorphic.ts';
import type { DocumentService } from '../text/service.ts';
import { mergeByParts } from './merge-by-parts.ts';
import { type MergeVersions, openKeys, type Review, shared, union, without } from './review.ts';

export type ComparedTexts = Pick<Review, 'texts' | 'differences' | 'checks'>;

/** Compares two texts. @throws EngineError `edit.refused` if one of them is not a flow */
export async function compareTexts(documents: DocumentService, texts: FlowTexts): Promise<ComparedTexts> {
  const compared = await documents.compare(texts);
  if (!compared.ok) throw new EngineError(compared.error);
  const before = await documents.check('flow', texts.before);
  const after = await documents.check('flow', texts.after);
  return { texts, differences: compared.differences, checks: { before, after } };
}

/** Returns the first text with differences. @throws EngineError `edit.refused` if they cannot be taken over */
export async function textWith(
  documents: DocumentService,
  { texts, differences }: Pick<Review, 'texts' | 'differences'>,
  taken: ReadonlySet<string>,
): Promise<string> {
  if (taken.size === 0) return texts.before;
  if (taken.size === differences.length) return texts.after;
  const merged = await documents.merge(texts, [...taken]);
  if (!merged.ok) throw new EngineError(merged.error);
  return merged.text;
}

/** The two texts between which the undecided differences of a review are, and the lines of each in both. */
export interface UndecidedTexts extends FlowTexts {
  readonly lines: readonly DifferenceLines[];
}

/** Returns the text on screen without and with all undecided differences. @throws EngineError `edit.refused` */
export async function undecidedTexts(documents: DocumentService, review: Review): Promise<UndecidedTexts> {
  const { taken } = review;
  const undecided = new Set(openKeys(review));
  const before = await textWith(documents, review, without(taken, undecided));
  const after = await textWith(documents, review, union(taken, undecided));
  const located = await documents.locate({ before, after });
  if (!located.ok) throw new EngineError(located.error);
  return { before, after, lines: located.lines };
}

/** Returns the texts with my version and with their version of each conflict. Equal if there is none. */
export async function mergedTexts(
  documents: DocumentService,
  { mine, theirs, bases }: MergeVersions,
): Promise<FlowTexts> {
  for (const base of bases) {
    const merged = await documents.mergeVersions({ base, mine, theirs });
    if (merged.ok) return { before: merged.text, after: merged.theirs };
  }
  // Without a common text, every difference is a conflict.
  return { before: mine, after: theirs };
}

/**
 * Returns a review of the same changes for a text that the person has edited: their edits become part of both texts. If
 * they changed the same values, only the differences that are still undecided remain.
 * @throws EngineError `edit.refused` if the edited text is not a flow
 */
export async function carriedReview(documents: DocumentService, review: Review, edited: string): Promise<Review> {
  const carried = async (theirs: string): Promise<string> =>
    (await mergeByParts(documents, { base: review.text, mine: edited, theirs }, 'flow')).text;
  const before = await carried(review.texts.before);
  const after = await carried(review.texts.after);
  const both = await reviewWith(documents, review, { before, after });
  if ((await textWith(documents, both, both.taken).catch(() => null)) === edited) return { ...both, text: edited };
  if (review.initial.size > 0) {
    const ofRest = await reviewWith(documents, review, { before, after: edited });
    const all = new Set(ofRest.differences.map(({ key }) => key));
    return { ...ofRest, taken: all, decided: shared(ofRest.decided, review.taken), text: edited };
  }
  const ofRest = await reviewWith(documents, review, { before: edited, after });
  const rejected = [...ofRest.decided].filter((key) => !review.taken.has(key));
  return { ...ofRest, taken: new Set(), decided: new Set(rejected), text: edited };
}

async function reviewWith(documents: DocumentService, review: Review, texts: FlowTexts): Promise<Review> {
  const compared = await compareTexts(documents, texts);
  const keys = new Set(compared.differences.map(({ key }) => key));
  const { taken, decided, initial, selected } = review;
  return {
    ...review,
    ...compared,
    taken: shared(taken, keys),
    decided: shared(decided, keys),
    initial: initial.size > 0 ? keys : initial,
    selected: selected !== null && keys.has(selected) ? selected : null,
    isBehind: false,
  };
}
