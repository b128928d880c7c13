/**
 * Schemas that several contracts use for runs in the history.
 */
import { z } from 'zod';
import type { ErrorRecord, RunId, RunPart } from '../../engine/isomorphic.ts';
import { startKinds } from '../../engine/runtime/kernel/events/start-event.ts';

/** Id of a run in the history. */
export const runId = z.string().min(1).max(100) as unknown as z.ZodType<RunId, string>;
/** Export formats of a run, as in the engine's `ExportFormat`. */
export const exportFormat = z.enum(['bundle', 'trace', 'otlp']);
const errorFrame = z.looseObject({ code: z.string(), message: z.string() });
const errorRecord = z.custom<ErrorRecord>((value) => errorFrame.safeParse(value).success);

const nodeId = z.string().min(1).max(1000);

/** A part of a flow: one node alone, or one with all nodes that it depends on. */
export const runPart: z.ZodType<RunPart> = z.union([z.strictObject({ only: nodeId }), z.strictObject({ to: nodeId })]);

/** What started a run. */
export const startedBy = z.object({
  kind: z.enum(startKinds),
  name: z.exactOptional(z.string()),
});

/** Statuses of runs in the history. */
export const runStatus = z.enum([
  ...(['queued', 'running', 'suspended', 'completed'] as const),
  ...(['failed', 'cancelled', 'skipped', 'interrupted'] as const),
]);

/** A run as listed in the history. */
export const runSummary = z.object({
  runId: z.string(),
  number: z.number(),
  kind: z.enum(['flow', 'agent']),
  name: z.string(),
  sourcePath: z.string(),
  definitionHash: z.string(),
  status: runStatus,
  waitStatus: z.exactOptional(z.enum(['PENDING_APPROVAL', 'PENDING_USER_INPUT', 'PENDING_PERMISSION', 'PAUSED'])),
  startedAt: z.number(),
  durationMs: z.exactOptional(z.number()),
  redoOf: z.exactOptional(z.string()),
  redoCount: z.exactOptional(z.number()),
  rerunOf: z.exactOptional(z.string()),
  scope: z.exactOptional(runPart),
  pinned: z.exactOptional(z.array(z.string()).readonly()),
  costUsd: z.exactOptional(z.number()),
  unpricedCalls: z.exactOptional(z.number()),
  tokens: z.exactOptional(z.number()),
  labels: z.exactOptional(z.array(z.string()).readonly()),
  note: z.exactOptional(z.string()),
  error: z.exactOptional(errorRecord),
  failedNodes: z.array(z.string()).readonly(),
  damage: z.exactOptional(z.string()),
  endReason: z.exactOptional(z.literal('corrected')),
  redoRequested: z.exactOptional(z.literal(true)),
  startedBy: z.exactOptional(startedBy),
});
