/**
 * Answers to what nodes have asked, in words: what was answered, by whom, and how long that took.
 */
import type { Ask, AskAnswer, JsonMap } from '../../../engine/isomorphic.ts';

/** Who stands in an answer that nobody has given before the deadline. */
const byDeadline = 'deadline';

/** `approved by Ada`, `rejected by its deadline`, `answered`. */
export function answerWords(kind: Ask['request']['kind'], { payload, by }: Pick<AskAnswer, 'payload' | 'by'>): string {
  if (payload['expired'] === true) return 'nobody answered in time';
  const approved = payload['scope'] === 'workspace' ? 'approved for this workspace' : 'approved';
  const what = kind === 'input' ? 'answered' : payload['approved'] === true ? approved : 'rejected';
  if (by === undefined) return what;
  return `${what} by ${by === byDeadline ? 'its deadline' : by}`;
}

/** What somebody has said with an answer; empty = nothing. */
export function commentOf({ comment }: JsonMap): string {
  return typeof comment === 'string' ? comment.trim() : '';
}

/** When a node waited for people: spans in epoch milliseconds that do not overlap, in order. @param now of what waits still */
export function waitingSpans(
  asks: readonly Ask[],
  now: number,
): readonly { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const { askedAt, answer } of [...asks].sort((left, right) => left.askedAt - right.askedAt)) {
    // Somebody may have put the clock back meanwhile.
    const to = Math.max(askedAt, answer?.at ?? now);
    const last = spans.at(-1);
    if (last !== undefined && askedAt <= last.to) last.to = Math.max(last.to, to);
    else spans.push({ from: askedAt, to });
  }
  return spans;
}
