/**
 * The cursor position and selection in each text on screen.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Both are counted from 1. */
interface CursorPlace {
  readonly line: number;
  readonly column: number;
}

/** Counted from 1, both inclusive. */
interface MarkedLines {
  readonly first: number;
  readonly last: number;
}

export interface Cursors {
  /** By path of the file. */
  readonly places: ReadonlyMap<string, CursorPlace>;
  /** The lines that contain selected text, by path of the file. No entry if nothing is selected. */
  readonly marked: ReadonlyMap<string, MarkedLines>;
  put(path: string, place: CursorPlace): void;
  /** @param lines null if nothing is selected */
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
