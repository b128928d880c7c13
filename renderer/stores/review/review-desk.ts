/**
 * Applies decisions of reviews to the text on screen, and follows that text.
 */
import type { StoreApi } from 'zustand/vanilla';
import { EngineError } from '../../../engine/isomorphic.ts';
import type { FileEdits } from '../text/edits.ts';
import type { FileServices, OpenFiles } from '../text/files.ts';
import type { DocumentService } from '../text/service.ts';
import { type ComparedTexts, carriedReview, compareTexts, mergedTexts, textWith } from './compare.ts';
import {
  type Decisions,
  type MergeStart,
  type MergeVersions,
  openKeys,
  type Review,
  type ReviewRequest,
} from './review.ts';
import { text as words } from './text.ts';

/** The open reviews, by path. */
interface OpenReviews {
  readonly reviews: ReadonlyMap<string, Review>;
}

export type ReviewServices = Pick<FileServices, 'documents' | 'engine' | 'notices'> & {
  readonly openFiles: StoreApi<OpenFiles>;
  readonly edits: Pick<FileEdits, 'replace' | 'settle' | 'undo' | 'redo'>;
};

/** Number of earlier states of a review to which undo can return. */
const mostStates = 50;
/** How often a decision is computed again because of typing. */
const maxTries = 20;

/** The states of reviews by their text, so that undo and redo restore the decisions as well. */
class FormerStates {
  readonly #byPath = new Map<string, Map<string, Review>>();

  keep(review: Review): void {
    const states = this.#byPath.get(review.path) ?? new Map<string, Review>();
    states.delete(review.text);
    states.set(review.text, review);
    const [oldest] = states.keys();
    if (states.size > mostStates && oldest !== undefined) states.delete(oldest);
    this.#byPath.set(review.path, states);
  }

  find(path: string, text: string): Review | undefined {
    return this.#byPath.get(path)?.get(text);
  }

  forget(path: string): void {
    this.#byPath.delete(path);
  }
}

function mergeReview(
  path: string,
  { title, conflict }: MergeVersions,
  original: string,
  compared: ComparedTexts,
): Review {
  const none: ReadonlySet<string> = new Set();
  return {
    path,
    source: 'merge',
    title,
    by: '',
    at: Date.now(),
    proposalId: null,
    ...compared,
    ...{ initial: none, taken: none, decided: none },
    text: compared.texts.before,
    isBehind: false,
    selected: compared.differences[0]?.key ?? null,
    merge: { text: original, conflict },
  };
}

/**
 * Compares the merge with my version of each conflict and the one with theirs. Null if the texts are not flows but can be
 * merged line by line.
 */
async function comparedSides(documents: DocumentService, versions: MergeVersions): Promise<ComparedTexts | null> {
  const texts = await mergedTexts(documents, versions);
  return compareTexts(documents, texts).catch((error: unknown) => {
    if (versions.conflict !== null && EngineError.is(error)) return null;
    throw error;
  });
}

/** Opens reviews and makes decisions: for each file one after the other. Failures are shown as notices. */
export class ReviewDesk {
  readonly #services: ReviewServices;
  readonly #store: StoreApi<OpenReviews>;
  /** The last pending work of each file. */
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #former = new FormerStates();

  constructor(services: ReviewServices, store: StoreApi<OpenReviews>) {
    this.#services = services;
    this.#store = store;
  }

  reviewOf(path: string): Review | undefined {
    return this.#store.getState().reviews.get(path);
  }

