/**
 * Statistics, labels and notes of runs. Part of `engine-contract.ts`.
 */
import { z } from 'zod';
import type { RunId } from '../../../engine/isomorphic.ts';
import { call } from '../rpc.ts';
import { runId, runStatus, startedBy } from '../run-summary.ts';
import { askedPath } from './file-contract.ts';

const label = z.string().min(1).max(1000);

/** What selects runs in lists and statistics. */
export const runFilter = {
  sourcePath: z.exactOptional(askedPath),
  status: z.exactOptional(runStatus),
  startedBy: z.exactOptional(startedBy),
  label: z.exactOptional(label),
  since: z.exactOptional(z.number()),
  until: z.exactOptional(z.number()),
  find: z.exactOptional(
    z.strictObject({
      text: z.exactOptional(z.string().min(1).max(1000)),
      number: z.exactOptional(z.number().int().min(1)),
      content: z.exactOptional(z.string().min(1).max(1000)),
    }),
  ),
};

const spread = z.object({ p50: z.number(), p95: z.number(), total: z.number() });
const spreads = {
  durationMs: z.exactOptional(spread),
  tokens: z.exactOptional(spread),
  costUsd: z.exactOptional(spread),
};
const namedRun = z.object({ runId: z.string(), number: z.number(), startedAt: z.number() });

const runStats = z.object({
  ...spreads,
  runs: z.number(),
  isCut: z.boolean(),
  points: z
    .array(
      z.object({
        ...spreads,
        ...{ first: z.number(), last: z.number(), startedAt: z.number(), runs: z.number(), failed: z.number() },
      }),
    )
    .readonly(),
  nodes: z
    .array(z.object({ nodeId: z.string(), count: z.number(), failed: z.number(), durationMs: spread }))
    .readonly(),
  nodeRuns: z.number(),
  failures: z
    .array(
      z.object({
        nodeId: z.exactOptional(z.string()),
        runs: z.number(),
        last: namedRun,
        message: z.exactOptional(z.string()),
        streak: z.exactOptional(
          z.object({
            runs: z.number(),
            first: namedRun,
            before: z.exactOptional(namedRun),
            changes: z.exactOptional(z.array(z.string()).readonly()),
          }),
        ),
      }),
    )
    .readonly(),
});

const taskTimes = z.array(z.object({ nodeId: z.string(), durationMs: z.number(), isFailed: z.boolean() })).readonly();

export const runOverviewContract = {
  readRunStats: call([z.strictObject(runFilter)], runStats),
  readTaskTimes: call(
    [z.array(runId).max(100).readonly() as unknown as z.ZodType<readonly RunId[]>, z.number().int().min(1).max(100)],
    z.map(z.string(), taskTimes),
  ),
  markRun: call(
    [
      runId,
      z.strictObject({
        addLabels: z.exactOptional(z.array(z.string().max(1000)).max(100).readonly()),
        removeLabels: z.exactOptional(z.array(z.string().max(1000)).max(100).readonly()),
        note: z.exactOptional(z.string().max(100_000)),
      }),
    ],
    z.void(),
  ),
  listRunLabels: call([], z.array(z.object({ label: z.string(), runs: z.number() })).readonly()),
} as const;
