/**
 * Calls about the tools and the MCP servers of a workspace. Part of `engine-contract.ts` and `person-contract.ts`.
 */
import { z } from 'zod';
import type { JsonMap, JsonValue } from '../../../engine/isomorphic.ts';
import { call, stream } from '../rpc.ts';

const json = z.json() as z.ZodType<JsonValue>;
const jsonMap = z.record(z.string(), json) as z.ZodType<JsonMap>;

const toolListing = z.object({
  name: z.string(),
  title: z.exactOptional(z.string()),
  description: z.string(),
  inputSchema: jsonMap,
  outputSchema: z.exactOptional(jsonMap),
  effects: z.enum(['idempotent', 'external']),
  risk: z.enum(['low', 'medium', 'high']),
  requiresApproval: z.boolean(),
  tags: z.object({
    accessesPrivateData: z.boolean(),
    receivesUntrustedInput: z.boolean(),
    communicatesExternally: z.boolean(),
  }),
  kind: z.enum(['core', 'http', 'command', 'lua', 'js', 'mcp', 'agent', 'flow']),
  source: z.string(),
  pack: z.exactOptional(z.string()),
  product: z.exactOptional(z.string()),
  shared: z.exactOptional(z.literal(true)),
  problem: z.exactOptional(z.object({ message: z.string(), place: z.exactOptional(z.string()) })),
  usedBy: z.array(z.string()).readonly(),
});

const toolName = z.string().min(1).max(500);

/** A tool call requested by a page. */
export const toolTrial = z.strictObject({ tool: toolName, params: jsonMap });

export const toolResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('success'), result: json, metadata: z.exactOptional(jsonMap) }),
  z.object({
    status: z.literal('error'),
    error_category: z.enum(['validation_error', 'auth_error', 'not_found', 'rate_limit', 'timeout', 'server_error']),
    message: z.string(),
    retryable: z.boolean(),
    metadata: z.looseObject({ tool_id: z.string(), attempt: z.number() }),
  }),
]);

/** Lists all tools and where they are used. */
export const listTools = call([], z.array(toolListing).readonly());

const serverName = z.string().min(1).max(200);

const mcpServer = z.object({
  name: z.string(),
  title: z.string(),
  transport: z.enum(['stdio', 'http']),
  target: z.string(),
  state: z.enum(['idle', 'starting', 'running', 'failed', 'stopped', 'untrusted']),
  error: z.exactOptional(z.string()),
  tools: z
    .array(z.object({ name: z.string(), description: z.string(), pinned: z.boolean(), changed: z.boolean() }))
    .readonly(),
  problems: z.array(z.string()).readonly(),
  log: z.array(z.string()).readonly(),
  restarts: z.number(),
});

const allowedTool = z.object({ server: z.string(), tool: z.string(), at: z.exactOptional(z.number()) });

/** Calls from a window to its engine host about the MCP servers of the workspace. */
export const mcpContract = {
  /** Lists all servers in `.mcp.json` and their problems without starting any of them. */
  listMcpServers: call([], z.array(mcpServer).readonly()),
  /** Starts or restarts a server. Never starts an untrusted workspace's servers. */
  restartMcpServer: call([serverName], z.void()),
  /** Stops a server until it is restarted. */
  stopMcpServer: call([serverName], z.void()),
  /** Lists the tools that the user has allowed in this workspace. */
  listAllowedTools: call([], z.array(allowedTool).readonly()),
  /** Revokes the approval of a tool. Its next call asks again. */
  withdrawTool: call([z.strictObject({ server: serverName, tool: serverName })], z.void()),
  /** Emits when servers, their tools, their logs or the allowed tools have changed. */
  watchMcpServers: stream(z.void()),
} as const;
