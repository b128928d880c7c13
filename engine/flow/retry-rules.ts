/**
 * Whether a node is tried again, and when: decided by its policy, the attempts so far and how the last one ended.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import type { CompiledNode, CompiledNodePolicy } from '../flowspec/compiled-flow.ts';
import { expiredCode, rejectedCode } from '../kernel/ask.ts';
import type { AttemptEnd, NodeJob } from './node-job.ts';
import { abandonAfterMs } from './work-guard.ts';

export type FailedEnd = Extract<AttemptEnd, { readonly kind: 'failed' }>;
export type UnwantedEnd = Extract<AttemptEnd, { readonly kind: 'unwanted' }>;

/** Milliseconds until the next attempt; undefined if there is none. */
export function delayAfterFailure(
  { error, isDeaf }: FailedEnd,
  attempt: number,
  { node }: NodeJob,
): number | undefined {
  const verdict = decideRetry(node.policy, attempt, error);
  if (!verdict.retry) return undefined;
  // Two attempts of one node must not get into each other's way.
  return isDeaf ? Math.max(verdict.delayMs, abandonAfterMs) : verdict.delayMs;
}

/** Attempts in all, and the pause between two, when a node without `policy.retry` does not want its output. */
const usualAttempts = 3;
const usualDelayMs = 1000;
/** A longer pause, in milliseconds, is one that somebody's mistake asks for. */
const longestDelayMs = 300_000;

/** The pauses count and not the time on a clock, so that a host that does the work again decides the same. */
export function delayFor(
  { delayMs }: UnwantedEnd,
  attempt: number,
  { node, pausedMs }: { readonly node: CompiledNode; readonly pausedMs: number },
): number | undefined {
  const { hasRetry = false, maxAttempts, backoffMs, timeoutMs } = node.policy;
  if (attempt >= (hasRetry ? maxAttempts : usualAttempts)) return undefined;
  const wantedMs = Math.min(longestDelayMs, delayMs ?? (hasRetry ? backoffMs : usualDelayMs));
  return timeoutMs !== null && pausedMs + wantedMs > timeoutMs ? undefined : wantedMs;
}

/** Trying again would not change what was decided. */
const decidedByPeople: ReadonlySet<string> = new Set([rejectedCode, expiredCode]);

export type RetryVerdict =
  | { readonly retry: true; readonly delayMs: number }
  | {
      readonly retry: false;
      /** `attempts`: none are left. `decided`: by a person. `unrecoverable` and `code`: its policy does not try such errors again. */
      readonly reason: 'attempts' | 'decided' | 'unrecoverable' | 'code';
    };

/**
 * Whether a node that failed is tried again: a function of its policy, of the attempts so far and of the error, and of nothing else.
 * @param attempt the one that failed, from 1
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
