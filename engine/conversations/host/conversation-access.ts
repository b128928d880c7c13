/**
 * Provides an engine's conversations. Their code is loaded on first use.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { IdSource, SessionId } from '../../base/ids.ts';
import { Listeners } from '../../base/listeners.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { Executor } from '../../host/executor/executor.ts';
import { warn } from '../../host/executor/warn.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import type { SharedCapabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { NodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { BaseFlow, type FlowClass, overriddenAlias } from '../catalog/base-flow.ts';
import type { ConversationEngine, ConversationNotice } from '../turns/conversation-engine.ts';
import type { ConversationService, ServiceWorld } from '../turns/conversation-service.ts';

interface ConversationAccess {
  readonly engine: ConversationEngine;
  /**
   * Updates conversations after a file or folder was renamed. Never throws, because the rename has already happened.
   */
  moved(request: { readonly from: string; readonly to: string }): Promise<void>;
  /**
   * Leaves all conversations in their current state. Must be called before the engine ends its runs, so that
   * conversations do not react to the ends.
   */
  close(): Promise<void>;
}

export interface AccessWorld {
  readonly store: RunStore;
  readonly executor: Executor;
  readonly registry: NodeRegistry;
  readonly historyWatch: { subscribe(listener: () => void): () => void };
  readonly capabilities: SharedCapabilities;
  readonly policies: PolicySource;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly readText: (path: string) => Promise<string>;
  /** The program's classes that implement flows. */
  readonly flowClasses: readonly FlowClass[];
}

async function openWorld(world: AccessWorld): Promise<Omit<ServiceWorld, 'onNotice'>> {
  const { store, executor, registry, historyWatch: history, capabilities, policies, clock, ids } = world;
  const [{ createConversationModels }, { createConversationRuns }] = await Promise.all([
    import('./conversation-models.ts'),
    import('./conversation-runs.ts'),
  ]);
  return {
    ...{ store: store.sessions, clock, ids, onError: warn },
    ...{ readText: world.readText, flowClasses: world.flowClasses },
    models: createConversationModels({ capabilities, policies, clock, ids }),
    runs: createConversationRuns({ store, executor, registry, tools: capabilities.tools, history }),
    readKept: (hash) => store.readDefinition(hash),
    hashOf: capabilities.hash.sha256,
  };
}

/**
 * Validates and returns the classes that a program provides for its conversations' flows.
 * @throws EngineError `flow-class.invalid` for a class that does not extend `BaseFlow`, has neither a name nor an
 * intent, overrides the alias of a method, or is registered twice
 */
export function flowClassesOf(given: readonly FlowClass[] = []): readonly FlowClass[] {
  const seen = new Set<string>();
  for (const Flow of given) {
    const isFlow = typeof Flow === 'function' && Flow.prototype instanceof BaseFlow;
    if (!isFlow) throw badClass(`${nameOf(Flow)} does not extend BaseFlow.`);
    const overridden = overriddenAlias(Flow);
    if (overridden !== undefined)
      throw badClass(`${nameOf(Flow)} overrides ${overridden.alias}. Override ${overridden.method} instead.`);
    const { flowName, intent } = Flow;
    if (flowName === '' && intent === '')
      throw badClass(`${nameOf(Flow)} has neither a static flowName nor a static intent.`);
    const place = flowName === '' ? `intent ${intent}` : `flow ${flowName}`;
    if (seen.has(place)) throw badClass(`Two classes are registered for the ${place}. Remove one of them.`);
    seen.add(place);
  }
  return given;
}

function nameOf(Flow: unknown): string {
  return typeof Flow === 'function' && Flow.name !== '' ? Flow.name : 'A flow class';
}

function badClass(message: string): EngineError {
  return new EngineError({ code: 'flow-class.invalid', message });
}

export function createConversationAccess(access: AccessWorld): ConversationAccess {
  let loading: Promise<ConversationService> | undefined;
  let isClosed = false;
  const watchers = new Map<SessionId, Listeners<[ConversationNotice]>>();
  const load = async (): Promise<ConversationService> => {
    const [{ ConversationService: Service }, world] = await Promise.all([
      import('../turns/conversation-service.ts'),
      openWorld(access),
    ]);
    const onNotice = (sessionId: SessionId, notice: ConversationNotice): void =>
      watchers.get(sessionId)?.tell(world.onError, notice);
    return new Service({ ...world, onNotice });
  };
  const service = (): Promise<ConversationService> => {
    loading ??= load();
    return loading;
  };
  return {
    engine: {
      startConversation: async (request) => (await service()).startConversation(request),
      listConversations: async (request) => (await service()).listConversations(request),
      moveConversation: async (request) => (await service()).moveConversation(request),
      openConversation: async (sessionId) => (await service()).openConversation(sessionId),
      sayInConversation: async (message) => (await service()).sayInConversation(message),
      cancelTurn: async (sessionId) => (await service()).cancelTurn(sessionId),
      rollBackConversation: async (request) => (await service()).rollBackConversation(request),
      runProposedPlan: async (request) => (await service()).runProposedPlan(request),
      readConversation: async (request) => (await service()).readConversation(request),
      readConversationMessages: async (request) => (await service()).readConversationMessages(request),
      readConversationEvents: async (request) => (await service()).readConversationEvents(request),
      whenConversationRests: async (sessionId) => (await service()).whenConversationRests(sessionId),
      watchConversation(sessionId, listener) {
        const listeners = watchers.get(sessionId) ?? new Listeners();
        watchers.set(sessionId, listeners);
        const end = listeners.add(listener);
        return () => {
          end();
          if (listeners.count === 0) watchers.delete(sessionId);
        };
      },
    },
    async moved({ from, to }) {
      try {
        await (await service()).moveCatalogues(from, to);
      } catch (thrown) {
        warn(thrown);
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await (await loading?.catch(() => undefined))?.close();
    },
  };
}
