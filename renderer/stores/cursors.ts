/**
 * Where the cursor stands in each text on screen.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Both from 1. */
export interface CursorPlace {
  readonly line: number;
  readonly column: number;
}

export interface Cursors {
  /** By path of the file. */
  readonly places: ReadonlyMap<string, CursorPlace>;
  put(path: string, place: CursorPlace): void;
}

export function createCursors(): StoreApi<Cursors> {
  return createStore<Cursors>()((set, get) => ({
    places: new Map(),
    put: (path, { line, column }) => set({ places: new Map(get().places).set(path, { line, column }) }),
  }));
}
