/**
 * All that a gesture or a command works on: the flow as it lies on the canvas now, and what changes it.
 */
import { createContext, type RefObject, use } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { type EdgeDoc, type FlowChange, type FlowDoc, type NodeDoc, nameEdges } from '../../../engine/isomorphic.ts';
import { outOf } from '../../card/card-branches.ts';
import type { CardBox } from '../../card/card-ports.ts';
import type { Stores } from '../../stores/stores.ts';
import type { RoutedEdge } from '../edges/flow-edge.tsx';
import type { Box } from '../edit/arrange.ts';
import { cardRect, outerRect } from '../projection/loop-frames.ts';
import type { Camera } from './camera.ts';
import type { PlacedFlow } from './canvas-elements.ts';
import type { CanvasMoment } from './canvas-moment.ts';
import type { CanvasSelection } from './canvas-selection.ts';

export interface CanvasDesk extends PlacedFlow {
  readonly path: string;
  readonly stores: Stores;
  readonly doc: FlowDoc;
  /** Why nothing can be changed; null = it can. */
  readonly readOnlyReason: string | null;
  readonly edges: readonly RoutedEdge[];
  readonly selection: CanvasSelection;
  readonly moment: StoreApi<CanvasMoment>;
  readonly camera: Camera;
  /** The element that the canvas fills; null before it is drawn. */
  readonly frame: HTMLElement | null;
  /** Where the pointer was last over the canvas, in pixels of the page; null = it is elsewhere. */
  readonly pointer: NodePosition | null;
  /** Shows cards and notes where they belong again, after a drag that came to nothing. */
  readonly restore: () => void;
  readonly zoom: () => number;
  /** From pixels of the page to the flow. */
  readonly toFlow: (point: NodePosition) => NodePosition;
  /** Changes the file; cards stay at `places` until it says so too. Resolves with whether it was changed. */
  readonly change: (change: FlowChange, options?: ChangeOptions) => Promise<boolean>;
}

export interface ChangeOptions {
  /** By ids on the canvas. */
  readonly places?: ReadonlyMap<string, NodePosition>;
  /** Changes right after each other with the same key are one entry of undo. */
  readonly mergeKey?: string;
}

export const CanvasDeskContext = createContext<RefObject<CanvasDesk> | null>(null);

/**
 * The desk as it is when somebody acts; not for drawing.
 * @throws Error outside of a canvas
 */
export function useDesk(): RefObject<CanvasDesk> {
  const desk = use(CanvasDeskContext);
  if (desk === null) throw new Error('This belongs on a canvas');
  return desk;
}

/** All cards by place and size; containers by their headers. */
export function boxesOf({ projection, layout }: PlacedFlow): Box[] {
  return projection.nodes.map((node) => ({ id: node.id, ...cardRect(node, layout) }));
}

/** A card by place and size; a container by its header. */
export function boxOf({ projection, layout }: PlacedFlow, id: string): Box | undefined {
  const node = projection.nodes.find((candidate) => candidate.id === id);
  return node === undefined || !layout.positions.has(id) ? undefined : { id, ...cardRect(node, layout) };
}

/** What edges to and from a card know of it: a container as a whole, and where its edges by this way leave. */
export function endBoxOf({ projection, layout }: PlacedFlow, id: string, route: string | null): CardBox | undefined {
  const node = projection.nodes.find((candidate) => candidate.id === id);
  if (node === undefined || !layout.positions.has(id)) return undefined;
  return { ...outerRect(node, layout), out: outOf(node.content, route, projection.direction) };
}

export function nodeOf({ doc }: Pick<CanvasDesk, 'doc'>, id: string): NodeDoc | undefined {
  return doc.nodes.find((node) => node.id === id);
}

/** An edge by the name that runs give it. */
export function edgeOf({ doc }: Pick<CanvasDesk, 'doc'>, edgeId: string): EdgeDoc | undefined {
  const index = nameEdges(doc.edges).findIndex(({ id }) => id === edgeId);
  return doc.edges[index];
}

/** The loop in whose body a node stands. */
export function loopAround({ projection }: PlacedFlow, id: string): string | null {
  return projection.nodes.find((node) => node.id === id)?.loopId ?? null;
}

/** Whether somebody has put cards where they are; otherwise the layout places all of them. */
export function isPlacedByHand({ projection }: PlacedFlow): boolean {
  return projection.nodes.some(({ position }) => position !== null);
}

/** The middle of what is seen, in the flow. */
export function centreOf({ frame, toFlow }: CanvasDesk): NodePosition {
  const { left = 0, top = 0, width = 0, height = 0 } = frame?.getBoundingClientRect() ?? {};
  return toFlow({ x: left + width / 2, y: top + height / 2 });
}
