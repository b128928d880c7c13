/**
 * How many proposals wait for a decision.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';

export interface PendingProposals {
  readonly count: number;
  /** Counts again. The number does not change if the proposals cannot be read. */
  refresh(): Promise<void>;
}

export function createPendingProposals(engine: EngineClient): StoreApi<PendingProposals> {
  return createStore<PendingProposals>()((set) => ({
    count: 0,
    async refresh() {
      const list = await engine.call('listProposals').catch(() => undefined);
      if (list !== undefined) set({ count: list.proposals.filter(({ status }) => status === 'pending').length });
    },
  }));
}
