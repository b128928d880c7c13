/**
 * Short messages about something that just happened and could not be shown where it happened.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';

interface Notice {
  readonly id: number;
  readonly tone: 'error' | 'info';
  readonly title: string;
  readonly detail: string;
  /** What it is about, for one that ends with that: there is one of each, and `withdraw` takes it away. */
  readonly subject?: string;
}

export interface Notices {
  readonly list: readonly Notice[];
  add(notice: Omit<Notice, 'id'>): void;
  /** Shows that an action failed; an error the engine expected speaks for itself. */
  addError(title: string, thrown: unknown): void;
  dismiss(id: number): void;
  /** Takes away the one about this, if it is still there. */
  withdraw(subject: string): void;
}

const maxNotices = 4;

export function createNotices(): StoreApi<Notices> {
  let nextId = 1;
  return createStore<Notices>()((set, get) => ({
    list: [],
    add(notice) {
      if (notice.subject !== undefined) get().withdraw(notice.subject);
      set({ list: [...get().list, { ...notice, id: nextId++ }].slice(-maxNotices) });
    },
    addError(title, thrown) {
      get().add({ tone: 'error', title, detail: toErrorRecord(thrown).message });
    },
    dismiss(id) {
      set({ list: get().list.filter((notice) => notice.id !== id) });
    },
    withdraw(subject) {
      set({ list: get().list.filter((notice) => notice.subject !== subject) });
    },
  }));
}
