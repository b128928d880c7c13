/**
 * Updates of the program. Main checks for them, downloads and installs them. A window shows the state and forwards the
 * user's requests.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { MainArgs, MainClient, Updates } from '../../bridge/main-client.ts';

export type { UpdateStep, Updates } from '../../bridge/main-client.ts';

export interface UpdateStore {
  /** Null until main has responded. */
  readonly known: Updates | null;
  /** Why the last request failed, in a sentence. */
  readonly problem: string | null;
  take(known: Updates): void;
  /** Loads the current state from main. */
  refresh(): Promise<void>;
  set(change: MainArgs<'updates.set'>[0]): Promise<void>;
  /** Starts a step, or cancels the download. */
  begin(step: 'check' | 'download' | 'cancel' | 'install'): Promise<void>;
}

export function createUpdateStore(main: MainClient): StoreApi<UpdateStore> {
  return createStore<UpdateStore>()((set) => {
    const ask = async (act: () => Promise<void>): Promise<void> => {
      try {
        set({ problem: null });
        await act();
      } catch (thrown) {
        set({ problem: toErrorRecord(thrown).message });
      }
    };
    return {
      known: null,
      problem: null,
      take: (known) => set({ known }),
      refresh: () => ask(async () => set({ known: await main.call('updates.read') })),
      set: (change) => ask(() => main.call('updates.set', change)),
      begin: (step) => ask(() => main.call(`updates.${step}`)),
    };
  });
}
