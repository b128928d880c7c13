/**
 * The MCP servers of a workspace for an engine, loaded on first use if there are any.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestedEffect } from '../../runtime/kernel/capabilities/effect.ts';
import type { ToolSource } from '../tools/tool-source.ts';
import type { McpEngine } from './mcp-engine.ts';
import type { McpServers, McpServersOptions } from './mcp-servers.ts';

/** An engine's interface to MCP servers. */
export interface McpService {
  readonly tools: ToolSource & {
    /** Returns the names in the servers file, including servers that cannot be started. */
    serverNames(): Promise<readonly string[]>;
    /** Listed tools that cannot be used. */
    listUnusable: McpServers['listUnusable'];
    /** Returns each server's effect for policies, by server name. */
    serverEffects(): Promise<ReadonlyMap<string, RequestedEffect>>;
  };
  readonly engine: McpEngine;
  close(): Promise<void>;
}

/** Reads and starts nothing before first use. */
export function createMcpService(options: McpServersOptions): McpService {
  let loaded: Promise<McpServers> | undefined;
  let listeners: readonly (() => void)[] = [];
  let isClosed = false;
  const servers = async (): Promise<McpServers> => {
    loaded ??= import('./mcp-servers.ts').then(({ McpServers: Loaded }) => {
      const made = new Loaded(options);
      made.watch(() => {
        for (const tell of listeners) tell();
      });
      if (isClosed) void made.close();
      return made;
    });
    return await loaded;
  };
  const hasNone = (): boolean => loaded === undefined && !existsSync(join(options.workspace, '.mcp.json'));
  return {
    tools: {
      list: async (group) => (hasNone() ? [] : (await servers()).list(group)),
      find: async (name) => (!name.includes('.') || hasNone() ? undefined : (await servers()).find(name)),
      serverNames: async () => (hasNone() ? [] : (await servers()).names()),
      listUnusable: async () => (hasNone() ? [] : (await servers()).listUnusable()),
      serverEffects: async () => (hasNone() ? new Map() : (await servers()).effects()),
    },
    engine: {
      listMcpServers: async () => (hasNone() ? [] : (await servers()).states()),
      restartMcpServer: async (name) => (await servers()).restart(name),
      stopMcpServer: async (name) => (await servers()).stop(name),
      listAllowedTools: async () => (await servers()).listAllowed(),
      withdrawTool: async (tool) => (await servers()).withdraw(tool),
      watchMcpServers(listener) {
        const own = (): void => listener();
        listeners = [...listeners, own];
        return () => {
          listeners = listeners.filter((one) => one !== own);
        };
      },
    },
    async close() {
      isClosed = true;
      listeners = [];
      await (await loaded)?.close();
    },
  };
}
