/**
 * The view state of each open flow: the selected node, the view mode, and the text position to show next.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { baseNodeId, type FlowDoc, loopStepsOf, nameEdges } from '../../../engine/isomorphic.ts';

/** `chat` shows the conversations of a catalog, `runs` the table of a file's runs. */
export type ViewMode = 'canvas' | 'split' | 'text' | 'chat' | 'runs';

/** A request to bring a text position into view. A new object each time, so that a repeated request works. */
interface TextReveal {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** Number of characters to select from there. If undefined, none are selected. */
  readonly length?: number;
}

/** The selection on a canvas. Edges are identified by their IDs in runs. */
export interface Chosen {
  readonly nodes: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
  readonly notes: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly triggers: ReadonlySet<string>;
}

export interface FlowViewState {
  /** The node that the window shows: one of the selected ones. */
  readonly nodeId: string | null;
  readonly chosen: Chosen;
  readonly mode: ViewMode;
  readonly reveal: TextReveal | null;
  /** By ID of a loop in the file: the selected item. Without an entry, the item that ran last is shown. */
  readonly items: ReadonlyMap<string, number>;
}

export interface Selection {
  readonly views: ReadonlyMap<string, FlowViewState>;
  /** Selects only this node. Null clears the selection. */
  selectNode(path: string, nodeId: string | null): void;
  /**
   * Replaces the selection.
   * @param primary the node to show; by default the previous one if it stays selected, or else the last of them
   */
  choose(path: string, chosen: Partial<{ [Part in keyof Chosen]: Iterable<string> }>, primary?: string | null): void;
  /** Selects the node at a path in a run, and the items in the path. */
  selectPlace(path: string, place: string): void;
  /** Selects an item of a loop. Null for the one that ran last. */
  selectItem(path: string, loopId: string, item: number | null): void;
  setMode(path: string, mode: ViewMode): void;
  /** Shows a text position. Opens the text beside the canvas if no text is visible. */
  revealText(path: string, place: TextReveal): void;
}

/** An empty selection. A single object, so that selectors are stable. */
export const emptySelection: Chosen = {
  nodes: new Set(),
  edges: new Set(),
  notes: new Set(),
  groups: new Set(),
  triggers: new Set(),
};

/** Returns the part of a selection that still exists in the flow, because an undo may have removed the rest. */
export function withoutDeletedElements({ flow, nodes, edges, layout }: FlowDoc, chosen: Chosen): Chosen {
  const pick = (ids: ReadonlySet<string>, there: () => Iterable<string>): ReadonlySet<string> => {
    if (ids.size === 0) return ids;
    const known = new Set(there());
    const present = [...ids].filter((id) => known.has(id));
    return present.length === ids.size ? ids : new Set(present);
  };
  return {
    nodes: pick(chosen.nodes, () => nodes.map(({ id }) => id)),
    edges: pick(chosen.edges, () => nameEdges(edges).map(({ id }) => id)),
    notes: pick(chosen.notes, () => Object.keys(layout?.notes ?? {})),
    groups: pick(chosen.groups, () => Object.keys(layout?.groups ?? {})),
    triggers: pick(chosen.triggers, () => (flow.triggers ?? []).map(({ id }) => id)),
  };
}

function chooseNode(nodeId: string | null): Chosen {
  return nodeId === null ? emptySelection : { ...emptySelection, nodes: new Set([nodeId]) };
}

function sameMembers(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left.size === right.size && [...left].every((member) => right.has(member));
}

/** Sets with the same members keep their object. */
function nextChosen(before: Chosen, wanted: Partial<{ [Part in keyof Chosen]: Iterable<string> }>): Chosen {
  const part = (name: keyof Chosen): ReadonlySet<string> => {
    const members = new Set(wanted[name] ?? []);
    return sameMembers(before[name], members) ? before[name] : members;
  };
  return {
    nodes: part('nodes'),
    edges: part('edges'),
    notes: part('notes'),
    groups: part('groups'),
    triggers: part('triggers'),
  };
}

function isSameChoice(left: Chosen, right: Chosen): boolean {
  return (Object.keys(left) as (keyof Chosen)[]).every((part) => left[part] === right[part]);
}

/** The default view state of a flow. A single object, so that selectors are stable. */
export const initialFlowView: FlowViewState = {
  nodeId: null,
  chosen: emptySelection,
  mode: 'canvas',
  reveal: null,
  items: new Map(),
};

export function createSelection(): StoreApi<Selection> {
  return createStore<Selection>()((set, get) => {
    const patch = (path: string, change: Partial<FlowViewState>): void => {
      const { views } = get();
      set({ views: new Map(views).set(path, { ...(views.get(path) ?? initialFlowView), ...change }) });
    };
    return {
      views: new Map(),
      selectNode(path, nodeId) {
        const view = get().views.get(path) ?? initialFlowView;
        const chosen = nextChosen(view.chosen, chooseNode(nodeId));
        if (view.nodeId !== nodeId || !isSameChoice(view.chosen, chosen)) patch(path, { nodeId, chosen });
      },
      choose(path, wanted, primary) {
        const view = get().views.get(path) ?? initialFlowView;
        const chosen = nextChosen(view.chosen, wanted);
        const kept = view.nodeId !== null && chosen.nodes.has(view.nodeId) ? view.nodeId : null;
        const nodeId = primary === undefined ? (kept ?? [...chosen.nodes].at(-1) ?? null) : primary;
        if (view.nodeId !== nodeId || !isSameChoice(view.chosen, chosen)) patch(path, { nodeId, chosen });
      },
      selectPlace(path, place) {
        const items = new Map((get().views.get(path) ?? initialFlowView).items);
        for (const { loop, item } of loopStepsOf(place)) items.set(baseNodeId(loop), item);
        const nodeId = baseNodeId(place);
        patch(path, { nodeId, chosen: chooseNode(nodeId), items });
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
        patch(path, { reveal: { ...place }, mode: mode === 'text' ? mode : 'split' });
      },
    };
  });
}
