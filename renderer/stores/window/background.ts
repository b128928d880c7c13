/**
 * The service that runs triggers while no window is open. Main runs it; a window shows its state.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { BackgroundState, MainClient, SessionService } from '../../bridge/main-client.ts';

/** Where a service listens unless it is told otherwise. */
export const usualOrigin = 'http://127.0.0.1:7420';

export interface BackgroundStore {
  /** Null until main has responded. */
  readonly known: BackgroundState | null;
  /** Whether systemd starts the triggers of the workspace; null until main has responded. */
  readonly session: SessionService | null;
  /** Why the last request failed, in a sentence. */
  readonly problem: string | null;
  refresh(): Promise<void>;
  /** Sets whether the program keeps running when its last window is closed. */
  set(isOn: boolean): Promise<void>;
  refreshSession(): Promise<void>;
  /** Sets whether systemd starts the triggers of the workspace. */
  setSession(isOn: boolean): Promise<void>;
}

/** Creates the store. It follows main as long as the page exists. */
export function createBackground(main: MainClient): StoreApi<BackgroundStore> {
  const store = createStore<BackgroundStore>()((set) => {
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
      session: null,
      problem: null,
      refresh: () => ask(async () => set({ known: await main.call('background.read') })),
      set: (isOn) => ask(() => main.call('background.set', { isOn })),
      refreshSession: () => ask(async () => set({ session: await main.call('background.readSession') })),
      setSession: (isOn) => ask(async () => set({ session: await main.call('background.setSession', { isOn }) })),
    };
  });
  main.onPush({ 'background.changed': (known) => store.setState({ known }) });
  return store;
}
