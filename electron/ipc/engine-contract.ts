/**
 * Calls from a window to its engine host, over the window's own MessagePort. Each bears the name of the method of `Engine`
 * that answers it, and takes and gives what that does; what is not named here, no window can call.
 */
import { z } from 'zod';
import type { EventEnvelope, JsonMap, JsonValue, NodeTypeData, SchemaFile } from '../../engine/isomorphic.ts';
import { agentContract, diagnostic } from './agent-contract.ts';
import { conversationContract } from './conversation-contract.ts';
import { askedPath, fileContract, workspacePath } from './file-contract.ts';
import { mcpContract } from './mcp-contract.ts';
import { findPermissions, forgetPrivateHost, listPrivateHosts } from './permission-contract.ts';
import { pinnedOutputs, wholeJson } from './pinned-outputs.ts';
import { policyContract } from './policy-contract.ts';
import { call, stream } from './rpc.ts';
import { runId, runSummary } from './run-summary.ts';
import { autonomyLevel, nodePlace, redoRequest, rerunRequest, startRunRequest } from './start-contract.ts';
import { listTools } from './tool-contract.ts';
import { listWritten } from './written-contract.ts';

const done = z.void();

/** The same check as Zod's, with our read-only type. */
const jsonValue = z.json() as z.ZodType<JsonValue>;
const jsonRecord = z.record(z.string(), jsonValue);

const acceptedRun = z.object({ runId: z.string() });

const rerunStep = z.object({
  nodeId: z.string(),
  fate: z.enum(['reused', 'runs', 'maybe', 'skipped', 'pinned']),
  why: z.string(),
  whyParts: z.array(z.union([z.string(), z.object({ nodeId: z.string() })])).readonly(),
  repeatsOutside: z.exactOptional(z.literal(true)),
  fromRunId: z.exactOptional(runId),
  items: z.exactOptional(z.object({ reused: z.number(), total: z.number() })),
});

const autonomyReport = z.object({
  level: autonomyLevel,
  ranAt: autonomyLevel.nullable(),
  pauses: z.number(),
  suggestions: z.number(),
  acts: z
    .array(
      z.object({
        seq: z.number(),
        kind: z.enum(['pause', 'suggestion']),
        nodeId: z.string(),
        tool: z.exactOptional(z.string()),
        params: wholeJson,
        byModel: z.exactOptional(z.literal(true)),
      }),
    )
    .readonly(),
  notPredicted: z.exactOptional(z.object({ why: z.string(), nodes: z.array(z.string()).readonly() })),
  unknown: z.exactOptional(z.array(z.string()).readonly()),
  refused: z.exactOptional(z.string()),
});

const nodePlan = z.object({
  inputs: z.custom<JsonMap>(isMap),
  sources: z.array(z.object({ nodeId: z.string(), fromRunId: z.exactOptional(runId) })).readonly(),
  missing: z.array(z.array(z.string()).readonly()).readonly(),
  known: z.record(z.string(), wholeJson),
  input: z.exactOptional(z.custom<JsonMap>(isMap)),
  actsOutside: z.boolean(),
});

/** What is in it comes from our own engine, and may be large. */
function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const flowFile = z.object({ path: z.string(), change: z.enum(['modified', 'untracked']).nullable() });

/** Only that it is one is checked: what is in it was read and checked by our own engine, of this very build. */
const nodeTypeData = z.custom<NodeTypeData>((value) => typeFrame.safeParse(value).success);
const typeFrame = z.looseObject({ type: z.string(), title: z.string(), input: z.looseObject({}) });

const schemaFile: z.ZodType<SchemaFile> = z.union([
  z.object({ schema: z.union([z.boolean(), jsonRecord]) }) as z.ZodType<{ readonly schema: boolean | JsonMap }>,
  z.object({ nodeType: nodeTypeData }),
  z.object({ problem: z.string() }),
  z.object({
    flow: z.object({
      path: z.string(),
      text: z.string(),
      files: z.array(z.tuple([z.string(), z.lazy(() => schemaFile)]).readonly()).readonly(),
    }),
  }),
]);

const envelopeFrame = z.looseObject({
  seq: z.number(),
  at: z.number(),
  runId: z.string(),
  event: z.looseObject({ type: z.string() }),
});
/** Only the frame is checked: the event inside comes from our own engine, of this very build. */
const eventEnvelope = z.custom<EventEnvelope>((value) => envelopeFrame.safeParse(value).success);
const events = z.array(eventEnvelope).readonly();

const waitingEntry = z.object({
  runId: z.string(),
  number: z.number(),
  flow: z.string(),
  sourcePath: z.string(),
  name: z.string(),
  key: z.exactOptional(z.string()),
  kind: z.exactOptional(z.enum(['approval', 'input'])),
  isPermission: z.exactOptional(z.literal(true)),
  message: z.string(),
  askedAt: z.number(),
  deadlineAt: z.exactOptional(z.number()),
});

