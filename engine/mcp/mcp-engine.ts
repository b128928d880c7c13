/**
 * What hosts see of the MCP servers of a workspace, and what they may do with them.
 */
import type { AllowedTool } from './mcp-pins.ts';
import type { McpServerActivity } from './mcp-server.ts';

/** A server, as people are shown it. */
export interface McpServerState {
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  /** The command line or the address; of what is wrong in the file, its place as `.mcp.json:LINE:COLUMN`. */
  readonly target: string;
  readonly state: McpServerActivity | 'untrusted';
  /** Why it has failed. */
  readonly error?: string;
  /** As they were last listed; none before the first start. */
  readonly tools: readonly McpToolState[];
  /** What was left out of them, in sentences. */
  readonly problems: readonly string[];
  /** Last lines of what it wrote beside the protocol. */
  readonly log: readonly string[];
  /** Starts after the first. */
  readonly restarts: number;
}

/** A tool of a server, and whether a person has allowed it in this workspace. */
export interface McpToolState {
  /** As flows write it: `<server>.<tool>`. */
  readonly name: string;
  readonly description: string;
  /** A person has allowed it in this workspace, as it is. */
  readonly pinned: boolean;
  /** A person has allowed it, and it has changed since. */
  readonly changed: boolean;
}

/** What hosts may do with the servers of a workspace. */
export interface McpEngine {
  /** All that the file names, in its order, and what is wrong with it. Starts none. */
  listMcpServers(): Promise<readonly McpServerState[]>;
  /** Starts a server, or stops and starts it. @throws EngineError `mcp.unknown-server` | `mcp.untrusted` | `mcp.not-started` | `secret.*` */
  restartMcpServer(name: string): Promise<void>;
  /** Ends a server until it is restarted. @throws EngineError `mcp.unknown-server` | `mcp.untrusted` */
  stopMcpServer(name: string): Promise<void>;
  /** Lists the tools that a person has allowed in this workspace, by name, also those of servers that are gone. */
  listAllowedTools(): Promise<readonly AllowedTool[]>;
  /** Withdraws that: the next call of the tool asks again. @throws EngineError `mcp.pins-unreadable`; the system's error */
  withdrawTool(tool: { readonly server: string; readonly tool: string }): Promise<void>;
  /** Reports that servers, their tools, their logs or what is allowed has changed. Returns the subscription's end. */
  watchMcpServers(listener: () => void): () => void;
}
