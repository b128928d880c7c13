/**
 * Parts of an engine that are loaded when somebody asks for them, so that an engine is there at once.
 */
import type { AgentTypeList, AgentTypeSource } from './agent-types.ts';
import type { ModelEngine, ModelServiceOptions } from './model-service.ts';
import type { ToolEngine, ToolListingOptions } from './tool-listing.ts';

/** What does the work is loaded when it is first asked for: few flows have such nodes. */
export function createAgentTypes(source: AgentTypeSource) {
  let list: Promise<AgentTypeList> | undefined;
  return {
    read: async (type: string) => await (await import('./agent-types.ts')).readAgentType(type, source),
    async list(named: readonly string[]) {
      list ??= import('./agent-types.ts').then(({ AgentTypeList }) => new AgentTypeList(source));
      return await (await list).list(named);
    },
  };
}

/** Loaded when a person looks at tools. */
export function toolsOf(world: ToolListingOptions): ToolEngine {
  const engine = async () => (await import('./tool-listing.ts')).createToolEngine(world);
  return {
    listTools: async () => (await engine()).listTools(),
    tryTool: async (trial) => (await engine()).tryTool(trial),
  };
}

/** Loaded when a window asks, with the prices of all models. */
export function modelsOf(world: ModelServiceOptions): ModelEngine {
  const service = () => import('./model-service.ts');
  return {
    listModels: async () => (await service()).listModels(world),
    checkModels: async (models) => (await service()).checkModels(models, world),
  };
}
