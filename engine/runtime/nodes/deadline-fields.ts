/**
 * Config fields of nodes that send requests to people: the deadline and what happens after it.
 */
import { z } from 'zod';
import { longestDeadlineMs } from '../kernel/requests/ask.ts';

const deadlineMs = () =>
  z
    .int()
    .min(1)
    .max(longestDeadlineMs)
    .optional()
    .meta({ editor: 'duration', isAdvanced: true })
    .describe('Time limit for an answer, in milliseconds from the request');

interface DeadlineConfig {
  readonly deadlineMs?: number | undefined;
  readonly onDeadline?: string | undefined;
}

function hasDeadline(config: DeadlineConfig): boolean {
  return config.onDeadline === undefined || config.deadlineMs !== undefined;
}

const lacksDeadline = {
  path: ['onDeadline'],
  error: 'needs deadlineMs: without a deadline it has no effect',
};

/** For a node that asks for an approval. */
export const approvalDeadline = () =>
  z
    .object({
      deadlineMs: deadlineMs(),
      onDeadline: z
        .enum(['remind', 'approve', 'reject', 'fail'])
        .optional()
        .meta({ isAdvanced: true })
        .describe('Action at the deadline if there is no answer. Default remind'),
    })
    .refine(hasDeadline, lacksDeadline);

/** For a node that asks for values, which cannot be supplied automatically. */
export const formDeadline = () =>
  z
    .object({
      deadlineMs: deadlineMs(),
      onDeadline: z
        .enum(['remind', 'fail'], {
          error: 'must be remind or fail: a form cannot be approved or rejected',
        })
        .optional()
        .meta({ isAdvanced: true })
        .describe('Action at the deadline if there is no answer. Default remind'),
    })
    .refine(hasDeadline, lacksDeadline);
