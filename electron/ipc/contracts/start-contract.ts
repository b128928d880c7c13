/**
 * Requests that start runs, used by the calls that start runs and those that plan them, and the calls that hold runs.
 */
import { z } from 'zod';
import type { JsonMap, JsonValue } from '../../../engine/isomorphic.ts';
import { autonomyLevels } from '../engine-base.ts';
import { pinnedOutputs, wholeJson } from '../pinned-outputs.ts';
import { call } from '../rpc.ts';
import { runId, runPart } from '../run-summary.ts';
import { breakpoints } from './draft-contract.ts';
import { workspacePath } from './file-contract.ts';

/** The same check as Zod's, with a read-only type. */
const jsonValue = z.json() as z.ZodType<JsonValue>;

export const autonomyLevel = z.enum(autonomyLevels);
/** Limits of a run, or of a request to the assistant. */
export const budget = z.strictObject({
  usd: z.exactOptional(z.number().positive()),
  tokens: z.exactOptional(z.int().positive()),
  seconds: z.exactOptional(z.number().positive().max(86_400)),
});

export const agentName = z.string().min(1).max(4096);
/** Full name of a node, including loops: `<loop>[<item>].<id>`, nested to any allowed depth. */
export const nodePlace = z.string().min(1).max(10_000);

/** The part of a flow to run, and pinned outputs of its nodes. */
const part = { part: z.exactOptional(runPart), pins: z.exactOptional(pinnedOutputs) };

export const startRunRequest = z.strictObject({
  path: workspacePath,
  text: z.string(),
  inputs: z.record(z.string(), jsonValue),
  ...part,
  /** Can lower the autonomy level declared by the flow, but not raise it. */
  autonomy: z.exactOptional(autonomyLevel),
});

/** Identified by the path of its catalog. */
export const startConversationRequest = z.strictObject({ path: workspacePath });

export const redoRequest = z.strictObject({ runId, text: z.exactOptional(z.string()) });

export const rerunRequest = z.strictObject({
  runId,
  nodeId: z.exactOptional(nodePlace),
  text: z.exactOptional(z.string()),
  until: z.exactOptional(z.number().int().min(0)),
  /** Outputs that the user gives nodes for this run only. */
  given: z.exactOptional(pinnedOutputs),
  ...part,
});

export const agentOptions = z.strictObject({
  model: z.exactOptional(z.string()),
  temperature: z.exactOptional(z.number()),
  top_p: z.exactOptional(z.number()),
  input_concurrency: z.exactOptional(z.number().int().min(0)),
});

export const startAgentRequest = z.strictObject({
  agent: agentName,
  text: z.exactOptional(z.string()),
  inputs: z.exactOptional(z.array(jsonValue).max(100_000)),
  files: z.exactOptional(z.array(z.string().max(4096)).max(1000)),
  options: z.exactOptional(agentOptions),
  dry: z.exactOptional(z.enum(['req', 'res'])),
});

const done = z.void();
const acceptedRun = z.object({ runId: z.string() });

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Calls that hold runs, let them continue, and change the values of held ones. */
export const holdContract = {
  resumeRun: call(
    [
      z.strictObject({
        runId,
        decision: z.exactOptional(z.enum(['approve', 'reject'])),
        comment: z.exactOptional(z.string().max(10_000)),
        /** The node that is answered, or the held node that gets an output or an input. */
        nodeId: z.exactOptional(nodePlace),
        /** The answer to a node's question, instead of a decision. The engine rejects an answer that does not match. */
        payload: z.exactOptional(z.record(z.string(), jsonValue)),
        /** Identifies the question if a node asks several questions. */
        key: z.exactOptional(z.string().min(1).max(10_000)),
        /** For a paused run, instead of everything above. */
        action: z.exactOptional(z.enum(['continue', 'step', 'skip', 'edit', 'raise'])),
        /** For `skip`: the output of the node, which does not run. */
        output: z.exactOptional(wholeJson),
        /** For `edit`: its input. */
        input: z.exactOptional(z.custom<JsonMap>((value) => isMap(value) && wholeJson.safeParse(value).success)),
        /** For `raise`: the new limits of the run's budget. */
        raised: z.exactOptional(budget),
      }),
    ],
    acceptedRun,
  ),
  /** The run id is required: a window never cancels all runs. */
  cancelRun: call([runId], done),
  pauseRun: call([runId], done),
  /** Changes the output of a completed node of a paused run. */
  changeOutput: call([z.strictObject({ runId, nodeId: nodePlace, output: wholeJson })], done),
  setBreakpoints: call([z.string().min(1).max(4096), breakpoints], done),
  /** The user looks at a run, so breakpoints act in it, whatever started it. */
  attachRun: call([runId], done),
} as const;
