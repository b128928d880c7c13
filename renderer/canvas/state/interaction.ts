/**
 * What is going on on a canvas right now and is in no file: a drag, a wire in the hand, an open popup. Each part of the
 * page listens to its own piece, so that a pointer that moves redraws no card.
 */
import { createContext, use } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { GroupDoc, NodePosition, NoteDoc } from '../../../engine/isomorphic.ts';
import type { BodyMove } from '../../stores/flow/loop-bodies.ts';
import type { Guide } from '../geometry/rect.ts';
import type { WireTarget } from '../geometry/wire-target.ts';
import type { LoopFrame } from '../projection/frames.ts';

/** The end of a wire that stays, while the other one is in the hand. */
export interface WireStart {
  readonly nodeId: string;
  /** Which of its ports the wire hangs on. */
  readonly port: 'source' | 'target';
  /** The way out that it hangs on; null = the card's own port. */
  readonly route: string | null;
  /** The edge whose other end is taken elsewhere; null for a new one. */
  readonly edgeId: string | null;
}

export interface Wire extends WireStart {
  /** Of the pointer, in the flow. */
  readonly at: NodePosition;
  readonly target: WireTarget | null;
}

/** What the next node is added to. */
export interface QuickAdd {
  /** Where on the canvas the popup stands, in pixels of its frame. */
  readonly popup: NodePosition;
  /** Where in the flow the node goes; null = where there is room. */
  readonly at: NodePosition | null;
  readonly to: AddTo;
  /** The pointer asked for it and will next use the new card: the view moves as little as it takes to show that card. */
  readonly isByPointer?: boolean;
}

/** With what a new node is connected. */
export type AddTo =
  | { readonly do: 'nothing' }
  | { readonly do: 'behind'; readonly nodeId: string; readonly route?: string | null }
  | { readonly do: 'before' | 'inside'; readonly nodeId: string }
  | { readonly do: 'into'; readonly edgeId: string };

/** What is renamed in place. */
export interface Renaming {
  readonly what: 'node' | 'group';
  readonly id: string;
  /** The group while the file does not have it yet: whoever types at once finds the field there. */
  readonly fresh?: GroupDoc;
}

type CanvasBar = 'find' | 'replace' | 'align';

/** A place between two cards of a lane, or at one of its ends. */
export interface LaneSlot {
  /** How many of the cards that stay stand before it. */
  readonly index: number;
  /** Where it is in the flow. */
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Interaction {
  /** Places of cards and notes that are dragged, by their ids on the canvas. */
  readonly dragged: ReadonlyMap<string, NodePosition> | null;
  /** The containers of the flow as what is dragged makes them; null = as they are. */
  readonly frames: readonly LoopFrame[] | null;
  readonly guides: readonly Guide[];
  readonly wire: Wire | null;
  /** The edge that what is dragged would be put into. */
  readonly dropEdge: string | null;
  /** The side of a loop's border that what is dragged would change to. */
  readonly dropBody: BodyMove | null;
  /** Where in its lane what is dragged would come to stand. */
  readonly laneSlot: LaneSlot | null;
  /** Edge and card under the pointer. */
  readonly hoveredEdge: string | null;
  readonly hoveredCard: string | null;
  readonly quickAdd: QuickAdd | null;
  /** The node that was just added and is about to be selected: the view stays where it is, unless it `isShown`. */
  readonly added: { readonly id: string; readonly isShown: boolean } | null;
  readonly hasPalette: boolean;
  readonly renaming: Renaming | null;
  /** The note whose text is edited. */
  readonly editedNote: string | null;
  /** A note that the file does not have yet; it is drawn, so that it can be written on at once. */
  readonly freshNote: { readonly id: string; readonly note: NoteDoc } | null;
  readonly bar: CanvasBar | null;
  /** Cards that hold what is searched for, while the bar for that is open. */
  readonly found: ReadonlySet<string>;
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
  hidesNotes: false,
  collapsed: new Set(),
};

export function createInteraction(): StoreApi<Interaction> {
  return createStore<Interaction>()(() => atRest);
}

export const InteractionContext = createContext<StoreApi<Interaction> | null>(null);

/** @throws Error outside of a canvas */
export function useInteractionStore(): StoreApi<Interaction> {
  const store = use(InteractionContext);
  if (store === null) throw new Error('This belongs on a canvas');
  return store;
}

/** One piece of what is going on. */
export function useInteraction<Piece>(select: (interaction: Interaction) => Piece): Piece {
  return useStore(useInteractionStore(), select);
}
