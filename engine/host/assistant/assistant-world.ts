/**
 * What the assistant uses of an engine. It contains nothing that saves, runs, reads secrets or changes trust.
 */
import type { Clock } from '../../base/clock.ts';
import type { IdSource, SessionId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import type { NodeTypeCatalog } from '../../language/types/node-type-spec.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import type { SharedCapabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { ModelServiceOptions } from '../wiring/model-service.ts';

/** The engine methods that the assistant uses. */
export type AssistingEngine = Pick<
  Engine,
  | 'readFlow'
  | 'listFlows'
  | 'listTools'
  | 'listAgents'
  | 'listNodeTypes'
  | 'checkFlowInPlace'
  | 'readSchemas'
  | 'checkModels'
  | 'readHead'
  | 'readEvents'
  | 'addProposal'
>;

export interface AssistantWorld {
  readonly options: {
    /** Absolute path of the folder with the prompt and the tools; absent without an assistant. */
    readonly assistantFolder?: string;
  };
  readonly engine: AssistingEngine;
  readonly capabilities: Pick<SharedCapabilities, 'model' | 'hash' | 'governance'>;
  readonly policies: PolicySource;
  readonly registry: NodeTypeCatalog;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sessionId: SessionId;
  readonly models: ModelServiceOptions;
}
