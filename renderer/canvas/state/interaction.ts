/**
 * Transient state of a canvas that is not in the file: a drag, a wire being drawn, an open popup. Each component
 * subscribes to its own part, so that moving the pointer rerenders no card.
 */
import { createContext, use } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { GroupDoc, NodePosition, NoteDoc } from '../../../engine/isomorphic.ts';
import type { BodyMove } from '../../stores/flow/loop-bodies.ts';
import type { Guide } from '../geometry/rect.ts';
import type { WireTarget } from '../geometry/wire-target.ts';
import type { LoopFrame } from '../projection/frames.ts';

/** The fixed end of a wire while the other one is being moved. */
export interface WireStart {
  readonly nodeId: string;
  /** The port at the fixed end. */
  readonly port: 'source' | 'target';
  /** The branch at the fixed end. Null for the card's default port. */
  readonly route: string | null;
  /** The edge with the other end that is being moved. Null for a new edge. */
  readonly edgeId: string | null;
}

export interface Wire extends WireStart {
  /** Position of the pointer, in flow coordinates. */
  readonly at: NodePosition;
  readonly target: WireTarget | null;
}

/** The element that the next node is added to. */
export interface QuickAdd {
  /** Position of the popup on the canvas, in pixels of its frame. */
  readonly popup: NodePosition;
  /** Position of the node in the flow, or null to place it where there is room. */
  readonly at: NodePosition | null;
  readonly to: AddTo;
  /**
   * Whether it was opened with the pointer, which will use the new card next: the view moves as little as possible to
   * show that card.
   */
  readonly isByPointer?: boolean;
}

/** The element that a new node is connected to. */
export type AddTo =
  | { readonly do: 'nothing' }
  | { readonly do: 'behind'; readonly nodeId: string; readonly route?: string | null }
  | { readonly do: 'before' | 'inside'; readonly nodeId: string }
  | { readonly do: 'into'; readonly edgeId: string };

/** The element being renamed in place. */
export interface InlineRename {
  readonly what: 'node' | 'group';
  readonly id: string;
  /** The group, while the file does not contain it yet, so that the field is there for a user who types at once. */
  readonly fresh?: GroupDoc;
}

type CanvasBar = 'find' | 'replace' | 'align';

/** A gap between two cards of a lane, or at one of its ends. */
export interface LaneSlot {
  /** Number of unmoved cards before it. */
  readonly index: number;
  /** Position in the flow. */
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Interaction {
  /** Positions of the dragged cards and notes, by their IDs on the canvas. */
  readonly dragged: ReadonlyMap<string, NodePosition> | null;
  /** The containers of the flow as changed by the drag. Null if they are unchanged. */
  readonly frames: readonly LoopFrame[] | null;
  readonly guides: readonly Guide[];
  readonly wire: Wire | null;
  /** The edge that the dragged card would be inserted into. */
  readonly dropEdge: string | null;
  /** The move into or out of a loop that the drag would cause. */
  readonly dropBody: BodyMove | null;
  /** The gap in the lane where the dragged cards would be dropped. */
  readonly laneSlot: LaneSlot | null;
  /** The edge under the pointer. */
  readonly hoveredEdge: string | null;
  readonly hoveredCard: string | null;
  readonly quickAdd: QuickAdd | null;
  /** The node that was just added and is about to be selected. The view does not move unless it `isShown`. */
  readonly added: { readonly id: string; readonly isShown: boolean } | null;
  readonly hasPalette: boolean;
  readonly renaming: InlineRename | null;
  /** The note being edited. */
  readonly editedNote: string | null;
  /** A note that the file does not contain yet. It is drawn so that it can be edited at once. */
  readonly freshNote: { readonly id: string; readonly note: NoteDoc } | null;
  readonly bar: CanvasBar | null;
  /** Cards that match the search while the search bar is open. */
  readonly found: ReadonlySet<string>;
  readonly foundTriggers: ReadonlySet<string>;
  readonly hidesNotes: boolean;
  readonly collapsed: ReadonlySet<string>;
}

const atRest: Interaction = {
  dragged: null,
  frames: null,
  guides: [],
  wire: null,
  dropEdge: null,
  dropBody: null,
  laneSlot: null,
  hoveredEdge: null,
  hoveredCard: null,
  quickAdd: null,
  added: null,
  hasPalette: false,
  renaming: null,
  editedNote: null,
  freshNote: null,
  bar: null,
  found: new Set(),
  foundTriggers: new Set(),
  hidesNotes: false,
  collapsed: new Set(),
};

export function createInteraction(): StoreApi<Interaction> {
  return createStore<Interaction>()(() => atRest);
}

export const InteractionContext = createContext<StoreApi<Interaction> | null>(null);

/** @throws Error outside a canvas */
export function useInteractionStore(): StoreApi<Interaction> {
  const store = use(InteractionContext);
  if (store === null) throw new Error('This belongs on a canvas');
  return store;
}

/** Subscribes to one part of the interaction state. */
export function useInteraction<Piece>(select: (interaction: Interaction) => Piece): Piece {
  return useStore(useInteractionStore(), select);
}
