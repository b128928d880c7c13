/**
 * The open reviews, by file. The text on screen always consists of the first text and the accepted differences: each
 * decision is an edit that can be undone, and undoing it takes the decision back. Nothing is saved.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { applyEdits, conflictSides, type FlowChange, type FlowTexts } from '../../../engine/isomorphic.ts';
import type { DocumentKind } from '../text/check.ts';
import type { OpenFile } from '../text/file.ts';
import type { MergedText, ThreeTexts } from '../text/merge.ts';
import { type UndecidedTexts, undecidedTexts } from './compare.ts';
import { mergeByParts } from './merge-by-parts.ts';
import {
  type MergeStart,
  type MergeVersions,
  openKeys,
  type Review,
  type ReviewRequest,
  withAccepted,
  withRejected,
  withReset,
} from './review.ts';
import { ReviewDesk, type ReviewServices } from './review-desk.ts';
import { text as words } from './text.ts';

/** Changes by another program that the person can review. */
interface ReviewOffer {
  readonly texts: FlowTexts;
  readonly at: number;
  /** Number of differences. */
  readonly count: number;
}

export interface Reviews {
  readonly reviews: ReadonlyMap<string, Review>;
  readonly offers: ReadonlyMap<string, ReviewOffer>;
  /**
   * Opens the review of an open file, and replaces the former one. If the person has edited the text, the changes are
   * merged with those edits. Resolves to whether it is open; a notice says why it is not.
   */
  openReview(request: ReviewRequest): Promise<boolean>;
  /** Opens the review of a change of the text on screen, which is not made yet. */
  propose(path: string, title: string, change: FlowChange): Promise<boolean>;
  /** Opens the review of what another program changed. */
  openOffer(path: string): Promise<boolean>;
  /** Ends a review or an offer. The text stays as it is. */
  end(path: string): void;
  /** Accepts differences with those that they need, in one undo step. */
  accept(path: string, keys: readonly string[]): Promise<void>;
  /** Rejects differences with those that need them, in one undo step. */
  reject(path: string, keys: readonly string[]): Promise<void>;
  /** Takes decisions back. */
  reset(path: string, keys: readonly string[]): Promise<void>;
  /** Accepts all differences that are not decided yet, in one undo step. */
  acceptAll(path: string): Promise<void>;
  rejectAll(path: string): Promise<void>;
  select(path: string, key: string | null): void;
  /** Returns the texts between which the undecided differences are. Null without a review, and while it waits. */
  undecidedTexts(path: string): Promise<UndecidedTexts | null>;
  /**
   * Resolves the conflicts of a flow: those that Git has left in its text, or those of unsaved edits with the changes of
   * another program. What both sides changed differently is opened as a review. `failed` if a side is not a valid flow.
   */
  resolve(path: string): Promise<MergeStart>;
  /** Ends a merge, and restores the text before it. */
  cancelMerge(path: string): void;
  /** Merges unsaved edits of a file with the changes of another program. */
  merge(versions: ThreeTexts, kind: DocumentKind): Promise<MergedText>;
}

function withoutOffer(offers: Reviews['offers'], path: string): Reviews['offers'] {
  const left = new Map(offers);
  return left.delete(path) ? left : offers;
}

/** Follows the files: the edits of the person, and changes by other programs. Returns a function that stops it. */
function followFiles(
  { documents, openFiles }: ReviewServices,
  store: StoreApi<Reviews>,
  desk: Pick<ReviewDesk, 'reviewOf' | 'remove' | 'follow'>,
): () => void {
  const removeOffer = (path: string): void => store.setState({ offers: withoutOffer(store.getState().offers, path) });
  /** Compares what another program changed. A text that is not a flow is not offered. */
  const offer = async (path: string, texts: FlowTexts): Promise<void> => {
    if (desk.reviewOf(path)?.source === 'disk') {
      await store.getState().openReview(outsideRequest(path, texts, Date.now()));
      return;
    }
    const compared = await documents.compare(texts).catch(() => null);
    const count = compared?.ok === true ? compared.differences.length : 0;
    if (openFiles.getState().files.get(path)?.outside !== texts) return;
    removeOffer(path);
    const offers = new Map(store.getState().offers);
    if (count > 0) store.setState({ offers: offers.set(path, { texts, at: Date.now(), count }) });
  };
  const followFile = (path: string, file: OpenFile, before: OpenFile | undefined): void => {
    const review = desk.reviewOf(path);
    const isOther = file.conflict?.diskText !== before?.conflict?.diskText && file.conflict !== review?.merge?.conflict;
    if (review?.source === 'merge' && file.conflict !== null && isOther) {
      // The next merge begins with the text on screen, which has the decisions so far.
      desk.remove(path);
      return;
    }
    const isChanged = file.outside !== null && file.outside !== before?.outside && file.kind === 'flow';
    if (isChanged && file.outside !== null) void offer(path, file.outside);
    else if (review !== undefined && file.text !== before?.text && (file.text !== review.text || review.isBehind))
      void desk.follow(path);
  };
  return openFiles.subscribe(({ files }, { files: former }) => {
    if (files === former) return;
    for (const [path, file] of files) if (file !== former.get(path)) followFile(path, file, former.get(path));
    for (const path of former.keys()) {
      if (files.has(path)) continue;
      desk.remove(path);
      removeOffer(path);
    }
  });
}

