/**
 * The current MCP servers of the workspace.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';

export type McpServer = EngineResult<'listMcpServers'>[number];

/** A tool that the user has allowed in this workspace. */
export type AllowedTool = EngineResult<'listAllowedTools'>[number];

export interface Servers {
  /** Null until they are loaded. */
  readonly list: readonly McpServer[] | null;
  /** The tools that the user has allowed in this workspace. */
  readonly allowed: readonly AllowedTool[];
  /** Why they could not be loaded. */
  readonly error: string | null;
  refresh(): Promise<void>;
  /** Each resolves to the reason if it had no effect. */
  restart(server: string): Promise<string | null>;
  stop(server: string): Promise<string | null>;
  withdraw(tool: Pick<AllowedTool, 'server' | 'tool'>): Promise<string | null>;
}

export function createServers(engine: EngineClient): StoreApi<Servers> {
  return createStore<Servers>()((set, get) => {
    const act = async (work: () => Promise<unknown>): Promise<string | null> => {
      const problem = await work().then(
        () => null,
        (thrown: unknown) => toErrorRecord(thrown).message,
      );
      await get().refresh();
      return problem;
    };
    return {
      list: null,
      allowed: [],
      error: null,
      async refresh() {
        try {
          const [list, allowed] = await Promise.all([engine.call('listMcpServers'), engine.call('listAllowedTools')]);
          set({ list, allowed, error: null });
        } catch (thrown) {
          set({ error: toErrorRecord(thrown).message });
        }
      },
      restart: (server) => act(() => engine.call('restartMcpServer', server)),
      stop: (server) => act(() => engine.call('stopMcpServer', server)),
      withdraw: ({ server, tool }) => act(() => engine.call('withdrawTool', { server, tool })),
    };
  });
}
