/**
 * Calls from a window to its engine host, over the window's own MessagePort. Both ends derive from this table: the
 * client its types, the server its obligation to have a handler and its check of what arrives.
 */
import { z } from 'zod';
import type { ErrorRecord, EventEnvelope, JsonValue } from '../../engine/isomorphic.ts';
import { agentContract } from './agent-contract.ts';
import { fileContract } from './file-contract.ts';
import { askedPath, workspacePath } from './path-schemas.ts';

const runId = z.string().min(1).max(100);

/** The same check as Zod's, with our read-only type. */
const jsonValue = z.json() as z.ZodType<JsonValue>;
const jsonRecord = z.record(z.string(), jsonValue);

const errorFrame = z.looseObject({ code: z.string(), message: z.string() });
const errorRecord = z.custom<ErrorRecord>((value) => errorFrame.safeParse(value).success);

const runSummary = z.object({
  runId: z.string(),
  kind: z.enum(['flow', 'agent']),
  name: z.string(),
  sourcePath: z.string(),
  definitionHash: z.string(),
  status: z.enum(['queued', 'running', 'suspended', 'completed', 'failed', 'cancelled', 'skipped', 'interrupted']),
  startedAt: z.number(),
  durationMs: z.number().optional(),
  redoOf: z.string().optional(),
  redoCount: z.number().optional(),
  rerunOf: z.string().optional(),
  error: errorRecord.optional(),
  failedNodes: z.array(z.string()).readonly(),
  redoRequested: z.literal(true).optional(),
});

/** Of a node in the body of a loop: `<loop>[<item>].<id>`, loops nested as deep as they may be. */
const nodePlace = z.string().min(1).max(10_000);
const rerunFrom = z.strictObject({ runId, nodeId: nodePlace, text: z.string().optional() });
const rerunStep = z.object({ nodeId: z.string(), fate: z.enum(['reused', 'runs', 'maybe']), why: z.string() });

const flowFile = z.object({ path: z.string(), change: z.enum(['modified', 'untracked']).nullable() });

const envelopeFrame = z.looseObject({
  seq: z.number(),
  at: z.number(),
  runId: z.string(),
  event: z.looseObject({ type: z.string() }),
});
/** Only the frame is checked: the event inside comes from our own engine, of this very build. */
const eventEnvelope = z.custom<EventEnvelope>((value) => envelopeFrame.safeParse(value).success);

export const engineContract = {
  ...agentContract,
  ...fileContract,
  'engine.info': {
    params: z.strictObject({}),
    result: z.object({ workspace: z.string(), notices: z.array(z.object({ code: z.string(), message: z.string() })) }),
  },
  'flow.list': { params: z.strictObject({}), result: z.object({ flows: z.array(flowFile) }) },
  'flow.read': {
    params: z.strictObject({ path: askedPath }),
    result: z.object({ text: z.string(), loss: z.exactOptional(z.string()) }),
  },
  'run.start': {
    params: z.strictObject({ path: workspacePath, text: z.string(), inputs: jsonRecord }),
    result: z.object({ runId: z.string() }),
  },
  'run.redo': {
    params: z.strictObject({ runId: runId.optional(), text: z.string().optional() }),
    result: z.object({ runId: z.string() }),
  },
  'run.resume': {
    params: z.strictObject({
      runId,
      decision: z.enum(['approve', 'reject']).optional(),
      comment: z.string().max(10_000).optional(),
      nodeId: nodePlace.optional(),
    }),
    result: z.object({ runId: z.string() }),
  },
  'run.rerun': { params: rerunFrom, result: z.object({ runId: z.string() }) },
  'run.planRerun': { params: rerunFrom, result: z.object({ steps: z.array(rerunStep) }) },
  'run.cancel': { params: z.strictObject({ runId }), result: z.object({}) },
  'run.list': {
    params: z.strictObject({
      sourcePath: z.exactOptional(askedPath),
      status: z.exactOptional(z.literal('suspended')),
      limit: z.number().int().min(1).max(500),
    }),
    result: z.object({ runs: z.array(runSummary) }),
  },
  'run.get': {
    params: z.strictObject({ runId }),
    result: z.object({ run: runSummary, definition: z.string() }),
  },
  'run.events': {
    params: z.strictObject({ runId, afterSeq: z.number().int().min(-1), limit: z.number().int().min(1).max(5000) }),
    result: z.object({ events: z.array(eventEnvelope) }),
  },
  /** The page has applied this many pushed events: the host may send as many more. */
  'run.acknowledge': { params: z.strictObject({ events: z.number().int().min(1).max(500) }), result: z.object({}) },
  'value.read': { params: z.strictObject({ hash: z.string().length(64) }), result: z.object({ value: jsonValue }) },
} as const;

/** What the engine host tells a window without being asked. */
export const enginePushes = {
  /** Stored events, at most 500. The window answers each batch with `run.acknowledge`; at most 2,000 events wait for that. */
  'run.events': z.object({ events: z.array(eventEnvelope) }),
  'flow.changed': z.object({ paths: z.array(z.string()) }),
  /** Files that appeared, changed or went, at most 1,000; `isTree: false` when listings of folders still hold. */
  'file.changed': z.object({ paths: z.array(z.string()).readonly(), isTree: z.boolean() }),
  /** Another process has written to the history: a second program on the workspace, or the command line. */
  'history.changed': z.object({}),
} as const;
