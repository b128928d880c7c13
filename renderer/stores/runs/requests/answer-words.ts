/**
 * Describes answers to requests of nodes: the answer, its author, and how long it took.
 */
import type { Ask, AskAnswer, JsonMap } from '../../../../engine/isomorphic.ts';
import { text } from '../text.ts';

/** The author of an answer that was set by the deadline. */
const byDeadline = 'deadline';

/** Returns text such as `approved by Ada`, `rejected by its deadline`, `answered`. */
export function answerWords(kind: Ask['request']['kind'], { payload, by }: Pick<AskAnswer, 'payload' | 'by'>): string {
  const { answers } = text;
  if (payload['expired'] === true) return answers.expired;
  if (payload['withdrawn'] === true) return answers.withdrawn;
  if (kind === 'input' && payload['declined'] !== true)
    return authored(by, answers.answered, answers.answeredBy, answers.answeredByDeadline);
  if (payload['approved'] !== true)
    return authored(by, answers.rejected, answers.rejectedBy, answers.rejectedByDeadline);
  return payload['scope'] === 'workspace'
    ? authored(by, answers.approvedForWorkspace, answers.approvedForWorkspaceBy, answers.approvedForWorkspaceByDeadline)
    : authored(by, answers.approved, answers.approvedBy, answers.approvedByDeadline);
}

function authored(
  by: string | undefined,
  alone: string,
  byPerson: (named: { readonly person: string }) => string,
  byItsDeadline: string,
): string {
  if (by === undefined) return alone;
  return by === byDeadline ? byItsDeadline : byPerson({ person: by });
}

/** Returns the comment of an answer. Empty if there is none. */
export function commentOf({ comment }: JsonMap): string {
  return typeof comment === 'string' ? comment.trim() : '';
}

/**
 * Returns when a node waited for people: ordered spans in epoch milliseconds that do not overlap. @param now end of
 * requests that are still open
 */
export function waitingSpans(
  asks: readonly Ask[],
  now: number,
): readonly { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const { askedAt, answer } of [...asks].sort((left, right) => left.askedAt - right.askedAt)) {
    // The clock may have been set back meanwhile.
    const to = Math.max(askedAt, answer?.at ?? now);
    const last = spans.at(-1);
    if (last !== undefined && askedAt <= last.to) last.to = Math.max(last.to, to);
    else spans.push({ from: askedAt, to });
  }
  return spans;
}
