/**
 * What is known of newer versions of the program. Main looks for them, fetches and installs them; a window shows what it
 * says and passes on what the person asks for.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { MainArgs, MainClient, Updates } from '../../bridge/main-client.ts';

export type { UpdateStep, Updates } from '../../bridge/main-client.ts';

export interface UpdateStore {
  /** Null = main has not said anything yet. */
  readonly known: Updates | null;
  /** Why the last wish was not fulfilled, in a sentence. */
  readonly problem: string | null;
  take(known: Updates): void;
  /** Asks main what it knows. */
  refresh(): Promise<void>;
  set(change: MainArgs<'updates.set'>[0]): Promise<void>;
  /** Begins a step, or ends the download. */
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
