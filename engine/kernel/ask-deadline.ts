/**
 * Deadlines of questions: what they may be, and what is done when nobody has answered in time.
 */
import { EngineError } from '../base/engine-error.ts';
import type { JsonMap } from '../flowspec/json-value.ts';
import { type AskAnswer, type AskRequest, type DeadlinePolicy, expiredCode, longestDeadlineMs } from './ask.ts';

/** Who has answered where the deadline has. */
export const deadlineName = 'deadline';

/** Of a `Date`, in epoch milliseconds. */
const lastMoment = 8.64e15;

const policies: ReadonlySet<unknown> = new Set<DeadlinePolicy>(['remind', 'approve', 'reject', 'fail']);

/** What is wrong with the deadline of a request that is about to be asked; undefined when nothing is. */
export function deadlineProblemOf({ kind, deadlineAt, deadlineMs, onDeadline }: JsonMap): string | undefined {
  if (deadlineAt !== undefined && deadlineMs !== undefined) return 'it has both deadlineAt and deadlineMs';
  if (deadlineAt !== undefined && !isWithin(deadlineAt, lastMoment))
    return 'its deadlineAt has to be a time in epoch milliseconds';
  if (deadlineMs !== undefined && !isWithin(deadlineMs, longestDeadlineMs))
    return `its deadlineMs has to be a number of milliseconds from 1 to ${longestDeadlineMs.toLocaleString('en')}`;
  if (onDeadline === undefined) return undefined;
  if (deadlineAt === undefined && deadlineMs === undefined) return 'it says what is done at a deadline and has none';
  if (!policies.has(onDeadline)) return 'its onDeadline is none of remind, approve, reject and fail';
  if (kind === 'input' && (onDeadline === 'approve' || onDeadline === 'reject'))
    return 'it asks for values, which no deadline can approve or reject; its onDeadline may be remind or fail';
  return undefined;
}

function isWithin(value: unknown, most: number): boolean {
  return typeof value === 'number' && value >= 1 && value <= most;
}

/** The request as the log tells it: with a time, where it has said how long there is. @param askedAt epoch milliseconds */
export function withDeadline(request: AskRequest, askedAt: number): AskRequest {
  if (request.deadlineMs === undefined) return request;
  const { deadlineMs, ...rest } = request;
  return { ...rest, deadlineAt: askedAt + deadlineMs };
}

/** The question alone: whoever asks it again later asks for the same. */
export function withoutDeadline(request: AskRequest): AskRequest {
  const { deadlineAt: _at, deadlineMs: _ms, onDeadline: _policy, ...question } = request;
  return question as AskRequest;
}

/** What counts as the answer when nobody has given one in time; undefined where it waits on. */
export function answerAtDeadline(policy: DeadlinePolicy | undefined): JsonMap | undefined {
  switch (policy) {
    case 'approve':
      return { approved: true };
    case 'reject':
      return { approved: false };
    case 'fail':
      return { expired: true };
    default:
      return undefined;
  }
}

/**
 * Gives the answer on.
 * @param asker begins the message: `The node`
 * @throws EngineError `ask.expired` where nobody has answered in time
 */
export function unexpired(answer: AskAnswer, request: AskRequest, asker: string): AskAnswer {
  if (answer.payload['expired'] !== true) return answer;
  const { title, deadlineAt } = request;
  const message = `${asker} has asked "${title}", and nobody has answered before its deadline`;
  throw new EngineError({
    code: expiredCode,
    message,
    ...(deadlineAt === undefined ? {} : { details: { deadlineAt } }),
  });
}
