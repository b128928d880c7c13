/**
 * Calls from a window to its engine host about the MCP servers of the workspace; part of `engine-contract.ts`.
 */
import { z } from 'zod';
import { call, stream } from './rpc.ts';

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
  /** All that `.mcp.json` names, and what is wrong with it. Starts none. */
  listMcpServers: call([], z.array(server).readonly()),
  /** Starts a server, or stops and starts it; none of a workspace that is not trusted. */
  restartMcpServer: call([name], z.void()),
  /** Ends a server until it is restarted. */
  stopMcpServer: call([name], z.void()),
  /** The tools that a person has allowed in this workspace. */
  listAllowedTools: call([], z.array(allowedTool).readonly()),
  /** The next call of the tool asks again. */
  withdrawTool: call([z.strictObject({ server: name, tool: name })], z.void()),
  /** Servers, their tools, their logs or what is allowed has changed. */
  watchMcpServers: stream(z.void()),
} as const;
