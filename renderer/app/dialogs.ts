/**
 * Which dialog of the app is open, and what was typed into the inputs of each flow in this session.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { InputDrafts } from './run-inputs.ts';

export type DialogName = 'run-inputs' | 'shortcuts';

export interface Dialogs {
  readonly open: DialogName | null;
  /** By flow path. */
  readonly drafts: ReadonlyMap<string, InputDrafts>;
  show(dialog: DialogName): void;
  close(): void;
  keepDrafts(path: string, drafts: InputDrafts): void;
}

export function createDialogs(): StoreApi<Dialogs> {
  return createStore<Dialogs>()((set, get) => ({
    open: null,
    drafts: new Map(),
    show: (dialog) => set({ open: dialog }),
    close: () => set({ open: null }),
    keepDrafts: (path, drafts) => set({ drafts: new Map(get().drafts).set(path, drafts) }),
  }));
}
