/**
 * Request deadlines: validates them, and determines what happens when one expires.
 */
import { EngineError } from '../../../base/engine-error.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { type AskAnswer, type AskRequest, type DeadlinePolicy, expiredCode, longestDeadlineMs } from './ask.ts';

/** Answerer name used if the deadline provided the answer. */
export const deadlineName = 'deadline';

/** Maximum time of a `Date`, in epoch milliseconds. */
const lastMoment = 8.64e15;

const policies: ReadonlySet<unknown> = new Set<DeadlinePolicy>(['remind', 'approve', 'reject', 'fail']);

/** Returns the problem with a new request's deadline; undefined if it is valid. */
export function deadlineProblemOf({ kind, deadlineAt, deadlineMs, onDeadline }: JsonMap): string | undefined {
  if (deadlineAt !== undefined && deadlineMs !== undefined) return 'it sets both deadlineAt and deadlineMs';
  if (deadlineAt !== undefined && !isWithin(deadlineAt, lastMoment))
    return 'its deadlineAt must be a time in epoch milliseconds';
  if (deadlineMs !== undefined && !isWithin(deadlineMs, longestDeadlineMs))
    return `its deadlineMs must be a number of milliseconds from 1 to ${longestDeadlineMs.toLocaleString('en')}`;
  if (onDeadline === undefined) return undefined;
  if (deadlineAt === undefined && deadlineMs === undefined) return 'it sets onDeadline but has no deadline';
  if (!policies.has(onDeadline)) return 'its onDeadline must be remind, approve, reject or fail';
  if (kind === 'input' && (onDeadline === 'approve' || onDeadline === 'reject'))
    return 'it requests values, which a deadline cannot approve or reject; its onDeadline must be remind or fail';
  return undefined;
}

function isWithin(value: unknown, most: number): boolean {
  return typeof value === 'number' && value >= 1 && value <= most;
}

/** Returns the request for the log, with its time limit converted to a deadline. @param askedAt epoch milliseconds */
export function withDeadline(request: AskRequest, askedAt: number): AskRequest {
  if (request.deadlineMs === undefined) return request;
  const { deadlineMs, ...rest } = request;
  return { ...rest, deadlineAt: askedAt + deadlineMs };
}

/** Returns the request without its deadline, so that repeated requests are equal. */
export function withoutDeadline(request: AskRequest): AskRequest {
  const { deadlineAt: _at, deadlineMs: _ms, onDeadline: _policy, ...question } = request;
  return question as AskRequest;
}

/** Returns the answer that applies if nobody answered in time; undefined if the request stays open. */
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
 * Returns the answer.
 * @param asker start of the message: `The node`
 * @throws EngineError `ask.expired` if nobody answered in time
 */
export function unexpired(answer: AskAnswer, request: AskRequest, asker: string): AskAnswer {
  if (answer.payload['expired'] !== true) return answer;
  const { title, deadlineAt } = request;
  const message = `${asker} asked "${title}", but received no answer before the deadline`;
  throw new EngineError({
    code: expiredCode,
    message,
    ...(deadlineAt === undefined ? {} : { details: { deadlineAt } }),
  });
}
