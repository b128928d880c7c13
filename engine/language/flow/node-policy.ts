/**
 * The part of a node that determines its retries and timeout, and what its failure means for the flow.
 */
import { z } from 'zod';
import { longestDelayMs } from '../../base/clock.ts';

/** A delay in milliseconds. */
export const delayMsSchema = z
  .number()
  .min(0)
  .max(longestDelayMs, `must be at most ${longestDelayMs} ms, which is over 24 days`);

/** Number of times a failing node is tried. */
export interface RetryPolicy {
  /** Total number of attempts, including the first; at least 1. */
  readonly maxAttempts: number;
  /** Constant delay between attempts in milliseconds; 0 if absent. */
  readonly backoffMs?: number;
}

/** What happens when a node fails or times out. */
export interface NodePolicy {
  /** Time limit of one attempt in milliseconds; absent or 0 for none. */
  readonly timeoutMs?: number;
  readonly continueOnError?: boolean;
  readonly retry?: RetryPolicy;
}

const retrySchema = z.strictObject({
  maxAttempts: z.int().min(1).describe('Total number of attempts, including the first.'),
  backoffMs: delayMsSchema.int().exactOptional().describe('Delay between attempts, in milliseconds. Default 0.'),
});

export const nodePolicySchema = z.strictObject({
  timeoutMs: delayMsSchema
    .int()
    .exactOptional()
    .describe('Timeout of one attempt, in milliseconds. Default 0, no timeout.'),
  continueOnError: z
    .boolean()
    .exactOptional()
    .describe('True: the flow continues when this node fails. False: the flow stops, even if it does not fail fast.'),
  retry: retrySchema.exactOptional().describe('Retries the node when it fails.'),
});
