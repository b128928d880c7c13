/**
 * Defines the tools that `millrace mcp` offers: tools for writing flows, and each workspace flow.
 */
import path from 'node:path';
import { z } from 'zod';
import { sleep } from '../../base/clock.ts';
import { onAbort } from '../../base/on-abort.ts';
import { describeNodeTypes } from '../../host/workspace/node-type-list.ts';
import type { Engine } from '../../index.ts';
import { inputsSchemaOf, type JsonMap, type JsonValue, parseFlow, type RunId } from '../../isomorphic.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { resolveRunReference } from '../run-reference.ts';
import { allProblemsOf } from './file-problems.ts';
import { explainNode, readRun, stateOfRun } from './mcp-answers.ts';
import { hashOf, problemsForClient } from './mcp-proposals.ts';
import { testTool } from './mcp-tests.ts';
import {
  fileArgument as file,
  type McpServedTool,
  proposalArgument as proposalId,
  runArgument as run,
  toolOf,
} from './mcp-tool.ts';

/**
 * Default wait in seconds, because clients give up after a minute or more. A longer run continues and can be read
 * later.
 */
const usualWaitSeconds = 50;
/** Maximum number of flows offered as tools. A longer list is not useful. */
const mostFlows = 200;

const inputs = z.record(z.string(), z.json()).default({}).describe('Inputs of the flow, by name.');
const waitSeconds = z
  .number()
  .min(0)
  .max(3_600)
  .default(usualWaitSeconds)
  .describe('How long to wait for the end of the run, in seconds. A longer run continues.');

/** Returns the tools for writing flows. */
export function authoringTools(engine: Engine, context: CliContext): readonly McpServedTool[] {
  return [
    validateTool(engine, context),
    planTool(engine),
    toolOf({
      name: 'run',
      description:
        'Runs a flow and waits for its end. A run that sends a request to a person is returned as suspended; only a person can answer the request.',
      schema: z.strictObject({ path: file, inputs, waitSeconds }),
      isReading: false,
      act: ({ waitSeconds: seconds, ...flow }, signal) => runFlow(engine, flow, { seconds, signal, context }),
    }),
    ...readingTools(engine),
    testTool(engine),
  ];
}

function validateTool(engine: Engine, context: CliContext): McpServedTool {
  return toolOf({
    name: 'validate',
    description:
      'Checks a flow (*.flow.yaml) or an agent (*.aip) and lists its problems, with lines and columns counted from 1. Pass text to check a version that is not saved yet, or proposalId to check a proposal. Also returns the hash of the text, which propose_edit needs for changes.',
    schema: z.strictObject({
      path: file.exactOptional(),
      text: z.string().exactOptional(),
      proposalId: proposalId.exactOptional(),
    }),
    isReading: true,
    async act({ path: named, text: given, proposalId: id }) {
      const proposal = id === undefined ? undefined : await engine.readProposal(id);
      const shown = named ?? proposal?.file;
      if (shown === undefined || (proposal !== undefined && (given !== undefined || shown !== proposal.file)))
        throw usageError('Pass either a path, with or without text, or a proposalId.');
      const text = given ?? proposal?.text ?? (await engine.readFlow(shown)).text;
      const source = { shown, file: path.resolve(engine.workspace, shown), text };
      const problems = await allProblemsOf(source, { context, workspace: engine.workspace });
      return { ...problemsForClient(problems), hash: await hashOf(text) };
    },
  });
}

function planTool(engine: Engine): McpServedTool {
  return toolOf({
    name: 'plan',
    description:
      'Lists, for each node, whether it would run again and why if a run were repeated with the current flow file, or with a proposal; runs nothing. Without "from", lists what would run because of changes since the run.',
    schema: z.strictObject({
      run,
      from: z
        .string()
        .exactOptional()
        .describe('ID of the node to run again from, or one item of a loop, such as each[3].'),
      proposalId: proposalId.exactOptional(),
    }),
    isReading: true,
    async act({ run: reference, from, proposalId: id }) {
      const runId = await resolveRunReference(engine, reference);
      const proposal = id === undefined ? undefined : await engine.readProposal(id);
      const { sourcePath } = await engine.getRun(runId);
      if (proposal !== undefined && proposal.file !== sourcePath)
        throw usageError(`The proposal changes ${proposal.file}, but the run is one of ${sourcePath}.`);
      const steps = await engine.planRerun({
        runId,
        ...(from === undefined ? {} : { nodeId: from }),
        ...(proposal === undefined ? {} : { text: proposal.text }),
      });
      return { steps: steps.map(({ whyParts: _, ...step }) => step) };
    },
  });
}

