/**
 * The host's interface to a workspace's MCP servers.
 */
import type { AllowedTool } from './mcp-pins.ts';
import type { McpServerActivity } from './mcp-server.ts';

/** A server's state, for display. */
export interface McpServerState {
  /** Name in names of tools. */
  readonly name: string;
  /** Name as written in `.mcp.json`. */
  readonly title: string;
  readonly transport: 'stdio' | 'http';
  /** The command line or the URL; for an invalid entry, its position as `.mcp.json:LINE:COLUMN`. */
  readonly target: string;
  readonly state: McpServerActivity | 'untrusted';
  /** Why the server failed. */
  readonly error?: string;
  /** Tools as last listed; empty before the first start. */
  readonly tools: readonly McpToolState[];
  /** Sentences about skipped entries of the list. */
  readonly problems: readonly string[];
  /** Last lines of its output outside the protocol. */
  readonly log: readonly string[];
  /** Number of starts after the first. */
  readonly restarts: number;
}

/** A server's tool, and whether it is allowed in this workspace. */
export interface McpToolState {
  /** Name as flows write it: `<server>.<tool>`. */
  readonly name: string;
  readonly description: string;
  /** Whether a person has allowed its current definition in this workspace. */
  readonly pinned: boolean;
  /** Whether it has changed since a person allowed it. */
  readonly changed: boolean;
}

/** Operations on a workspace's servers. */
export interface McpEngine {
  /** Lists all of the file's servers in order, with their problems. Does not start any. */
  listMcpServers(): Promise<readonly McpServerState[]>;
  /**
   * Starts a server, or stops it and starts it again. @throws EngineError `mcp.unknown-server` | `mcp.untrusted` |
   * `mcp.not-started` | `secret.*`
   */
  restartMcpServer(name: string): Promise<void>;
  /** Stops a server until it is restarted. @throws EngineError `mcp.unknown-server` | `mcp.untrusted` */
  stopMcpServer(name: string): Promise<void>;
  /** Lists the tools allowed in this workspace, by name, including those of removed servers. */
  listAllowedTools(): Promise<readonly AllowedTool[]>;
  /**
   * Withdraws the permission for a tool; its next call needs approval. @throws EngineError `mcp.pins-unreadable`; the
   * system's error
   */
  withdrawTool(tool: { readonly server: string; readonly tool: string }): Promise<void>;
  /**
   * Calls the listener when servers, their tools, their logs or permissions change. Returns a function that ends the
   * subscription.
   */
  watchMcpServers(listener: () => void): () => void;
}
