/**
 * Calls from a window to its engine host about the MCP servers of the workspace. Part of `engine-contract.ts`.
 */
import { z } from 'zod';
import { call, stream } from '../rpc.ts';

const name = z.string().min(1).max(200);

const server = z.object({
  name: z.string(),
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

export const mcpContract = {
  /** Lists all servers in `.mcp.json` and their problems without starting any of them. */
  listMcpServers: call([], z.array(server).readonly()),
  /** Starts or restarts a server. Never starts an untrusted workspace's servers. */
  restartMcpServer: call([name], z.void()),
  /** Stops a server until it is restarted. */
  stopMcpServer: call([name], z.void()),
  /** Lists the tools that the user has allowed in this workspace. */
  listAllowedTools: call([], z.array(allowedTool).readonly()),
  /** Revokes the approval of a tool. Its next call asks again. */
  withdrawTool: call([z.strictObject({ server: name, tool: name })], z.void()),
  /** Emits when servers, their tools, their logs or the allowed tools have changed. */
  watchMcpServers: stream(z.void()),
} as const;
