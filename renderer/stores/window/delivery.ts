/**
 * The setting for notifications that are sent outside the program. Main stores it, sends the notifications, and asks
 * the user before the setting changes.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { DeliverySetting, DeliveryState, MainClient } from '../../bridge/main-client.ts';

export type { DeliverySetting, DeliveryState } from '../../bridge/main-client.ts';

export interface DeliveryStore {
  /** Null until main has responded. */
  readonly known: DeliveryState | null;
  /** Why the last request failed, in a sentence. */
  readonly problem: string | null;
  take(known: DeliveryState): void;
  /** Loads the current state from main. */
  refresh(): Promise<void>;
  /** Resolves to whether the setting was applied. */
  set(setting: DeliverySetting): Promise<boolean>;
  /** Resolves to whether a test notification was sent. */
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
