/**
 * Decides whether and when a node is retried, based on its policy, the previous attempts and how the last one ended.
 */
import type { ErrorRecord } from '../../../base/engine-error.ts';
import type { CompiledNode, CompiledNodePolicy } from '../../../language/flow/compiled-flow.ts';
import { expiredCode, rejectedCode } from '../../kernel/requests/ask.ts';
import type { AttemptEnd, NodeJob } from './node-job.ts';
import { abandonAfterMs } from './work-guard.ts';

export type FailedEnd = Extract<AttemptEnd, { readonly kind: 'failed' }>;
export type RetryableEnd = Extract<AttemptEnd, { readonly kind: 'unwanted' }>;

/** Returns the milliseconds until the next attempt; undefined if there is none. */
export function delayAfterFailure(
  { error, isDeaf }: FailedEnd,
  attempt: number,
  { node }: NodeJob,
): number | undefined {
  const verdict = decideRetry(node.policy, attempt, error);
  if (!verdict.retry) return undefined;
  // Two attempts of a node must not overlap.
  return isDeaf ? Math.max(verdict.delayMs, abandonAfterMs) : verdict.delayMs;
}

/**
 * Total number of attempts and the delay between them for nodes that request another attempt without `policy.retry`.
 */
const usualAttempts = 3;
const usualDelayMs = 1000;
/** Maximum delay in milliseconds. A longer delay can only be a mistake. */
const longestDelayMs = 300_000;

/** Counts delays instead of measuring time, so that a host that replays the work makes the same decisions. */
export function delayFor(
  { delayMs }: RetryableEnd,
  attempt: number,
  { node, pausedMs }: { readonly node: CompiledNode; readonly pausedMs: number },
): number | undefined {
  const { hasRetry = false, maxAttempts, backoffMs, timeoutMs } = node.policy;
  if (attempt >= (hasRetry ? maxAttempts : usualAttempts)) return undefined;
  const wantedMs = Math.min(longestDelayMs, delayMs ?? (hasRetry ? backoffMs : usualDelayMs));
  return timeoutMs !== null && pausedMs + wantedMs > timeoutMs ? undefined : wantedMs;
}

/** Decisions by a person, which another attempt would not change. */
const decidedByPeople: ReadonlySet<string> = new Set([rejectedCode, expiredCode]);

export type RetryVerdict =
  | { readonly retry: true; readonly delayMs: number }
  | {
      readonly retry: false;
      /**
       * `attempts`: none are left. `decided`: a person decided. `unrecoverable` and `code`: the policy does not retry
       * such errors.
       */
      readonly reason: 'attempts' | 'decided' | 'unrecoverable' | 'code';
    };

/**
 * Decides whether a failed node is retried. Depends only on its policy, the previous attempts and the error.
 * @param attempt number of the failed attempt, starting at 1
 */
export function decideRetry(
  { maxAttempts, backoffMs, retryIf }: Pick<CompiledNodePolicy, 'maxAttempts' | 'backoffMs' | 'retryIf'>,
  attempt: number,
  { code, recoverable }: Pick<ErrorRecord, 'code' | 'recoverable'>,
): RetryVerdict {
  if (attempt >= maxAttempts) return { retry: false, reason: 'attempts' };
  if (decidedByPeople.has(code)) return { retry: false, reason: 'decided' };
  if (retryIf?.recoverable === true && recoverable !== true) return { retry: false, reason: 'unrecoverable' };
  const isOther = retryIf !== undefined && retryIf.codes.length > 0 && !retryIf.codes.includes(code);
  return isOther ? { retry: false, reason: 'code' } : { retry: true, delayMs: backoffMs };
}
