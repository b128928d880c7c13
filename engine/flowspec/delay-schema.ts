/**
 * How long something may wait, as files say it.
 */
import { z } from 'zod';
import { longestDelayMs } from '../base/clock.ts';

/** A delay in milliseconds. */
export const delayMsSchema = z
  .number()
  .min(0)
  .max(longestDelayMs, `must be at most ${longestDelayMs} ms, which is over 24 days`);
