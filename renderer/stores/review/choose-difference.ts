/**
 * The selected difference of a review, and the keys that decide about it. The list, the canvas, the outline and the text
 * share both.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { FlowDifference, FlowDoc } from '../../../engine/isomorphic.ts';
import type { OpenFiles } from '../text/files.ts';
import type { Selection } from '../window/selection.ts';
import { openKeys, type Review } from './review.ts';
import { marksOf, nodeOf, triggerOf } from './review-marks.ts';
import type { Reviews } from './reviews.ts';

export interface ReviewViews {
  readonly reviews: StoreApi<Reviews>;
  readonly selection: StoreApi<Selection>;
  readonly openFiles: StoreApi<OpenFiles>;
}

/** Selects a difference, and its node or trigger if the text on screen has it. */
export function chooseDifference(views: ReviewViews, path: string, difference: FlowDifference | undefined): void {
  const { reviews, select } = views.reviews.getState();
  const review = reviews.get(path);
  if (review === undefined || difference === undefined) return;
  select(path, difference.key);
  const trigger = triggerOf(difference);
  if (trigger !== undefined) {
    const isThere = openDoc(views, path)?.flow.triggers?.some(({ id }) => id === trigger) === true;
    views.selection.getState().choose(path, { triggers: isThere ? [trigger] : [] }, null);
  }
  const node = nodeOf(review, difference);
  if (node !== null) views.selection.getState().selectNode(path, isOnScreen(views, path, node) ? node : null);
}

/** Selects the main difference of a node. A node that the text on screen does not have replaces the selected one. */
export function chooseDifferenceOf(views: ReviewViews, path: string, nodeId: string): void {
  if (followNode(views, path, nodeId) && !isOnScreen(views, path, nodeId))
    views.selection.getState().selectNode(path, null);
}

/** Selects the difference of a trigger, if it has one. */
export function chooseDifferenceOfTrigger({ reviews }: Pick<ReviewViews, 'reviews'>, path: string, id: string): void {
  const review = reviews.getState().reviews.get(path);
  const [key] = (review === undefined ? undefined : marksOf(review).triggers.get(id)?.keys) ?? [];
  if (key !== undefined) reviews.getState().select(path, key);
}

function openDoc({ openFiles }: ReviewViews, path: string): FlowDoc | null | undefined {
  return openFiles.getState().files.get(path)?.doc;
}

function isOnScreen(views: ReviewViews, path: string, nodeId: string): boolean {
  return openDoc(views, path)?.nodes.some(({ id }) => id === nodeId) === true;
}

/** Selects the main difference of a node, unless the selected one is about it too. Returns whether the node has one. */
function followNode({ reviews }: ReviewViews, path: string, nodeId: string): boolean {
  const review = reviews.getState().reviews.get(path);
  const keys = review === undefined ? undefined : marksOf(review).nodes.get(nodeId)?.keys;
  if (review === undefined || keys === undefined) return false;
  const selected = review.differences.find(({ key }) => key === review.selected);
  const isAboutIt = selected !== undefined && (keys.includes(selected.key) || nodeOf(review, selected) === nodeId);
  if (!isAboutIt) reviews.getState().select(path, keys[0] ?? null);
  return true;
}

/** Selects the difference of a node that the person selects in any view. Returns a function that ends this. */
export function followSelectedNode(views: ReviewViews): () => void {
  return views.selection.subscribe((state, former) => {
    for (const [path, { nodeId }] of state.views)
      if (nodeId !== null && nodeId !== former.views.get(path)?.nodeId) followNode(views, path, nodeId);
  });
}

/** The keys of `decideByKey` that commands use as well, in the format of `data-own-keys`. */
export const reviewKeys = 'J K A R U Y T Mod+Enter';

type Decision = 'accept' | 'reject' | 'reset';

const decisions: Readonly<Record<string, Decision>> = { a: 'accept', r: 'reject', u: 'reset' };
/** In a merge, letters choose a side as well. */
const sides: Readonly<Record<string, Decision>> = { ...decisions, y: 'reject', t: 'accept' };
const steps: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** Does what a key means in the review of a file. Returns whether it means anything. */
export function decideByKey(
  views: ReviewViews,
  path: string,
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): boolean {
  const { reviews, acceptAll, end } = views.reviews.getState();
  const review = reviews.get(path);
  if (review === undefined) return false;
  const key = event.key.toLowerCase();
  const isCommand = event.ctrlKey || event.metaKey;
  const isMerge = review.source === 'merge';
  if (isCommand && key === 'enter' && !isMerge) void acceptAll(path);
  else if (isCommand || event.altKey) return false;
  else if (key === 'escape' && !(isMerge && openKeys(review).length > 0)) end(path);
  else return actOnSelected(views, review, key);
  return true;
}

function actOnSelected(views: ReviewViews, { path, source, differences, selected }: Review, key: string): boolean {
  const found = differences.findIndex((difference) => difference.key === selected);
  const index = Math.max(0, found);
  const current = differences[index];
  const step = steps[key];
  const decision = (source === 'merge' ? sides : decisions)[key];
  if (step !== undefined) chooseDifference(views, path, differences[index + step]);
  else if (current !== undefined && decision !== undefined)
    void views.reviews.getState()[decision](path, [current.key]);
  else return false;
  return true;
}
