/**
 * The canvases on screen. Commands find a canvas here by the path of its flow.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type Direction = 'left' | 'right' | 'up' | 'down';
/** How cards are aligned or distributed. */
export type Alignment = 'left' | 'right' | 'top' | 'bottom' | 'centre' | 'middle' | 'spread-across' | 'spread-down';

/** Commands that change how a flow is displayed, but not the flow. */
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

/** Commands that change the flow. */
export type CanvasEdit =
  | { readonly do: 'nudge'; readonly direction: Direction; readonly steps: number }
  | { readonly do: 'align'; readonly to: Alignment }
  | { readonly do: 'ask-alignment' | 'lay-out' | 'toggle-direction' }
  | { readonly do: 'quick-add' | 'toggle-palette' | 'rename' | 'toggle-disabled' }
  /**
   * Adds a node for the failure of the selected one; toggles whether the flow continues after a failure; limits edges
   * to success.
   */
  | { readonly do: 'add-for-failure' | 'toggle-continue' | 'toggle-success' }
  | { readonly do: 'remove'; readonly heal: boolean }
  | { readonly do: 'paste'; readonly withLinks: boolean }
  /** `at`: in pixels of the page. */
  | {
      readonly do: 'add-files';
      readonly paths: readonly string[];
      readonly at: { readonly x: number; readonly y: number };
    }
  | { readonly do: 'cut' | 'duplicate' | 'add-note' | 'add-trigger' | 'group' | 'ungroup' };

/** All commands of a canvas. */
export type CanvasCommand = CanvasLook | CanvasEdit;

/** Commands that need edges, positions, notes, groups or conditions, which steps do not have. */
const notForSteps: ReadonlySet<CanvasCommand['do']> = new Set([
  ...(['align', 'ask-alignment', 'lay-out', 'toggle-direction', 'go-to-end', 'add-files'] as const),
  ...(['add-for-failure', 'toggle-continue', 'toggle-success', 'toggle-disabled'] as const),
  ...([
    'add-note',
    'add-trigger',
    'toggle-notes',
    'group',
    'ungroup',
    'toggle-collapsed',
    'toggle-all-collapsed',
  ] as const),
]);

/**
 * Returns whether a command applies to a list of steps. Deleting always closes the gap, so nothing is left to
 * reconnect.
 */
export function isForSteps(command: CanvasCommand): boolean {
  if (command.do === 'remove') return !command.heal;
  if (command.do === 'paste') return !command.withLinks;
  return !notForSteps.has(command.do);
}

/** The subject of a context menu on the canvas, which is selected while the menu is open. */
export type MenuSubject = 'node' | 'nodes' | 'edge' | 'note' | 'group' | 'trigger' | 'empty';

export interface CanvasHandle {
  run(command: CanvasCommand): void;
  /** Returns whether a command is supported. If undefined, all are. */
  readonly can?: (command: CanvasCommand) => boolean;
  /** Returns what was under the pointer, or selected, when the last context menu was opened. */
  readonly menuSubject: () => MenuSubject;
}

/** Returns the key of a flow's outline, which supports the commands that need no canvas by keyboard. */
export function outlineHandle(path: string): string {
  return `outline:${path}`;
}

export interface CanvasHandles {
  /** By path of the flow. */
  readonly handles: ReadonlyMap<string, CanvasHandle>;
  /** Whether a drag is in progress. Expensive views update when it ends. */
  readonly isDragging: boolean;
  /** Registers a canvas while it is on screen. Returns a function that removes it. */
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

/** The view state of a flow, written by the canvas. */
export interface CanvasView {
  /** Offset in pixels and zoom factor. Null before the first view. */
  viewport: { readonly x: number; readonly y: number; readonly zoom: number } | null;
  /**
   * What to show again when the canvas is resized: the opening view, the whole flow, or the position chosen by the
   * user, or the changes under review.
   */
  look: 'opening' | 'all' | 'own' | 'review';
  /** The time of the review that was shown last. */
  review?: number;
}

/** By path. Changes cause no render. */
export type CanvasViews = Map<string, CanvasView>;
