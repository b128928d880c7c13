/**
 * Requests that start runs, for the calls that start them and for those that look ahead.
 */
import { z } from 'zod';
import type { JsonValue } from '../../engine/isomorphic.ts';
import { autonomyLevels } from './engine-base.ts';
import { workspacePath } from './file-contract.ts';
import { pinnedOutputs } from './pinned-outputs.ts';
import { runId, runPart } from './run-summary.ts';

/** The same check as Zod's, with our read-only type. */
const jsonValue = z.json() as z.ZodType<JsonValue>;

export const autonomyLevel = z.enum(autonomyLevels);
export const agentName = z.string().min(1).max(4096);
/** Of a node in the body of a loop: `<loop>[<item>].<id>`, loops nested as deep as they may be. */
export const nodePlace = z.string().min(1).max(10_000);

/** What of a flow is to run, and outputs that its nodes give instead. */
const part = { part: z.exactOptional(runPart), pins: z.exactOptional(pinnedOutputs) };

export const startRunRequest = z.strictObject({
  path: workspacePath,
  text: z.string(),
  inputs: z.record(z.string(), jsonValue),
  ...part,
  /** It lowers what the flow declares and raises nothing. */
  autonomy: z.exactOptional(autonomyLevel),
});

/** By the path of its catalogue. */
export const startConversationRequest = z.strictObject({ path: workspacePath });

export const redoRequest = z.strictObject({ runId, text: z.exactOptional(z.string()) });

export const rerunRequest = z.strictObject({
  runId,
  nodeId: z.exactOptional(nodePlace),
  text: z.exactOptional(z.string()),
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
