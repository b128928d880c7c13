/**
 * All that a gesture or a command works on: the flow as it lies on the canvas now, and what changes it.
 */

import { useReactFlow, useStoreApi } from '@xyflow/react';
import { createContext, type RefObject, use, useLayoutEffect, useRef } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import {
  type EdgeDoc,
  type FlowChange,
  type FlowDoc,
  type NodeDoc,
  type NodePosition,
  nameEdges,
} from '../../../engine/isomorphic.ts';
import { outOf } from '../../card/card-ports.ts';
import type { Stores } from '../../stores/stores.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { CardBox } from '../geometry/edge-path.ts';
import type { Box } from '../geometry/rect.ts';
import type { PlacedFlow } from '../projection/frames.ts';
import { cardRect, outerRect } from '../projection/frames.ts';
import type { Camera } from './camera.ts';
import type { CanvasNode, RoutedEdge } from './canvas-elements.ts';
import type { CanvasSelection } from './canvas-selection.ts';
import type { Interaction } from './interaction.ts';

export interface CanvasEditor extends PlacedFlow {
  readonly path: string;
  readonly stores: Stores;
  readonly doc: FlowDoc;
  /** Why nothing can be changed; null = it can. */
  readonly readOnlyReason: string | null;
  readonly edges: readonly RoutedEdge[];
  readonly selection: CanvasSelection;
  readonly interaction: StoreApi<Interaction>;
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

export const CanvasEditorContext = createContext<RefObject<CanvasEditor> | null>(null);

/**
 * The editor as it is when somebody acts; not for drawing.
 * @throws Error outside of a canvas
 */
export function useEditor(): RefObject<CanvasEditor> {
  const editor = use(CanvasEditorContext);
  if (editor === null) throw new Error('This belongs on a canvas');
  return editor;
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

export function nodeOf({ doc }: Pick<CanvasEditor, 'doc'>, id: string): NodeDoc | undefined {
  return doc.nodes.find((node) => node.id === id);
}

/** An edge by the name that runs give it. */
export function edgeOf({ doc }: Pick<CanvasEditor, 'doc'>, edgeId: string): EdgeDoc | undefined {
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
export function centreOf({ frame, toFlow }: CanvasEditor): NodePosition {
  const { left = 0, top = 0, width = 0, height = 0 } = frame?.getBoundingClientRect() ?? {};
  return toFlow({ x: left + width / 2, y: top + height / 2 });
}

/** Whether the flow can be changed; if not, the person is told why. */
export function mayEdit({ path, stores, readOnlyReason }: CanvasEditor): boolean {
  if (readOnlyReason === null) return true;
  stores.notices.getState().add({ tone: 'info', title: `${path} cannot be changed`, detail: readOnlyReason });
  return false;
}

interface EditorSources extends PlacedFlow, Pick<CanvasEditor, 'path' | 'doc' | 'readOnlyReason' | 'edges' | 'change'> {
  readonly nodes: CanvasNode[];
  readonly selection: CanvasSelection;
  readonly interaction: StoreApi<Interaction>;
  readonly camera: Camera;
  readonly frame: RefObject<HTMLElement | null>;
  readonly pointer: RefObject<NodePosition | null>;
}

/** Puts the editor of a canvas together, anew with every drawing; gestures find the latest one. */
export function useCanvasEditor({ frame, pointer, nodes, ...parts }: EditorSources): RefObject<CanvasEditor> {
  const stores = useStores();
  const { getZoom, screenToFlowPosition } = useReactFlow();
  const store = useStoreApi<CanvasNode>();
  const editor: CanvasEditor = {
    ...parts,
    stores,
    zoom: getZoom,
    toFlow: (point) => screenToFlowPosition(point, { snapToGrid: false }),
    restore: () => store.getState().setNodes(nodes),
    get frame() {
      return frame.current;
    },
    get pointer() {
      return pointer.current;
    },
  };
  const latest = useRef(editor);
  useLayoutEffect(() => {
    latest.current = editor;
  });
  return latest;
}
