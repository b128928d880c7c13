/**
 * Where the cursor stands in each text on screen, and what is marked there.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Both from 1. */
interface CursorPlace {
  readonly line: number;
  readonly column: number;
}

/** From 1, both included. */
interface MarkedLines {
  readonly first: number;
  readonly last: number;
}

export interface Cursors {
  /** By path of the file. */
  readonly places: ReadonlyMap<string, CursorPlace>;
  /** The lines that hold marked text, by path of the file; absent = none is marked. */
  readonly marked: ReadonlyMap<string, MarkedLines>;
  put(path: string, place: CursorPlace): void;
  /** @param lines null = nothing is marked any more */
  mark(path: string, lines: MarkedLines | null): void;
}

export function createCursors(): StoreApi<Cursors> {
  return createStore<Cursors>()((set, get) => ({
    places: new Map(),
    marked: new Map(),
    put: (path, { line, column }) => set({ places: new Map(get().places).set(path, { line, column }) }),
    mark(path, lines) {
      if (lines === null && !get().marked.has(path)) return;
      const marked = new Map(get().marked);
      if (lines === null) marked.delete(path);
      else marked.set(path, lines);
      set({ marked });
    },
  }));
}
