/**
 * What a window knows of tools, and of the servers that offer some.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import { createServers, type Servers } from './servers.ts';
import { createTools, type Tools } from './tools.ts';

export interface ToolWork {
  readonly tools: StoreApi<Tools>;
  readonly servers: StoreApi<Servers>;
}

export function createToolWork(engine: EngineClient, main: MainClient): ToolWork {
  return { tools: createTools(engine, main), servers: createServers(engine) };
}
