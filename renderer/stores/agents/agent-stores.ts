/**
 * The state of a window that is about agents.
 */
import type { StoreApi } from 'zustand/vanilla';
import { type AgentWork, createAgentWork } from './agent-actions.ts';
import { type AgentPreviews, type AgentPreviewsParts, createAgentPreviews } from './agent-previews.ts';
import { type AgentViews, createAgentViews } from './agent-runs.ts';

export interface AgentStores {
  readonly agentWork: StoreApi<AgentWork>;
  readonly agentViews: StoreApi<AgentViews>;
  readonly agentPreviews: StoreApi<AgentPreviews>;
}

export function createAgentStores(parts: AgentPreviewsParts): AgentStores {
  return {
    agentWork: createAgentWork(),
    agentViews: createAgentViews(),
    agentPreviews: createAgentPreviews(parts),
  };
}