function readingTools(engine: Engine): readonly McpServedTool[] {
  return [
    toolOf({
      name: 'explain',
      description:
        'Explains why a node of a run did or did not run: its edges, its conditions and the values they used.',
      schema: z.strictObject({ run, node: z.string().min(1).describe('ID of the node.') }),
      isReading: true,
      act: async ({ run: reference, node }) => explainNode(engine, await resolveRunReference(engine, reference), node),
    }),
    toolOf({
      name: 'read_run',
      description:
        'Returns the status of a run, with its nodes and their outputs; without a run, lists the latest runs. Long values are truncated.',
      schema: z.strictObject({
        run: run.exactOptional(),
        events: z.number().int().min(0).max(500).default(0).describe('Number of events to include.'),
        after: z.number().int().min(-1).default(-1).describe('Number of the event after which to read events.'),
      }),
      isReading: true,
      async act({ run: reference, events: limit, after }) {
        if (reference !== undefined)
          return readRun(engine, await resolveRunReference(engine, reference), { after, limit });
        const runs = await engine.listRuns({ limit: 20 });
        return {
          runs: runs.map(({ number, runId, name, sourcePath, status, startedAt }) => ({
            ...{ number, runId, name, sourcePath, status, startedAt },
          })),
        };
      },
    }),
    toolOf({
      name: 'node_types',
      description:
        'Lists the node types that a flow may contain; with a type, returns the schemas of its input, config and output.',
      schema: z.strictObject({ type: z.string().exactOptional() }),
      isReading: true,
      act: ({ type }) => nodeTypes(engine, type),
    }),
  ];
}

/** Returns the workspace's flows by tool name. Unreadable ones are omitted. */
export async function flowTools(
  engine: Engine,
  context: CliContext,
  taken: ReadonlySet<string>,
): Promise<readonly McpServedTool[]> {
  const tools = new Map<string, McpServedTool>();
  for (const { path: flowPath } of (await engine.listFlows()).slice(0, mostFlows)) {
    const text = await engine.readFlow(flowPath).then(
      (read) => read.text,
      () => undefined,
    );
    const doc = text === undefined ? null : parseFlow(text).doc;
    if (doc === null) continue;
    const name = freeName(doc.flow.name, (one) => taken.has(one) || tools.has(one));
    tools.set(name, {
      name,
      description: `${doc.flow.description ?? doc.flow.name} (Runs the flow ${flowPath}.)`,
      inputSchema: inputsSchemaOf(doc.flow),
      isReading: false,
      call: (args, signal) =>
        runFlow(
          engine,
          { path: flowPath, inputs: inputs.parse(args ?? {}) },
          { seconds: usualWaitSeconds, signal, context },
        ),
    });
  }
  return [...tools.values()];
}

/** Returns a unique name of letters, digits, `_` and `-`, at most 60 characters, which every client accepts. */
function freeName(flowName: string, isTaken: (name: string) => boolean): string {
  const base =
    flowName
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}/gu, '')
      .replace(/[^a-z0-9-]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 50) || 'flow';
  if (!isTaken(base)) return base;
  for (let count = 2; ; count++) if (!isTaken(`${base}_${count}`)) return `${base}_${count}`;
}

interface RunWaiting {
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly context: CliContext;
}

/** Runs a flow. If the client cancels the call, the run is also canceled. */
async function runFlow(
  engine: Engine,
  { path: flowPath, inputs: given }: { readonly path: string; readonly inputs: Readonly<Record<string, JsonValue>> },
  { seconds, signal, context }: RunWaiting,
): Promise<JsonMap> {
  if (flowPath.endsWith('.aip'))
    throw usageError(`${flowPath} is an agent. Write a flow with a node that runs the agent, and run that flow.`);
  const { text } = await engine.readFlow(flowPath);
  const { runId } = await engine.startRun({ path: flowPath, text, inputs: given, startedBy: { kind: 'mcp' } });
  const stopListening = onAbort(signal, () => engine.cancelRun(runId));
  if (signal.aborted) engine.cancelRun(runId);
  const patience = new AbortController();
  try {
    await Promise.race([
      engine.whenEnded(runId),
      sleep(context.clock, seconds * 1_000, patience.signal).catch(() => undefined),
    ]);
    return await stateOfRun(engine, runId as RunId);
  } finally {
    stopListening();
    patience.abort();
  }
}

async function nodeTypes(engine: Engine, type: string | undefined): Promise<JsonMap> {
  const described = await describeNodeTypes(engine, type);
  if (described === undefined)
    throw usageError(`Node type "${type}" does not exist. To list all types, call node_types without a type.`);
  return described;
}