export const engineContract = {
  ...agentContract,
  ...conversationContract,
  ...mcpContract,
  ...fileContract,
  ...policyContract,
  listWritten,
  findPermissions,
  listPrivateHosts,
  forgetPrivateHost,
  /** What is true of the engine as a whole at present. */
  readNotices: call([], z.array(z.object({ code: z.string(), message: z.string() })).readonly()),
  listTools,
  listFlows: call([], z.array(flowFile).readonly()),
  /** What is wrong with a flow beside what its text alone says. */
  checkFlowInPlace: call([z.strictObject({ path: workspacePath, text: z.string() })], z.array(diagnostic).readonly()),
  /** What the schema files hold that a definition names, or why they give no schema. */
  readSchemas: call(
    [z.strictObject({ path: workspacePath, names: z.array(z.string().max(4096)).max(1000).readonly() })],
    z.array(z.tuple([z.string(), schemaFile]).readonly()).readonly(),
  ),
  /** Agents that are types of nodes; of `named` also those that are not there, with the reason. */
  listNodeTypes: call(
    [z.strictObject({ named: z.array(z.string().max(4096)).max(1000).readonly() })],
    z.array(z.union([z.object({ type: z.string(), problem: z.string() }), nodeTypeData])).readonly(),
  ),
  readFlow: call([askedPath], z.object({ text: z.string(), loss: z.exactOptional(z.string()) })),

  startRun: call([startRunRequest], acceptedRun),
  redo: call([redoRequest], acceptedRun),
  resumeRun: call(
    [
      z.strictObject({
        runId,
        decision: z.exactOptional(z.enum(['approve', 'reject'])),
        comment: z.exactOptional(z.string().max(10_000)),
        nodeId: z.exactOptional(nodePlace),
        /** The answer to what a node asks, in place of a decision; the engine refuses what does not fit. */
        payload: z.exactOptional(jsonRecord),
        /** Where a node asks several things. */
        key: z.exactOptional(z.string().min(1).max(10_000)),
      }),
    ],
    acceptedRun,
  ),
  rerunFrom: call([rerunRequest], acceptedRun),
  planRerun: call([rerunRequest], z.array(rerunStep).readonly()),
  /** Which run a run up to a node starts from, and what that does; undefined = no run has ended. */
  planUpTo: call(
    [
      z.strictObject({
        path: workspacePath,
        text: z.exactOptional(z.string()),
        nodeId: nodePlace,
        pins: z.exactOptional(pinnedOutputs),
      }),
    ],
    z.object({ runId, steps: z.array(rerunStep).readonly() }).optional(),
  ),
  /** What a node alone would get and do, and what is missing for that. */
  planNode: call(
    [
      z.strictObject({
        path: workspacePath,
        text: z.string(),
        nodeId: nodePlace,
        pins: z.exactOptional(pinnedOutputs),
      }),
    ],
    nodePlan,
  ),
  /** What a node gave last in the latest runs of a flow; undefined = nothing. */
  latestOutput: call(
    [z.strictObject({ path: askedPath, nodeId: nodePlace })],
    z.object({ output: wholeJson, fromRunId: runId }).optional(),
  ),
  /** Where a run would have waited, or only suggested, at another level. */
  simulateAutonomy: call([z.strictObject({ runId, level: autonomyLevel })], autonomyReport),
  /** A window names the run: it never stops them all. */
  cancelRun: call([runId], done),
  whenRedone: call([runId], z.string().optional()),

  listRuns: call(
    [
      z.strictObject({
        sourcePath: z.exactOptional(askedPath),
        status: z.exactOptional(z.literal('suspended')),
        find: z.exactOptional(
          z.strictObject({
            text: z.exactOptional(z.string().min(1).max(1000)),
            number: z.exactOptional(z.number().int().min(1)),
          }),
        ),
        limit: z.number().int().min(1).max(500),
      }),
    ],
    z.array(runSummary).readonly(),
  ),
  getRun: call([runId], runSummary),
  /** What all runs ask at present, also those that go on, the most urgent first; what exactly, the runs' events say. */
  listWaiting: call([], z.array(waitingEntry).readonly()),
  readDefinition: call([runId], z.string()),
  /** Of a run that another one called; the run at the top comes first. */
  readCalledDefinition: call([runId, runId], z.string()),
  /** Of a run, those behind a number (-1 = from the start), so many at most. */
  readEvents: call([runId, z.number().int().min(-1), z.number().int().min(1).max(5000)], events),
  readValue: call([z.string().length(64)], jsonValue),

  /** Stored events, at most 500 at a time. At most 2,000 are on their way that the window has not taken. */
  subscribe: stream(events),
  watchFlows: stream(z.array(z.string()).readonly()),
  /** Files that appeared, changed or went, at most 1,000; `isTree: false` when listings of folders still hold. */
  watchFiles: stream(z.object({ paths: z.array(z.string()).readonly(), isTree: z.boolean() })),
  /** Another process has written to the history: a second program on the workspace, or the command line. */
  watchHistory: stream(z.void()),
} as const;
