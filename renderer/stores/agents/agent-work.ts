/**
 * Work that a person has to agree to before an agent can run: its pack is missing, and a pack is somebody else's code.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

export interface PendingWork {
  readonly workId: string;
  /** The pack that would be installed. */
  readonly packRef: string;
  /** The tab of the agent that waits for it. */
  readonly path: string;
  readonly status: 'asking' | 'working' | 'failed';
  /** Why it failed; empty = it did not. */
  readonly problem: string;
}

export interface AgentWork {
  /** null = nothing is asked. */
  readonly pending: PendingWork | null;
  ask(work: Pick<PendingWork, 'workId' | 'packRef' | 'path'>): void;
  /** Changes what is asked; does nothing when it is not asked any more. */
  update(workId: string, change: Partial<Pick<PendingWork, 'status' | 'problem'>>): void;
  close(): void;
}

export function createAgentWork(): StoreApi<AgentWork> {
  return createStore<AgentWork>()((set, get) => ({
    pending: null,
    ask: (work) => set({ pending: { ...work, status: 'asking', problem: '' } }),
    update(workId, change) {
      const { pending } = get();
      if (pending?.workId === workId) set({ pending: { ...pending, ...change } });
    },
    close: () => set({ pending: null }),
  }));
}
