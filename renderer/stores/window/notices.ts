/**
 * Short messages about events that could not be shown where they happened.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';

interface Notice {
  readonly id: number;
  readonly tone: 'error' | 'info';
  readonly title: string;
  readonly detail: string;
  /**
   * Identifies a notice that disappears when its cause does: only one exists per subject, and `withdraw` removes it.
   */
  readonly subject?: string;
}

export interface WindowNotices {
  readonly list: readonly Notice[];
  add(notice: Omit<Notice, 'id'>): void;
  /** Shows that an action failed. The message of an expected engine error is shown unchanged. */
  addError(title: string, thrown: unknown): void;
  dismiss(id: number): void;
  /** Removes the notice with this subject, if it still exists. */
  withdraw(subject: string): void;
}

const maxNotices = 4;

export function createNotices(): StoreApi<WindowNotices> {
  let nextId = 1;
  return createStore<WindowNotices>()((set, get) => ({
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
