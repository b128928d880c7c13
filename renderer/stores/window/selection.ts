/**
 * What the person looks at in each open flow: the selected node, the view, and the place in the text to show next.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { baseNodeId, type FlowDoc, loopStepsOf, nameEdges } from '../../../engine/isomorphic.ts';

/** `chat`: the conversations of a catalogue. */
export type ViewMode = 'canvas' | 'split' | 'text' | 'chat';

/** A request to bring a place of the text into view; a new object each time, so that asking twice works twice. */
interface TextReveal {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** So many characters from there are selected; absent = none. */
  readonly length?: number;
}

/** All that is selected on a canvas; edges by the names that runs give them. */
export interface Chosen {
  readonly nodes: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
  readonly notes: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
}

export interface FlowView {
  /** The node that the window shows: one of those chosen. */
  readonly nodeId: string | null;
  readonly chosen: Chosen;
  readonly mode: ViewMode;
  readonly reveal: TextReveal | null;
  /** Of loops, by their id in the file: the item that is looked at. Without one it is the item last at work. */
  readonly items: ReadonlyMap<string, number>;
}

export interface Selection {
  readonly views: ReadonlyMap<string, FlowView>;
  /** Selects one node and nothing else; null = nothing. */
  selectNode(path: string, nodeId: string | null): void;
  /**
   * Selects these and nothing else.
   * @param primary the node to show; without it the former one while it stays selected, else the last of them
   */
  choose(path: string, chosen: Partial<{ [Part in keyof Chosen]: Iterable<string> }>, primary?: string | null): void;
  /** Selects the node of a place in a run, and the items on the way to it. */
  selectPlace(path: string, place: string): void;
  /** Shows one item of a loop; null = the one last at work. */
  selectItem(path: string, loopId: string, item: number | null): void;
  setMode(path: string, mode: ViewMode): void;
  /** Shows a place of the text, opening the text beside the canvas when no text is visible. */
  revealText(path: string, place: TextReveal): void;
}

/** Nothing at all; one object, so that selectors stay stable. */
export const nothingChosen: Chosen = { nodes: new Set(), edges: new Set(), notes: new Set(), groups: new Set() };

/** What of a choice the flow still has: an undo may have taken the rest away. */
export function presentIn({ nodes, edges, layout }: FlowDoc, chosen: Chosen): Chosen {
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
  };
}

function chooseNode(nodeId: string | null): Chosen {
  return nodeId === null ? nothingChosen : { ...nothingChosen, nodes: new Set([nodeId]) };
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
  return { nodes: part('nodes'), edges: part('edges'), notes: part('notes'), groups: part('groups') };
}

function isSameChoice(left: Chosen, right: Chosen): boolean {
  return (Object.keys(left) as (keyof Chosen)[]).every((part) => left[part] === right[part]);
}

/** How a flow is shown before anybody chose otherwise. One object, so that selectors stay stable. */
export const initialFlowView: FlowView = {
  nodeId: null,
  chosen: nothingChosen,
  mode: 'canvas',
  reveal: null,
  items: new Map(),
};

export function createSelection(): StoreApi<Selection> {
  return createStore<Selection>()((set, get) => {
    const patch = (path: string, change: Partial<FlowView>): void => {
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
