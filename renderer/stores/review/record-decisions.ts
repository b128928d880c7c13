/**
 * Stores with a proposal what the person decides about it.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { WindowNotices } from '../window/notices.ts';
import { openKeys, type Review } from './review.ts';
import type { Reviews } from './reviews.ts';
import { text as words } from './text.ts';

type DecidedStatus = 'pending' | 'applied' | 'rejected' | 'partly';

interface DecisionServices {
  readonly engine: EngineClient;
  readonly notices: StoreApi<WindowNotices>;
  readonly reviews: StoreApi<Reviews>;
}

/** Records what the person decides about a proposal, until its review ends. @param proposal `at` identifies the review */
export function recordDecisions(
  { engine, notices, reviews }: DecisionServices,
  { id, path, at }: { readonly id: string; readonly path: string; readonly at: number },
): void {
  let recorded: DecidedStatus = 'pending';
  const end = reviews.subscribe((state) => {
    const review = state.reviews.get(path);
    if (review?.source !== 'proposal' || review.at !== at) return end();
    const status = proposalStatusOf(review);
    if (status === recorded) return;
    recorded = status;
    engine
      .call('setProposalStatus', { id, status })
      .catch((error: unknown) => notices.getState().addError(words.statusFailed, error));
  });
}

/** Returns `pending` until the person has decided about every change. */
function proposalStatusOf(review: Review): DecidedStatus {
  if (openKeys(review).length > 0) return 'pending';
  if (review.taken.size === 0) return 'rejected';
  return review.taken.size === review.differences.length ? 'applied' : 'partly';
}
