/**
 * Provides the assistant to host programs. Its code is loaded with the first request.
 */
import { Listeners } from '../../base/listeners.ts';
import type { AssistantEngine, AssistantProgress } from './assistant.ts';
import type { AssistantWorld, AssistingEngine } from './assistant-world.ts';

/** Adds the assistant to an engine. */
export function withAssistant<Base extends AssistingEngine>(
  engine: Base,
  others: Omit<AssistantWorld, 'engine'>,
): Base & AssistantEngine {
  return Object.assign(engine, createAssistant({ ...others, engine }));
}

function createAssistant(world: AssistantWorld): AssistantEngine {
  const listeners = new Listeners<[AssistantProgress]>();
  const loaded = () => import('./assist.ts');
  return {
    previewAssistance: async (subject) => (await loaded()).previewAssistance(subject, world),
    async assist(request, signal) {
      const tell = (progress: AssistantProgress): void => listeners.tell(() => undefined, progress);
      return await (await loaded()).assist(request, world, { signal, tell });
    },
    watchAssistance: (listener) => listeners.add(listener),
  };
}
