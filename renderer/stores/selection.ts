/**
 * What the person looks at in each open flow: the selected node, the view, and the place in the text to show next.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { baseNodeId, loopStepsOf } from './node-places.ts';

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
  /** Of loops, by their id in the file: the item that is looked at. Without one it is the item last at work. */
  readonly items: ReadonlyMap<string, number>;
}

export interface Selection {
  readonly views: ReadonlyMap<string, FlowView>;
  /** null = nothing is selected. */
  selectNode(path: string, nodeId: string | null): void;
  /** Selects the node of a place in a run, and the items on the way to it. */
  selectPlace(path: string, place: string): void;
  /** Looks at one item of a loop; null = at the one last at work. */
  selectItem(path: string, loopId: string, item: number | null): void;
  setMode(path: string, mode: ViewMode): void;
  /** Shows a place of the text, opening the text beside the canvas when only the canvas is visible. */
  revealText(path: string, place: TextReveal): void;
}

/** How a flow is shown before anybody chose otherwise. One object, so that selectors stay stable. */
export const initialFlowView: FlowView = { nodeId: null, mode: 'canvas', reveal: null, items: new Map() };

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
      selectPlace(path, place) {
        const items = new Map((get().views.get(path) ?? initialFlowView).items);
        for (const { loop, item } of loopStepsOf(place)) items.set(baseNodeId(loop), item);
        patch(path, { nodeId: baseNodeId(place), items });
      },
      selectItem(path, loopId, item) {
        const items = new Map((get().views.get(path) ?? initialFlowView).items);
        if (item === null) items.delete(loopId);
        else items.set(loopId, item);
        patch(path, { items });
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
