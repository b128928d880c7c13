/**
 * What the person looks at in each open flow: the selected node, the view, and the place in the text to show next.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type ViewMode = 'canvas' | 'split' | 'text';

/** A wish to bring a place of the text into view; a new object each time, so that asking twice works twice. */
export interface TextReveal {
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

export interface FlowView {
  readonly nodeId: string | null;
  readonly mode: ViewMode;
  readonly reveal: TextReveal | null;
}

export interface Selection {
  readonly views: ReadonlyMap<string, FlowView>;
  /** null = nothing is selected. */
  selectNode(path: string, nodeId: string | null): void;
  setMode(path: string, mode: ViewMode): void;
  /** Shows a place of the text, opening the text beside the canvas when only the canvas is visible. */
  revealText(path: string, place: TextReveal): void;
}

/** How a flow is shown before anybody chose otherwise. One object, so that selectors stay stable. */
export const initialFlowView: FlowView = { nodeId: null, mode: 'canvas', reveal: null };

export function createSelection(): StoreApi<Selection> {
  return createStore<Selection>()((set, get) => {
    const patch = (path: string, change: Partial<FlowView>): void => {
      const { views } = get();
      set({ views: new Map(views).set(path, { ...(views.get(path) ?? initialFlowView), ...change }) });
    };
    return {
      views: new Map(),
      selectNode(path, nodeId) {
        if ((get().views.get(path) ?? initialFlowView).nodeId !== nodeId) patch(path, { nodeId });
      },
      setMode(path, mode) {
        patch(path, { mode });
      },
      revealText(path, place) {
        const { mode } = get().views.get(path) ?? initialFlowView;
        patch(path, { reveal: { ...place }, mode: mode === 'canvas' ? 'split' : mode });
      },
    };
  });
}
