/**
 * The window's state of tools, of the servers that provide them, and of the policies that limit them.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import { createPolicies, type Policies } from './policies.ts';
import { createServers, type Servers } from './servers.ts';
import { createTools, type Tools } from './tools.ts';

export { followPolicyChecks } from './policies.ts';

export interface ToolWork {
  readonly tools: StoreApi<Tools>;
  readonly servers: StoreApi<Servers>;
  readonly policies: StoreApi<Policies>;
}

export function createToolWork(engine: EngineClient, main: MainClient): ToolWork {
  return { tools: createTools(engine, main), servers: createServers(engine), policies: createPolicies(engine, main) };
}
