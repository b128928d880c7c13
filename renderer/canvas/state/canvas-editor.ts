/**
 * The context of gestures and commands: the flow as currently shown on the canvas, and the functions that change it.
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
import type { CardRect } from '../geometry/rect.ts';
import type { FlowWithLayout } from '../projection/frames.ts';
import { cardRect, outerRect } from '../projection/frames.ts';
import { text } from '../text.ts';
import type { Camera } from './camera.ts';
import type { CanvasNode, RoutedEdge } from './canvas-elements.ts';
import type { CanvasSelection } from './canvas-selection.ts';
import type { Interaction } from './interaction.ts';

export interface CanvasEditor extends FlowWithLayout {
  readonly path: string;
  readonly stores: Stores;
  readonly doc: FlowDoc;
  /** Why the flow cannot be changed, or null if it can. */
  readonly readOnlyReason: string | null;
  readonly edges: readonly RoutedEdge[];
  readonly selection: CanvasSelection;
  readonly interaction: StoreApi<Interaction>;
  readonly camera: Camera;
  /** The element that contains the canvas. Null before it is rendered. */
  readonly frame: HTMLElement | null;
  /** Last position of the pointer over the canvas, in pixels of the page. Null if it is elsewhere. */
  readonly pointer: NodePosition | null;
  /** Moves cards and notes back to their positions after a drag without effect. */
  readonly restore: () => void;
  readonly zoom: () => number;
  /** Converts pixels of the page to flow coordinates. */
  readonly toFlow: (point: NodePosition) => NodePosition;
  /**
   * Changes the file. Cards stay at `places` until the file contains the change. Resolves to whether the file was
   * changed.
   */
  readonly change: (change: FlowChange, options?: ChangeOptions) => Promise<boolean>;
}

export interface ChangeOptions {
  /** Positions by IDs on the canvas. */
  readonly places?: ReadonlyMap<string, NodePosition>;
  /** Consecutive changes with the same key are merged into one undo step. */
  readonly mergeKey?: string;
}

export const CanvasEditorContext = createContext<RefObject<CanvasEditor> | null>(null);

/**
 * Returns a ref to the current editor, for event handlers and not for rendering.
 * @throws Error outside a canvas
 */
export function useEditor(): RefObject<CanvasEditor> {
  const editor = use(CanvasEditorContext);
  if (editor === null) throw new Error('This belongs on a canvas');
  return editor;
}

/** Returns the boxes of all cards. A container is represented by its header. */
export function boxesOf({ projection, layout }: FlowWithLayout): CardRect[] {
  return projection.nodes.map((node) => ({ id: node.id, ...cardRect(node, layout) }));
}

/** Returns the box of a card, or of the header for a container. */
export function boxOf({ projection, layout }: FlowWithLayout, id: string): CardRect | undefined {
  const node = projection.nodes.find((candidate) => candidate.id === id);
  return node === undefined || !layout.positions.has(id) ? undefined : { id, ...cardRect(node, layout) };
}

/**
 * Returns the box of a card for its edges: the whole container for a loop, and the place where edges of this branch
 * leave.
 */
export function endBoxOf(
  { projection, layout }: FlowWithLayout,
  id: string,
  route: string | null,
): CardBox | undefined {
  const node = projection.nodes.find((candidate) => candidate.id === id);
  if (node === undefined || !layout.positions.has(id)) return undefined;
  return { ...outerRect(node, layout), out: outOf(node.content, route, projection.direction) };
}

export function nodeOf({ doc }: Pick<CanvasEditor, 'doc'>, id: string): NodeDoc | undefined {
  return doc.nodes.find((node) => node.id === id);
}

/** Returns an edge by its ID in runs. */
export function edgeOf({ doc }: Pick<CanvasEditor, 'doc'>, edgeId: string): EdgeDoc | undefined {
  const index = nameEdges(doc.edges).findIndex(({ id }) => id === edgeId);
  return doc.edges[index];
}

/** Returns the loop that contains a node. */
export function loopAround({ projection }: FlowWithLayout, id: string): string | null {
  return projection.nodes.find((node) => node.id === id)?.loopId ?? null;
}

/** Returns whether cards have positions in the file. Otherwise the layout places all of them. */
export function isPlacedByHand({ projection }: FlowWithLayout): boolean {
  return projection.nodes.some(({ position }) => position !== null);
}

/** Returns the center of the visible area, in flow coordinates. */
export function centreOf({ frame, toFlow }: CanvasEditor): NodePosition {
  const { left = 0, top = 0, width = 0, height = 0 } = frame?.getBoundingClientRect() ?? {};
  return toFlow({ x: left + width / 2, y: top + height / 2 });
}

/** Returns whether the flow can be changed. If not, shows why. */
export function mayEdit({ path, stores, readOnlyReason }: CanvasEditor): boolean {
  if (readOnlyReason === null) return true;
  stores.notices.getState().add({ tone: 'info', title: text.notices.readOnly({ path }), detail: readOnlyReason });
  return false;
}

interface EditorSources
  extends FlowWithLayout,
    Pick<CanvasEditor, 'path' | 'doc' | 'readOnlyReason' | 'edges' | 'change'> {
  readonly nodes: CanvasNode[];
  readonly selection: CanvasSelection;
  readonly interaction: StoreApi<Interaction>;
  readonly camera: Camera;
  readonly frame: RefObject<HTMLElement | null>;
  readonly pointer: RefObject<NodePosition | null>;
}

/** Assembles the editor of a canvas on every render. Gestures use the latest one. */
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