function outsideRequest(path: string, texts: FlowTexts, at: number): ReviewRequest {
  return { path, ...texts, source: 'disk', title: words.outsideTitle, at, taken: 'all' };
}

type ReviewActions = Pick<Reviews, 'accept' | 'reject' | 'reset' | 'acceptAll' | 'rejectAll'>;

function createDecisions(desk: Pick<ReviewDesk, 'reviewOf' | 'decide'>): ReviewActions {
  const about = (path: string, keys: readonly string[]): { readonly change: string } => ({
    change: desk.reviewOf(path)?.differences.find(({ key }) => key === keys[0])?.text ?? '',
  });
  return {
    accept: (path, keys) =>
      desk.decide(path, words.edits.accept(about(path, keys)), (review) => withAccepted(review, keys)),
    reject: (path, keys) =>
      desk.decide(path, words.edits.reject(about(path, keys)), (review) => withRejected(review, keys)),
    reset: (path, keys) => desk.decide(path, words.edits.reset(about(path, keys)), (review) => withReset(review, keys)),
    acceptAll: (path) => desk.decide(path, words.edits.acceptAll, (review) => withAccepted(review, openKeys(review))),
    rejectAll: (path) => desk.decide(path, words.edits.rejectAll, (review) => withRejected(review, openKeys(review))),
  };
}

/** Returns both sides of the conflicts that Git has left in a text. Null if there are none. */
function sidesOf(text: string, gitBase: string | null): MergeVersions | null {
  const sides = conflictSides(text);
  if (sides === undefined) return null;
  const { ours, theirs, base } = sides;
  return {
    mine: ours.text,
    theirs: theirs.text,
    bases: [gitBase, base].filter((known) => known !== null),
    conflict: null,
    title: words.merge.ofGit({ mine: ours.name, theirs: theirs.name }),
  };
}

async function resolveConflicts(
  { engine, openFiles }: ReviewServices,
  desk: Pick<ReviewDesk, 'merge'>,
  path: string,
): Promise<MergeStart> {
  const conflict = openFiles.getState().files.get(path)?.conflict ?? null;
  if (conflict === null) {
    const base = await engine.call('readMergeBase', path).catch(() => ({ text: null }));
    return desk.merge(path, (text) => sidesOf(text, base.text));
  }
  const { diskText, baseText } = conflict;
  if (diskText === null) return 'failed';
  const bases = baseText === null ? [] : [baseText];
  const about = { theirs: diskText, bases, conflict, title: words.merge.ofDisk };
  return desk.merge(path, (mine) => ({ mine, ...about }));
}

/** Creates the store. The second value ends it. */
export function createReviews(services: ReviewServices): readonly [StoreApi<Reviews>, () => void] {
  const { openFiles } = services;
  const store = createStore<Reviews>()((set, get) => ({
    reviews: new Map(),
    offers: new Map(),
    async openReview(request) {
      const isOpen = await desk.open(request);
      if (isOpen) set({ offers: withoutOffer(get().offers, request.path) });
      return isOpen;
    },
    async propose(path, title, change) {
      const before = openFiles.getState().files.get(path)?.text ?? '';
      const changed = await services.documents.change(before, change);
      if (!changed.ok) {
        services.notices.getState().addError(words.failed, changed.error);
        return false;
      }
      const after = applyEdits(before, changed.edits);
      return await get().openReview({ path, title, before, after, source: 'assistant', taken: 'none' });
    },
    openOffer(path) {
      const offer = get().offers.get(path);
      if (offer === undefined) return Promise.resolve(false);
      return get().openReview(outsideRequest(path, offer.texts, offer.at));
    },
    end(path) {
      desk.remove(path);
      set({ offers: withoutOffer(get().offers, path) });
      openFiles.getState().patch(path, { outside: null });
    },
    async undecidedTexts(path) {
      const review = get().reviews.get(path);
      if (review === undefined || review.isBehind) return null;
      return undecidedTexts(services.documents, review).catch(() => null);
    },
    resolve: (path) => resolveConflicts(services, desk, path),
    cancelMerge: (path) => desk.cancelMerge(path),
    merge: (versions, kind) => mergeByParts(services.documents, versions, kind),
    ...createDecisions({
      reviewOf: (path) => desk.reviewOf(path),
      decide: (path, label, decide) => desk.decide(path, label, decide),
    }),
    select(path, selected) {
      const review = get().reviews.get(path);
      if (review === undefined || review.selected === selected) return;
      set({ reviews: new Map(get().reviews).set(path, { ...review, selected }) });
    },
  }));
  const desk = new ReviewDesk(services, store);
  return [store, followFiles(services, store, desk)];
}
