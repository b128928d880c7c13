/**
 * Loads parts of an engine on first use, so that an engine opens quickly.
 */
import type { AgentTypeList, AgentTypeSource } from '../agents/agent-types.ts';
import type { ModelEngine, ModelServiceOptions } from './model-service.ts';
import type { ToolEngine, ToolListingOptions } from './tool-listing.ts';

/** Creates the reader of agents as node types, which is loaded on first use, because few flows have such nodes. */
export function createAgentTypes(source: AgentTypeSource) {
  let list: Promise<AgentTypeList> | undefined;
  return {
    read: async (type: string) => await (await import('../agents/agent-types.ts')).readAgentType(type, source),
    async list(named: readonly string[]) {
      list ??= import('../agents/agent-types.ts').then(({ AgentTypeList }) => new AgentTypeList(source));
      return await (await list).list(named);
    },
  };
}

/** Creates an engine's tool operations, which are loaded when the user opens the tool list. */
export function toolsOf(world: ToolListingOptions): ToolEngine {
  const engine = async () => (await import('./tool-listing.ts')).createToolEngine(world);
  return {
    listTools: async () => (await engine()).listTools(),
    tryTool: async (trial) => (await engine()).tryTool(trial),
  };
}

/**
 * Creates an engine's model operations, which are loaded when a window requests them, together with the prices of all
 * models.
 */
/** Returns whether prices of models are known. A model that cannot be used is reported when it is called. */
export function pricesOf(world: ModelServiceOptions): (model: string | undefined) => Promise<boolean> {
  return async (model) => {
    const { isPricedModel } = await import('./model-service.ts');
    return await isPricedModel(model, world).catch(() => true);
  };
}

export function modelsOf(world: ModelServiceOptions): ModelEngine {
  const service = () => import('./model-service.ts');
  return {
    listModels: async () => (await service()).listModels(world),
    checkModels: async (models) => (await service()).checkModels(models, world),
  };
}
