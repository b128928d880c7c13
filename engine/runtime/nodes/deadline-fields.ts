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
    .meta({ editor: 'duration' })
    .describe('How long there is for an answer, in milliseconds, from when it is asked');

interface DeadlineConfig {
  readonly deadlineMs?: number | undefined;
  readonly onDeadline?: string | undefined;
}

function hasDeadline(config: DeadlineConfig): boolean {
  return config.onDeadline === undefined || config.deadlineMs !== undefined;
}

const lacksDeadline = {
  path: ['onDeadline'],
  error: 'needs deadlineMs beside it: without a deadline nothing is done',
};

/** For a node that asks for an approval. */
export const approvalDeadline = () =>
  z
    .object({
      deadlineMs: deadlineMs(),
      onDeadline: z
        .enum(['remind', 'approve', 'reject', 'fail'])
        .optional()
        .describe('What is done when nobody has answered by then; without it, the person is reminded'),
    })
    .refine(hasDeadline, lacksDeadline);

/** For a node that asks for values, which cannot be supplied automatically. */
export const formDeadline = () =>
  z
    .object({
      deadlineMs: deadlineMs(),
      onDeadline: z
        .enum(['remind', 'fail'], {
          error: 'must be remind or fail: nothing can be approved or rejected where values are asked for',
        })
        .optional()
        .describe('What is done when nobody has answered by then; without it, the person is reminded'),
    })
    .refine(hasDeadline, lacksDeadline);
