/**
 * The canvases on screen, for commands: whoever wants something of a canvas finds it here by the path of its flow.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type Direction = 'left' | 'right' | 'up' | 'down';
/** Where cards are brought to, or spread along. */
export type Alignment = 'left' | 'right' | 'top' | 'bottom' | 'centre' | 'middle' | 'spread-across' | 'spread-down';

/** What changes how a flow is shown, and leaves it as it is. */
export type CanvasLook =
  | { readonly do: 'zoom-in' | 'zoom-out' | 'zoom-100' | 'fit' | 'fit-selection' | 'toggle-minimap' }
  | { readonly do: 'select-all' | 'select-none' | 'inspect' | 'copy' }
  | { readonly do: 'move'; readonly direction: Direction }
  | { readonly do: 'select-way'; readonly direction: 'left' | 'right' }
  | { readonly do: 'go-to-end'; readonly end: 'from' | 'to' }
  | { readonly do: 'toggle-notes' | 'toggle-collapsed' | 'toggle-all-collapsed' }
  | { readonly do: 'find' | 'replace' | 'find-next' | 'find-previous' }
  | { readonly do: 'save-picture'; readonly format: 'png' | 'svg' }
  | { readonly do: 'copy-picture' };

/** What changes it. */
export type CanvasEdit =
  | { readonly do: 'nudge'; readonly direction: Direction; readonly steps: number }
  | { readonly do: 'align'; readonly to: Alignment }
  | { readonly do: 'ask-alignment' | 'lay-out' | 'toggle-direction' }
  | { readonly do: 'quick-add' | 'toggle-palette' | 'rename' | 'toggle-disabled' }
  /** A node for when the selected one fails; whether the flow goes on then; edges for success alone. */
  | { readonly do: 'add-for-failure' | 'toggle-continue' | 'toggle-success' }
  | { readonly do: 'remove'; readonly heal: boolean }
  | { readonly do: 'paste'; readonly withLinks: boolean }
  /** `at`: in pixels of the page. */
  | {
      readonly do: 'add-files';
      readonly paths: readonly string[];
      readonly at: { readonly x: number; readonly y: number };
    }
  | { readonly do: 'cut' | 'duplicate' | 'add-note' | 'group' | 'ungroup' };

/** What can be asked of a canvas. */
export type CanvasCommand = CanvasLook | CanvasEdit;

/** What asks for edges, places, notes, groups or conditions, which steps do not have. */
const notForSteps: ReadonlySet<CanvasCommand['do']> = new Set([
  ...(['align', 'ask-alignment', 'lay-out', 'toggle-direction', 'go-to-end', 'add-files'] as const),
  ...(['add-for-failure', 'toggle-continue', 'toggle-success', 'toggle-disabled'] as const),
  ...(['add-note', 'toggle-notes', 'group', 'ungroup', 'toggle-collapsed', 'toggle-all-collapsed'] as const),
]);

/** Whether a command makes sense for a list of steps. Deleting always closes the gap, so nothing is left to reconnect. */
export function isForSteps(command: CanvasCommand): boolean {
  if (command.do === 'remove') return !command.heal;
  if (command.do === 'paste') return !command.withLinks;
  return !notForSteps.has(command.do);
}

/** What a context menu on the canvas is about; all of it is selected then. */
export type MenuSubject = 'node' | 'nodes' | 'edge' | 'note' | 'group' | 'empty';

export interface CanvasHandle {
  run(command: CanvasCommand): void;
  /** Whether it knows what to do; absent = with everything. */
  readonly can?: (command: CanvasCommand) => boolean;
  /** What was under the pointer, or selected, when a context menu was asked for last. */
  readonly menuSubject: () => MenuSubject;
}

/** Under which the outline of a flow is known: it does by keyboard what needs no canvas. */
export function outlineHandle(path: string): string {
  return `outline of ${path}`;
}

export interface CanvasHandles {
  /** By the path of the flow. */
  readonly handles: ReadonlyMap<string, CanvasHandle>;
  /** Whether a drag is going on. Expensive views update when it ends. */
  readonly isDragging: boolean;
  /** Makes a canvas known while it is on screen. Returns the end of that. */
  offer(path: string, handle: CanvasHandle): () => void;
}

export function createCanvasHandles(): StoreApi<CanvasHandles> {
  return createStore<CanvasHandles>()((set, get) => ({
    handles: new Map(),
    isDragging: false,
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

/** How one flow is looked at; the canvas writes here. */
export interface CanvasView {
  /** In pixels and as a factor; null before the first look. */
  viewport: { readonly x: number; readonly y: number; readonly zoom: number } | null;
  /** What a new size of the canvas must show again: how a flow opens, all of it, or the place that somebody chose. */
  look: 'opening' | 'all' | 'own';
}

/** By path. Nothing is drawn because of a change in here. */
export type CanvasViews = Map<string, CanvasView>;
