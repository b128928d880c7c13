/**
 * The person's settings as this window shows them; main owns and keeps them.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type ThemeChoice = 'system' | 'light' | 'dark';

export interface Settings {
  readonly theme: ThemeChoice;
  setTheme(theme: ThemeChoice): void;
}

export function createSettings(): StoreApi<Settings> {
  return createStore<Settings>()((set) => ({
    theme: 'system',
    setTheme: (theme) => set({ theme }),
  }));
}
