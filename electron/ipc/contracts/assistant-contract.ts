/**
 * Calls from a window to its engine host about the assistant. Part of `engine-contract.ts`. None of them changes a
 * flow: the result of a request is at most a pending proposal.
 */
import { z } from 'zod';
import { call, cancellableCall, stream } from '../rpc.ts';
import { runId } from '../run-summary.ts';
import { workspacePath } from './file-contract.ts';
import { proposalSummary } from './proposal-contract.ts';
import { budget } from './start-contract.ts';

const problem = z.object({ code: z.string(), message: z.string() });
const id = z.string().min(1).max(100);

const subject = z.strictObject({
  file: workspacePath,
  text: z.string(),
  selection: z.exactOptional(z.array(z.string().max(1000)).max(5000).readonly()),
  runId: z.exactOptional(runId),
  model: z.exactOptional(z.string().min(1).max(500)),
});

const request = subject.extend({
  id,
  message: z.string().max(20_000),
  earlier: z.exactOptional(
    z
      .array(z.strictObject({ by: z.enum(['person', 'assistant']), text: z.string().max(100_000) }))
      .max(100)
      .readonly(),
  ),
  budget,
  seen: z.exactOptional(z.string()),
});

export const assistantContract = {
  /** Returns exactly what a request would send. */
  previewAssistance: call(
    [subject],
    z.object({
      model: z.string().nullable(),
      problem: z.exactOptional(problem),
      isPriced: z.boolean(),
      instructions: z.string(),
      data: z.string(),
    }),
  ),
  assist: cancellableCall(
    [request],
    z.object({
      text: z.string(),
      proposal: z.exactOptional(proposalSummary),
      problem: z.exactOptional(problem),
      tokens: z.number(),
      costUsd: z.exactOptional(z.number()),
    }),
  ),
  /** Emits the progress of requests. */
  watchAssistance: stream(
    z.discriminatedUnion('type', [
      z.object({ id, type: z.literal('text'), text: z.string() }),
      z.object({ id, type: z.literal('tool'), tool: z.string() }),
      z.object({ id, type: z.literal('spent'), tokens: z.number(), costUsd: z.exactOptional(z.number()) }),
    ]),
  ),
} as const;
