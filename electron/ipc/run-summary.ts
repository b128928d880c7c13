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

/** A run as listed in the history. */
export const runSummary = z.object({
  runId: z.string(),
  number: z.number(),
  kind: z.enum(['flow', 'agent']),
  name: z.string(),
  sourcePath: z.string(),
  definitionHash: z.string(),
  status: z.enum(['queued', 'running', 'suspended', 'completed', 'failed', 'cancelled', 'skipped', 'interrupted']),
  waitStatus: z.enum(['PENDING_APPROVAL', 'PENDING_USER_INPUT', 'PENDING_PERMISSION', 'PAUSED']).optional(),
  startedAt: z.number(),
  durationMs: z.number().optional(),
  redoOf: z.string().optional(),
  redoCount: z.number().optional(),
  rerunOf: z.string().optional(),
  scope: runPart.optional(),
  pinned: z.array(z.string()).readonly().optional(),
  costUsd: z.number().optional(),
  unpricedCalls: z.number().optional(),
  error: errorRecord.optional(),
  failedNodes: z.array(z.string()).readonly(),
  damage: z.string().optional(),
  endReason: z.literal('corrected').optional(),
  redoRequested: z.literal(true).optional(),
  startedBy: startedBy.optional(),
});
