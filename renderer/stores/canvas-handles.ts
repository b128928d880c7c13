/**
 * The canvases on screen, for commands: whoever wants something of a canvas finds it here by the path of its flow.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type Direction = 'left' | 'right' | 'up' | 'down';
/** Where cards are brought to, or spread along. */
export type Alignment = 'left' | 'right' | 'top' | 'bottom' | 'centre' | 'middle' | 'spread-across' | 'spread-down';

/** What can be asked of a canvas. */
export type CanvasCommand =
  | { readonly do: 'zoom-in' | 'zoom-out' | 'zoom-100' | 'fit' | 'fit-selection' | 'toggle-minimap' }
  | { readonly do: 'select-all' | 'select-none' | 'inspect' }
  | { readonly do: 'move'; readonly direction: Direction }
  | { readonly do: 'select-way'; readonly direction: 'left' | 'right' }
  | { readonly do: 'nudge'; readonly direction: Direction; readonly steps: number }
  | { readonly do: 'align'; readonly to: Alignment }
  | { readonly do: 'ask-alignment' | 'lay-out' | 'toggle-direction' }
  | { readonly do: 'quick-add' | 'toggle-palette' | 'rename' | 'toggle-disabled' }
  | { readonly do: 'remove'; readonly heal: boolean }
  | { readonly do: 'copy' | 'cut' | 'duplicate' }
  | { readonly do: 'paste'; readonly withLinks: boolean }
  | { readonly do: 'add-note' | 'toggle-notes' | 'group' | 'ungroup' | 'toggle-collapsed' | 'toggle-all-collapsed' }
  | { readonly do: 'find' | 'replace' | 'find-next' | 'find-previous' };

/** What a context menu on the canvas is about; all of it is selected then. */
export type MenuSubject = 'node' | 'nodes' | 'edge' | 'note' | 'group' | 'empty';

export interface CanvasHandle {
  run(command: CanvasCommand): void;
  /** What was under the pointer, or selected, when a context menu was asked for last. */
  readonly menuSubject: () => MenuSubject;
}

export interface CanvasHandles {
  /** By the path of the flow. */
  readonly handles: ReadonlyMap<string, CanvasHandle>;
  /** Makes a canvas known while it is on screen. Returns the end of that. */
  offer(path: string, handle: CanvasHandle): () => void;
}

export function createCanvasHandles(): StoreApi<CanvasHandles> {
  return createStore<CanvasHandles>()((set, get) => ({
    handles: new Map(),
    offer(path, handle) {
      set({ handles: new Map(get().handles).set(path, handle) });
      return () => {
        if (get().handles.get(path) !== handle) return;
        const handles = new Map(get().handles);
        handles.delete(path);
        set({ handles });
      };
    },
  }));
}
