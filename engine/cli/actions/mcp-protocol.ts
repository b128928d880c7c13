/**
 * The server side of the Model Context Protocol: lists and calls the tools of `millrace mcp` for one client.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  type InputRequiredSpec,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isValueDeeperThan, MAX_JSON_DEPTH, tooDeepText } from '../../base/json-limits.ts';
import { programVersion } from '../../base/program-version.ts';
import type { Engine } from '../../index.ts';
import { EngineError, isJsonMap } from '../../isomorphic.ts';
import type { CliContext } from '../cli-context.ts';
import { FlowTools, toolNameOf } from './mcp-flow-tools.ts';
import { proposalTools } from './mcp-proposals.ts';
import { ClientQuestions } from './mcp-questions.ts';
import { answerAfter, usualWaitSeconds } from './mcp-run.ts';
import { type McpAnswer, type McpServedTool, toolOf } from './mcp-tool.ts';
import { authoringTools } from './mcp-tools.ts';

const instructions =
  'Millrace runs flows: YAML files of nodes and edges. Call node_types before you write a flow, validate after each change, run to try the flow, explain to see why a node did or did not run, and plan before you run it again. To change a flow that a person works on, call propose_edit: the person decides about each change, and proposal_status returns the decision. list_flows shows the flows and agents that are tools, and why others are not. Only a person can answer the requests of a run.';

/** Returns a function that creates the server of a client. The servers share what is known about the flows. */
export function serversOf(engine: Engine, context: CliContext): () => Server {
  const names = [...authoringTools(engine, context), ...proposalTools(engine, { context, clientName: () => '' })];
  const flows = new FlowTools(engine, context, new Set([...names.map(({ name }) => name), 'list_flows']));
  engine.watchFlows(() => flows.forget());
  engine.watchFiles(() => flows.forget());
  const questions = new ClientQuestions(engine);
  return () => createServer(engine, context, { flows, questions });
}

/** What the servers of all clients share. */
interface SharedByServers {
  readonly flows: FlowTools;
  readonly questions: ClientQuestions;
}

function createServer(engine: Engine, context: CliContext, { flows, questions }: SharedByServers): Server {
  const server = new Server(
    { name: 'millrace', version: programVersion },
    { capabilities: { tools: { listChanged: true } }, instructions },
  );
  // Clients of newer revisions name themselves with each request, all others once.
  let named: string | undefined;
  const clientName = (): string => named ?? server.getClientVersion()?.name ?? 'an MCP client';
  const own = [...authoringTools(engine, context), ...proposalTools(engine, { context, clientName })];
  const all = async (): Promise<readonly McpServedTool[]> => [
    ...[...own, listTool(flows)],
    ...(await flows.list()).flatMap((one) => ('tool' in one ? [one.tool] : [])),
  ];
  server.setRequestHandler('tools/list', async () => ({
    tools: (await all()).map(({ name, description, inputSchema, isReading }) => ({
      ...{ name, description, inputSchema: inputSchema as { type: 'object' } },
      annotations: { readOnlyHint: isReading, openWorldHint: !isReading },
    })),
  }));
  /** Returns the questions that the client may answer, or else the state of the run. */
  const asked = async (
    answer: McpAnswer,
    about: { readonly tool: string; readonly client: string } | false,
  ): Promise<CallToolResult | InputRequiredResult> => {
    const open = answer.asks === undefined || about === false ? undefined : await questions.ask(answer.asks, about);
    return open === undefined ? given(answer) : inputRequired(open as unknown as InputRequiredSpec);
  };
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { signal, envelope, _meta } = mcpReq;
    named = nameIn(envelope);
    const client = clientName();
    const canAnswer = canShowForms(envelope, server.getClientCapabilities());
    if (isValueDeeperThan(params.arguments, MAX_JSON_DEPTH))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The value of arguments ${tooDeepText}.`);
    const tool = own.find(({ name }) => name === params.name) ?? (await all()).find(({ name }) => name === params.name);
    if (tool === undefined) return failed(await unknownTool(params.name, flows));
    const progressToken = _meta?.progressToken;
    const report = (progress: { readonly progress: number; readonly message: string }): void => {
      if (progressToken === undefined) return;
      // A client that has disconnected needs no progress.
      void mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken, ...progress } })
        .catch(() => undefined);
    };
    try {
      const call = { signal, client, ...(progressToken === undefined ? {} : { report }) };
      const state = mcpReq.requestState();
      const about = { tool: params.name, client };
      if (typeof state !== 'string') return await asked(await tool.call(params.arguments, call), canAnswer && about);
      const { mayAskAgain, ...run } = await questions.answer(state, mcpReq.inputResponses ?? {}, about);
      const answer = await answerAfter(engine, run, { seconds: usualWaitSeconds, context, call });
      return await asked(answer, canAnswer && mayAskAgain && about);
    } catch (error) {
      return failureOf(error);
    }
  });
  return server;
}

/** Returns the name of the client in what a request carries besides its parameters. */
function nameIn(envelope: object | undefined): string | undefined {
  const { [CLIENT_INFO_META_KEY]: info } = (envelope ?? {}) as Readonly<
    Record<string, { readonly name?: unknown } | undefined>
  >;
  return typeof info?.name === 'string' ? info.name : undefined;
}

/** Whether the client can show a form to a person, or answers it by itself. */
function canShowForms(envelope: object | undefined, declared: object | undefined): boolean {
  const { [CLIENT_CAPABILITIES_META_KEY]: own = declared } = (envelope ?? {}) as Readonly<Record<string, unknown>>;
  const { elicitation } = (own ?? {}) as { readonly elicitation?: { readonly form?: unknown; readonly url?: unknown } };
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Lists the flows and agents that are tools, and why the others are not. */
function listTool(flows: FlowTools): McpServedTool {
  return toolOf({
    name: 'list_flows',
    description:
      'Lists the flows and agents of the workspace with the names of their tools, or why they are not offered as tools.',
    schema: z.strictObject({}),
    isReading: true,
    act: async () => ({
      flows: (await flows.list()).map((one) =>
        'tool' in one ? { path: one.path, tool: one.tool.name } : { path: one.path, problem: one.problem },
      ),
    }),
  });
}

async function unknownTool(name: string, flows: FlowTools): Promise<string> {
  const refused = (await flows.list()).find((one) => 'problem' in one && toolNameOf(one.path, new Set()) === name);
  const why =
    refused !== undefined && 'problem' in refused ? ` ${refused.path} is not offered: ${refused.problem}` : '';
  return `Tool "${name}" does not exist.${why} Call list_flows to see the flows with their tools.`;
}

function given({ value, isError }: McpAnswer): CallToolResult {
  const { error } = value;
  const why = isError === true && isJsonMap(error) ? `${String(error['code'])}: ${String(error['message'])}\n` : '';
  return {
    content: [{ type: 'text', text: why + JSON.stringify(value, null, 1) }],
    structuredContent: value,
    ...(isError === true ? { isError } : {}),
  };
}

function failed(message: string, details?: unknown): CallToolResult {
  const more = details === undefined ? '' : `\n${JSON.stringify(details, null, 1)}`;
  return { content: [{ type: 'text', text: message + more }], isError: true };
}

/** Reports errors that the caller can fix, such as problems of arguments and files. The SDK reports bugs. */
function failureOf(error: unknown): CallToolResult {
  if (error instanceof z.ZodError) return failed(`Invalid arguments: ${z.prettifyError(error)}`);
  if (EngineError.is(error)) return failed(`${error.code}: ${error.message}`, error.details);
  throw error;
}
