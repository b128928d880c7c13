/**
 * The review of a file: the differences between two texts, and which of them the person has accepted or rejected.
 */
import { type FlowDifference, type FlowTexts, withNeeds } from '../../../engine/isomorphic.ts';
import type { DocumentCheck } from '../text/check.ts';
import type { FileConflict } from '../text/file.ts';

/**
 * Where the changes come from. `disk` is another program that changed the open file. In a `merge`, the first text has my
 * version of each conflict and the second text has theirs: accepting chooses theirs, rejecting chooses mine.
 */
export type ReviewSource = 'proposal' | 'disk' | 'git' | 'assistant' | 'import' | 'merge';

/** What the person has decided about a difference. */
export type ReviewVerdict = 'open' | 'accepted' | 'rejected';

/** The differences that the text on screen contains, and those that the person has decided about. */
export interface Decisions {
  readonly taken: ReadonlySet<string>;
  readonly decided: ReadonlySet<string>;
}

export interface Review extends Decisions {
  readonly path: string;
  readonly source: ReviewSource;
  /** One line that says what the changes are for. */
  readonly title: string;
  /** Who made the changes. Empty if unknown. */
  readonly by: string;
  /** When they were made, in epoch milliseconds. */
  readonly at: number;
  /** The ID of the proposal that is reviewed. Null if the changes are not a stored proposal. */
  readonly proposalId: string | null;
  readonly texts: FlowTexts;
  readonly differences: readonly FlowDifference[];
  /** The differences that were in the text when the review began. */
  readonly initial: ReadonlySet<string>;
  /** The checks of the two texts. */
  readonly checks: Readonly<Record<keyof FlowTexts, DocumentCheck>>;
  /** The first text with the taken differences. */
  readonly text: string;
  /** Whether the text on screen is another one, which cannot be compared yet, for example because it is not valid. */
  readonly isBehind: boolean;
  /** The difference that the views show, by its key. */
  readonly selected: string | null;
  /** What a merge began with. Null in other reviews. */
  readonly merge: MergeOrigin | null;
}

interface MergeOrigin {
  /** The text on screen before the merge. */
  readonly text: string;
  /** The conflict with the disk that the merge resolves. Null for conflicts within the text. */
  readonly conflict: FileConflict | null;
}

/** Texts to merge, which were changed independently. */
export interface MergeVersions {
  readonly mine: string;
  readonly theirs: string;
  /** Texts from which both may have been made, the most likely one first. */
  readonly bases: readonly string[];
  readonly conflict: FileConflict | null;
  /** One line that names both sides. */
  readonly title: string;
}

/** How a merge began. `failed` means that a text is not a valid flow. */
export type MergeStart = 'merged' | 'conflicts' | 'failed';

/** What to review. At first, the text contains all differences or none of them. */
export interface ReviewRequest
  extends FlowTexts,
    Pick<Review, 'path' | 'source' | 'title'>,
    Partial<Pick<Review, 'by' | 'at' | 'proposalId'>> {
  readonly taken: 'all' | 'none';
}

export function verdictOf({ taken, decided }: Decisions, key: string): ReviewVerdict {
  if (!decided.has(key)) return 'open';
  return taken.has(key) ? 'accepted' : 'rejected';
}

/** Returns the keys of the differences that are not decided yet, in the order of the file. */
export function openKeys({ differences, decided }: Review): readonly string[] {
  return differences.flatMap(({ key }) => (decided.has(key) ? [] : [key]));
}

/** Takes differences over, with those that they need. */
export function withAccepted(review: Review, keys: readonly string[]): Decisions {
  const accepted = withNeeds(review, keys);
  return { taken: union(review.taken, accepted), decided: union(review.decided, accepted) };
}

/** Leaves differences out, with those that need them. */
export function withRejected(review: Review, keys: readonly string[]): Decisions {
  const rejected = withDependents(review, keys);
  return { taken: without(review.taken, rejected), decided: union(review.decided, rejected) };
}

/** Takes decisions back, with those that depend on them. */
export function withReset(review: Review, keys: readonly string[]): Decisions {
  const { taken, decided, initial } = review;
  const added = withNeeds(
    review,
    keys.filter((key) => initial.has(key)),
  );
  const removed = withDependents(
    review,
    keys.filter((key) => !initial.has(key)),
  );
  return {
    taken: without(union(taken, added), removed),
    decided: without(without(decided, new Set([...added, ...keys])), removed),
  };
}

/** Returns the keys with those of all differences that need them. */
function withDependents({ differences }: Review, keys: readonly string[]): ReadonlySet<string> {
  const dependents = new Map<string, string[]>();
  for (const { key, needs } of differences) {
    for (const needed of needs) {
      const known = dependents.get(needed);
      if (known === undefined) dependents.set(needed, [key]);
      else known.push(key);
    }
  }
  const found = new Set<string>(keys);
  for (const key of found) for (const dependent of dependents.get(key) ?? []) found.add(dependent);
  return found;
}

export function union(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one, ...other]);
}

export function without(all: ReadonlySet<string>, some: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...all].filter((key) => !some.has(key)));
}

/** Returns the members that are in both sets. */
export function shared(one: Iterable<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one].filter((key) => other.has(key)));
}
