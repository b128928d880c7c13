/**
 * Calls from a window to its engine host, over the window's own MessagePort. Each call has the name, arguments and
 * result of the `Engine` method that answers it. A window cannot call methods that are not listed here.
 */

import { z } from 'zod';
import type {
  EventEnvelope,
  JsonMap,
  JsonValue,
  NodeInRuns,
  NodeTypeData,
  RunComparison,
  SchemaFile,
} from '../../../engine/isomorphic.ts';
import { pinnedOutputs, wholeJson } from '../pinned-outputs.ts';
import { call, stream } from '../rpc.ts';
import { runId, runSummary } from '../run-summary.ts';
import { agentContract, diagnostic } from './agent-contract.ts';
import { assistantContract } from './assistant-contract.ts';
import { conversationContract } from './conversation-contract.ts';
import { evaluationContract } from './evaluation-contract.ts';
import { askedPath, fileContract, readFlow, workspacePath } from './file-contract.ts';
import { gitContract } from './git-contract.ts';
import { engineSending, retentionContract } from './history-contract.ts';
import { findPermissions, forgetPrivateHost, listPrivateHosts } from './permission-contract.ts';
import { policyContract } from './policy-contract.ts';
import { proposalContract } from './proposal-contract.ts';
import { publishContract } from './publish-contract.ts';
import { runFilter, runOverviewContract } from './run-overview-contract.ts';
import {
  autonomyLevel,
  holdContract,
  nodePlace,
  redoRequest,
  rerunRequest,
  startRunRequest,
} from './start-contract.ts';
import { listTools, mcpContract } from './tool-contract.ts';
import { triggerContract } from './trigger-contract.ts';
import { listWritten, undoContract } from './undo-contract.ts';

/** The same check as Zod's, with a read-only type. */
const jsonValue = z.json() as z.ZodType<JsonValue>;
const jsonRecord = z.record(z.string(), jsonValue);

const acceptedRun = z.object({ runId: z.string() });

