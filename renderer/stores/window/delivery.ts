/**
 * How messages about what waits go out of the program. Main keeps it and sends them; it asks the person before it changes.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { DeliverySetting, DeliveryState, MainClient } from '../../bridge/main-client.ts';

export type { DeliverySetting, DeliveryState } from '../../bridge/main-client.ts';

export interface DeliveryStore {
  /** Null = main has not said anything yet. */
  readonly known: DeliveryState | null;
  /** Why the last wish was not fulfilled, in a sentence. */
  readonly problem: string | null;
  take(known: DeliveryState): void;
  /** Asks main what it knows. */
  refresh(): Promise<void>;
  /** Resolves to whether it holds now. */
  set(setting: DeliverySetting): Promise<boolean>;
  /** Resolves to whether a test has gone out. */
  test(): Promise<boolean>;
}

export function createDeliveryStore(main: MainClient): StoreApi<DeliveryStore> {
  return createStore<DeliveryStore>()((set) => {
    const ask = async (act: () => Promise<boolean>): Promise<boolean> => {
      try {
        set({ problem: null });
        return await act();
      } catch (thrown) {
        set({ problem: toErrorRecord(thrown).message });
        return false;
      }
    };
    return {
      known: null,
      problem: null,
      take: (known) => set({ known }),
      async refresh() {
        await ask(async () => {
          set({ known: await main.call('delivery.read') });
          return true;
        });
      },
      set: (setting) => ask(async () => (await main.call('delivery.set', setting)).isDone),
      test: () =>
        ask(async () => {
          const { problem } = await main.call('delivery.test');
          set({ problem });
          return problem === null;
        }),
    };
  });
}
