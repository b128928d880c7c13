/**
 * Whether a node that failed is tried again: a function of its policy, of the attempts so far and of the error, and of nothing else.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import type { CompiledNodePolicy } from '../flowspec/compiled-flow.ts';
import { expiredCode, rejectedCode } from '../kernel/ask.ts';

/** Trying again would not change what was decided. */
const decidedByPeople: ReadonlySet<string> = new Set([rejectedCode, expiredCode]);

export type RetryVerdict =
  | { readonly retry: true; readonly delayMs: number }
  | {
      readonly retry: false;
      /** `attempts`: no more are left. `decided`: by a person. `unrecoverable` and `code`: its policy does not try such errors again. */
      readonly reason: 'attempts' | 'decided' | 'unrecoverable' | 'code';
    };

/** @param attempt the one that failed, from 1 */
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
