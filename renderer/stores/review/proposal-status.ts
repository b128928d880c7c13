/**
 * What a person has decided about a proposal, as it is stored with the proposal.
 */
import { openKeys, type Review } from './review.ts';

export type DecidedStatus = 'pending' | 'applied' | 'rejected' | 'partly';

/** Returns `pending` until the person has decided about every change. */
export function proposalStatusOf(review: Review): DecidedStatus {
  if (openKeys(review).length > 0) return 'pending';
  if (review.taken.size === 0) return 'rejected';
  return review.taken.size === review.differences.length ? 'applied' : 'partly';
}