  #put(review: Review): void {
    this.#former.keep(review);
    this.#show(review);
  }

  remove(path: string): void {
    const reviews = new Map(this.#store.getState().reviews);
    this.#former.forget(path);
    if (!reviews.delete(path)) return;
    this.#store.setState({ reviews });
    this.#services.openFiles.getState().patch(path, { openConflicts: 0 });
  }

  /** Opens a review. Resolves to whether that was possible. */
  async open(request: ReviewRequest): Promise<boolean> {
    let isOpen = false;
    await this.#inTurn(request.path, words.failed, async () => {
      await this.#open(request);
      isOpen = true;
    });
    return isOpen;
  }

  /**
   * Merges two versions into the text on screen, and opens a review of the conflicts, if there are any.
   * @param versionsOf returns the versions for a text on screen, or null if there is nothing to merge
   */
  async merge(path: string, versionsOf: (text: string) => MergeVersions | null): Promise<MergeStart> {
    let start: MergeStart = 'failed';
    await this.#inTurn(path, words.merge.failed, async () => {
      start = await this.#merge(path, versionsOf);
    });
    return start;
  }

  /** Ends a merge, and restores the text before it in one undo step. */
  cancelMerge(path: string): void {
    const { merge = null } = this.reviewOf(path) ?? {};
    this.remove(path);
    if (merge === null) return;
    this.#services.edits.replace(path, merge.text, words.edits.cancelMerge);
    this.#services.openFiles.getState().patch(path, { conflict: merge.conflict });
  }

  /** Adapts a review to the text on screen: a former state after an undo, or its changes merged with the new edits. */
  follow(path: string): Promise<void> {
    return this.#inTurn(path, words.failed, () => this.#follow(path));
  }

  /** Makes a decision, as one edit of the text. */
  decide(path: string, label: string, decide: (review: Review) => Decisions): Promise<void> {
    return this.#inTurn(path, words.decideFailed, () => this.#decide(path, label, decide));
  }

  #inTurn(path: string, title: string, work: () => Promise<void>): Promise<void> {
    const done = (this.#queues.get(path) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => this.#services.notices.getState().addError(title, error));
    this.#queues.set(path, done);
    return done;
  }

  async #open({ before, after, taken, ...about }: ReviewRequest): Promise<void> {
    const { documents } = this.#services;
    const compared = await compareTexts(documents, { before, after });
    if (compared.differences.length === 0) throw new EngineError({ code: 'review.empty', message: words.noDifference });
    const keys = new Set(taken === 'all' ? compared.differences.map(({ key }) => key) : []);
    const review: Review = {
      by: '',
      at: Date.now(),
      proposalId: null,
      ...about,
      ...compared,
      initial: keys,
      taken: keys,
      decided: new Set(),
      text: taken === 'all' ? after : before,
      isBehind: false,
      selected: compared.differences[0]?.key ?? null,
      merge: null,
    };
    const text = this.#textOf(review.path);
    const current = text === undefined || text === review.text ? review : await carriedReview(documents, review, text);
    this.#former.forget(review.path);
    if (keys.size > 0) this.#former.keep({ ...review, taken: new Set(), text: before });
    this.#put(current);
  }

  async #merge(path: string, versionsOf: (text: string) => MergeVersions | null): Promise<MergeStart> {
    const { documents } = this.#services;
    for (let tries = 0; tries < maxTries; tries++) {
      const original = this.#textOf(path);
      const versions = original === undefined ? null : versionsOf(original);
      if (original === undefined || versions === null) return 'failed';
      const compared = await comparedSides(documents, versions);
      if (compared === null) return 'failed';
      if (this.#textOf(path) !== original) continue;
      return this.#openMerge(mergeReview(path, versions, original, compared));
    }
    return 'failed';
  }

  /** Puts the merged text on screen. */
  #openMerge(review: Review): MergeStart {
    const { path, text, differences } = review;
    this.remove(path);
    this.#services.edits.replace(path, text, words.edits.merge);
    // A file that is read-only keeps its text.
    if (this.#textOf(path) !== text) return 'failed';
    if (differences.length > 0) this.#put(review);
    this.#settle(path);
    return differences.length > 0 ? 'conflicts' : 'merged';
  }

  async #follow(path: string): Promise<void> {
    for (let tries = 0; tries < maxTries; tries++) {
      const review = this.reviewOf(path);
      const text = this.#textOf(path);
      if (review === undefined || text === undefined || text === review.text) break;
      if (review.merge?.text === text) {
        this.#services.openFiles.getState().patch(path, { conflict: review.merge.conflict });
        return this.#show({ ...review, isBehind: true });
      }
      const known = this.#former.find(path, text);
      const next = known ?? (await carriedReview(this.#services.documents, review, text).catch(() => null));
      if (this.#textOf(path) !== text) continue;
      if (next === null) this.#show({ ...review, isBehind: true });
      else this.#put({ ...next, isBehind: false });
      return;
    }
    const review = this.reviewOf(path);
    if (review?.isBehind !== true || this.#textOf(path) !== review.text) return;
    this.#show({ ...review, isBehind: false });
    this.#settle(path);
  }

  async #decide(path: string, label: string, decide: (review: Review) => Decisions): Promise<void> {
    for (let tries = 0; tries < maxTries; tries++) {
      await this.#follow(path);
      const review = this.reviewOf(path);
      if (review === undefined) return;
      if (review.isBehind) throw new EngineError({ code: 'edit.refused', message: words.wait });
      const decisions = decide(review);
      const text = await textWith(this.#services.documents, review, decisions.taken);
      if (this.#textOf(path) !== review.text) continue;
      this.#put({ ...review, ...decisions, text });
      if (review.merge === null) this.#services.edits.replace(path, text, label);
      else if (text !== review.text) this.#replaceMerge(review, text);
      // A file that is read-only keeps its text.
      if (this.#textOf(path) !== text) this.#put(review);
      this.#settle(path);
      return;
    }
  }

  /** Replaces the text so that one undo step leads back to the text before the merge. */
  #replaceMerge({ path, merge }: Review, text: string): void {
    const { edits, openFiles } = this.#services;
    if (openFiles.getState().files.get(path)?.undoLabel === words.edits.merge) {
      edits.undo(path);
      if (this.#textOf(path) !== merge?.text) edits.redo(path);
    }
    edits.replace(path, text, words.edits.merge);
  }

  /** Ends the conflict with the disk once every conflict of the merge is decided. The file can then be saved. */
  #settle(path: string): void {
    const { files } = this.#services.openFiles.getState();
    const { conflict = null, openConflicts = 0 } = files.get(path) ?? {};
    const review = this.reviewOf(path);
    if (conflict !== null && openConflicts === 0 && (review === undefined || review.source === 'merge'))
      this.#services.edits.settle(path, 'mine');
  }

  #show(review: Review): void {
    this.#store.setState({ reviews: new Map(this.#store.getState().reviews).set(review.path, review) });
    const openConflicts = review.source === 'merge' && !review.isBehind ? openKeys(review).length : 0;
    this.#services.openFiles.getState().patch(review.path, { openConflicts });
  }

  #textOf(path: string): string | undefined {
    return this.#services.openFiles.getState().files.get(path)?.text;
  }
}
