/**
 * Defines the tools that `millrace mcp` offers: tools for writing flows, and each workspace flow.
 */
import path from 'node:path';
import { z } from 'zod';
import { sleep } from '../../base/clock.ts';
import { onAbort } from '../../base/on-abort.ts';
import type { Engine } from '../../index.ts';
import { builtinTypes, inputsSchemaOf, type JsonMap, type JsonValue, parseFlow, type RunId } from '../../isomorphic.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { resolveRunReference } from '../run-reference.ts';
import { allProblemsOf } from './file-problems.ts';
import { explainNode, readRun, stateOfRun } from './mcp-answers.ts';

/** A tool as shown to a client, and its implementation. */
export interface McpServedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonMap;
  readonly isReading: boolean;
  /** @throws EngineError; ZodError for invalid arguments */
  call(args: unknown, signal: AbortSignal): Promise<JsonMap>;
}

/**
 * Default wait in seconds, because clients give up after a minute or more. A longer run continues and can be read
 * later.
 */
const usualWaitSeconds = 50;
/** Maximum number of flows offered as tools. A longer list is not useful. */
const mostFlows = 200;

const file = z.string().min(1).max(4_096).describe('Path of a file, relative to the workspace.');
const run = z.string().min(1).max(200).describe('Number or ID of a run.');
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
    toolOf({
      name: 'validate',
      description:
        'Checks a flow (*.flow.yaml) or an agent (*.aip) and lists its problems, with lines and columns counted from 1. Pass text to check a version that is not saved yet.',
      schema: z.strictObject({ path: file, text: z.string().exactOptional() }),
      isReading: true,
      async act({ path: shown, text }) {
        const source = {
          shown,
          file: path.resolve(engine.workspace, shown),
          text: text ?? (await engine.readFlow(shown)).text,
        };
        const problems = await allProblemsOf(source, { context, workspace: engine.workspace });
        return {
          valid: !problems.some(({ severity }) => severity === 'error'),
          problems: problems.map(({ range, severity, code, message }) => ({ ...range, severity, code, message })),
        };
      },
    }),
    toolOf({
      name: 'plan',
      description:
        'Lists, for each node, whether it would run again and why if a run were repeated with the current flow file; runs nothing. Without "from", lists what would run because of changes since the run.',
      schema: z.strictObject({
        run,
        from: z
          .string()
          .exactOptional()
          .describe('ID of the node to run again from, or one item of a loop, such as each[3].'),
      }),
      isReading: true,
      async act({ run: reference, from }) {
        const runId = await resolveRunReference(engine, reference);
        const steps = await engine.planRerun(from === undefined ? { runId } : { runId, nodeId: from });
        return { steps: steps.map(({ whyParts: _, ...step }) => step) };
      },
    }),
    toolOf({
      name: 'run',
      description:
        'Runs a flow and waits for its end. A run that sends a request to a person is returned as suspended; only a person can answer the request.',
      schema: z.strictObject({ path: file, inputs, waitSeconds }),
      isReading: false,
      act: ({ waitSeconds: seconds, ...flow }, signal) => runFlow(engine, flow, { seconds, signal, context }),
    }),
    ...readingTools(engine),
  ];
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

interface ToolSpec<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly isReading: boolean;
  act(args: z.output<Schema>, signal: AbortSignal): Promise<JsonMap>;
}

function toolOf<Schema extends z.ZodType>({ schema, act, ...said }: ToolSpec<Schema>): McpServedTool {
  return {
    ...said,
    inputSchema: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonMap,
    call: async (args, signal) => await act(schema.parse(args ?? {}), signal),
  };
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
  const { runId } = await engine.startRun({ path: flowPath, text, inputs: given });
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
  const agents = (await engine.listNodeTypes({ named: [] })).flatMap((one) => ('problem' in one ? [] : [one]));
  if (type === undefined) {
    const all = [...builtinTypes, ...agents];
    return {
      types: all.map(({ type: name, title, description, category, effects }) => ({
        ...{ type: name, title, description, category, effects },
      })),
    };
  }
  const agent = agents.find((one) => one.type === type);
  if (agent !== undefined) return agent as unknown as JsonMap;
  const spec = builtinTypes.find((one) => one.type === type);
  if (spec === undefined)
    throw usageError(`Node type "${type}" does not exist. To list all types, call node_types without a type.`);
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonMap =>
    z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonMap;
  return {
    type,
    ...{ title: spec.title, description: spec.description, effects: spec.effects },
    ...(spec.example === undefined ? {} : { example: spec.example }),
    input: schemaOf(spec.inputSchema, 'input'),
    config: schemaOf(spec.configSchema, 'input'),
    output: schemaOf(spec.outputSchema, 'output'),
  };
}
