/**
 * Defines the tools that `millrace mcp` offers for writing flows.
 */
import path from 'node:path';
import { z } from 'zod';
import { describeNodeTypes } from '../../host/workspace/node-type-list.ts';
import type { Engine } from '../../index.ts';
import type { JsonMap } from '../../isomorphic.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { resolveRunReference } from '../run-reference.ts';
import { allProblemsOf } from './file-problems.ts';
import { explainNode, readRun } from './mcp-answers.ts';
import { hashOf, problemsForClient } from './mcp-proposals.ts';
import { answerAfter, runForClient, usualWaitSeconds } from './mcp-run.ts';
import { testTool } from './mcp-tests.ts';
import {
  answeringTool,
  fileArgument as file,
  type McpServedTool,
  proposalArgument as proposalId,
  runArgument as run,
  toolOf,
} from './mcp-tool.ts';

const inputs = z.record(z.string(), z.json()).default({}).describe('Inputs of the flow, by name.');
const items = z.array(z.json()).max(10_000).exactOptional().describe('Items that an agent processes, usually texts.');
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
    answeringTool({
      name: 'run',
      description:
        'Runs a flow or an agent and waits for its end. A run that sends a request to a person is returned as suspended; only a person can answer the request.',
      schema: z.strictObject({ path: file, inputs, items, waitSeconds }),
      isReading: false,
      async act({ waitSeconds: seconds, items: given, ...flow }, call) {
        const isAgent = flow.path.endsWith('.aip');
        if (isAgent ? Object.keys(flow.inputs).length > 0 : given !== undefined)
          throw usageError(isAgent ? 'An agent has items, not inputs.' : 'A flow has inputs, not items.');
        const target = { ...flow, ...(given === undefined ? {} : { items: given }) };
        return await runForClient(engine, target, { seconds, context, call });
      },
    }),
    ...readingTools(engine, context),
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

function readingTools(engine: Engine, context: CliContext): readonly McpServedTool[] {
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
        waitSeconds: z.number().min(0).max(3_600).default(0).describe('How long to wait for the end of the run first.'),
      }),
      isReading: true,
      async act({ run: reference, events: limit, after, waitSeconds: seconds }, call) {
        if (reference !== undefined) {
          const runId = await resolveRunReference(engine, reference);
          if (seconds > 0) await answerAfter(engine, { runId }, { seconds, context, call });
          return readRun(engine, runId, { after, limit });
        }
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

async function nodeTypes(engine: Engine, type: string | undefined): Promise<JsonMap> {
  const described = await describeNodeTypes(engine, type);
  if (described === undefined)
    throw usageError(`Node type "${type}" does not exist. To list all types, call node_types without a type.`);
  return described;
}