const rerunStep = z.object({
  nodeId: z.string(),
  fate: z.enum(['reused', 'runs', 'maybe', 'skipped', 'pinned', 'given']),
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

const range = z.object({ low: z.number(), high: z.number() });
const estimatedUse = { ms: range, tokens: range, usd: range };

const flowEstimate = z.object({
  runCount: z.number(),
  ...estimatedUse,
  nodes: z
    .array(
      z.object({
        nodeId: z.string(),
        basis: z.enum(['same', 'similar', 'none']),
        ...estimatedUse,
        items: z.exactOptional(range),
      }),
    )
    .readonly(),
  mostUncertain: z.exactOptional(z.string()),
  noHistory: z.array(z.string()).readonly(),
  unpriced: z.array(z.string()).readonly(),
  waits: z.object({ nodeIds: z.array(z.string()).readonly(), ms: range }),
});

const nodePlan = z.object({
  inputs: z.custom<JsonMap>(isMap),
  sources: z.array(z.object({ nodeId: z.string(), fromRunId: z.exactOptional(runId) })).readonly(),
  missing: z.array(z.array(z.string()).readonly()).readonly(),
  known: z.record(z.string(), wholeJson),
  input: z.exactOptional(z.custom<JsonMap>(isMap)),
  actsOutside: z.boolean(),
});

/** Checks only the outer type, because the content comes from our own engine and may be large. */
function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const flowFile = z.object({ path: z.string(), change: z.enum(['modified', 'untracked']).nullable() });

/** Checks only the outer shape, because the content was read and validated by the engine of this build. */
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
/** Checks only the envelope, because the event inside comes from the engine of this build. */
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

const comparedRuns = {
  a: runId,
  b: runId,
  called: z.exactOptional(z.strictObject({ a: runId, b: runId })),
};
/** Checks only the outer shape, because the content comes from the engine of this build. */
const comparison = z.custom<RunComparison>((value) => comparisonFrame.safeParse(value).success);
const comparisonFrame = z.looseObject({ nodes: z.array(z.unknown()), differing: z.array(z.string()) });
const nodeInRuns = z.custom<NodeInRuns>(
  (value) => z.looseObject({ causes: z.array(z.unknown()) }).safeParse(value).success,
);

export const engineContract = {
  ...agentContract,
  ...conversationContract,
  ...mcpContract,
  ...fileContract,
  ...holdContract,
  ...gitContract,
  ...policyContract,
  ...proposalContract,
  ...triggerContract,
  ...publishContract,
  ...retentionContract,
  ...undoContract,
  ...runOverviewContract,
  ...assistantContract,
  ...evaluationContract,
  listWritten,
  findPermissions,
  listPrivateHosts,
  forgetPrivateHost,
  /** Returns the conditions that currently affect the whole engine. */
  readNotices: call([], z.array(z.object({ code: z.string(), message: z.string() })).readonly()),
  listTools,
  listFlows: call([], z.array(flowFile).readonly()),
  /** Returns a flow's problems that cannot be found in its text alone. */
  checkFlowInPlace: call([z.strictObject({ path: workspacePath, text: z.string() })], z.array(diagnostic).readonly()),
  /** Returns the content of the schema files named in a definition, or why they provide no schema. */
  readSchemas: call(
    [z.strictObject({ path: workspacePath, names: z.array(z.string().max(4096)).max(1000).readonly() })],
    z.array(z.tuple([z.string(), schemaFile]).readonly()).readonly(),
  ),
  /**
   * Lists the agents that can be used as node types. Also includes types in `named` that do not exist, with the reason.
   */
  listNodeTypes: call(
    [z.strictObject({ named: z.array(z.string().max(4096)).max(1000).readonly() })],
    z.array(z.union([z.object({ type: z.string(), problem: z.string() }), nodeTypeData])).readonly(),
  ),
  readFlow,

  startRun: call([startRunRequest], acceptedRun),
  redo: call([redoRequest], acceptedRun),
  rerunFrom: call([rerunRequest], acceptedRun),
  planRerun: call([rerunRequest], z.array(rerunStep).readonly()),
  /** Returns the earlier run that a run up to a node would reuse, and the plan. Undefined if no run has ended. */
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
  /** Returns what a run or a rerun will probably take and cost. Undefined for an agent's run. */
  estimate: call([z.union([startRunRequest, rerunRequest])], flowEstimate.optional()),
  /** Returns the inputs and effects of running a node alone, and any missing inputs. */
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
  /** Returns the last output of a node in the latest runs of a flow. Undefined if there is none. */
  latestOutput: call(
    [z.strictObject({ path: askedPath, nodeId: nodePlace })],
    z.object({ output: wholeJson, fromRunId: runId }).optional(),
  ),
  /** Returns where a run would have waited, or only suggested an action, at another autonomy level. */
  simulateAutonomy: call([z.strictObject({ runId, level: autonomyLevel })], autonomyReport),
  whenRedone: call([runId], z.string().optional()),

  listRuns: call(
    [
      z.strictObject({
        ...runFilter,
        below: z.exactOptional(z.number().int().min(1)),
        limit: z.number().int().min(1).max(1000),
      }),
    ],
    z.array(runSummary).readonly(),
  ),
  getRun: call([runId], runSummary),
  ...engineSending,
  /**
   * Lists all open requests of all runs, including runs that are still active, most urgent first. The details are in
   * the runs' events.
   */
  listWaiting: call([], z.array(waitingEntry).readonly()),
  readDefinition: call([runId], z.string()),
  /** Reads the definition of a child run. The root run is the first argument. */
  readCalledDefinition: call([runId, runId], z.string()),
  /** Reads events of a run after a sequence number (-1 = from the start), up to a limit. */
  readEvents: call([runId, z.number().int().min(-1), z.number().int().min(1).max(5000)], events),
  /** Compares two runs of a flow, or the same child run of both. */
  compareRuns: call([z.strictObject(comparedRuns)], comparison),
  /** Returns the values of a node in both runs, and why they differ. */
  compareNode: call([z.strictObject({ ...comparedRuns, place: nodePlace })], nodeInRuns),
  readValue: call([z.string().length(64)], jsonValue),

  /** Streams stored events, up to 500 at a time and with at most 2,000 unacknowledged. */
  subscribe: stream(events),
  watchFlows: stream(z.array(z.string()).readonly()),
  /**
   * Streams the paths of created, changed and deleted files, up to 1,000 at a time. With `isTree: false`, folder
   * listings are still valid.
   */
  watchFiles: stream(z.object({ paths: z.array(z.string()).readonly(), isTree: z.boolean() })),
  /** Emits when another process has written to the history: a second instance of the program, or the command line. */
  watchHistory: stream(z.void()),
} as const;
