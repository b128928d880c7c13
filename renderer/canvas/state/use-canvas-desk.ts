/**
 * Puts the desk of a canvas together, anew with every drawing; gestures find the latest one.
 */
import { useReactFlow, useStoreApi } from '@xyflow/react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import type { NodePosition } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { Camera } from './camera.ts';
import type { CanvasDesk } from './canvas-desk.ts';
import type { PlacedFlow } from './canvas-elements.ts';
import type { CanvasMoment } from './canvas-moment.ts';
import type { CanvasNode } from './canvas-node.ts';
import type { CanvasSelection } from './canvas-selection.ts';

export interface DeskParts
  extends PlacedFlow,
    Pick<CanvasDesk, 'path' | 'doc' | 'readOnlyReason' | 'edges' | 'change'> {
  readonly nodes: CanvasNode[];
  readonly selection: CanvasSelection;
  readonly moment: StoreApi<CanvasMoment>;
  readonly camera: Camera;
  readonly frame: RefObject<HTMLElement | null>;
  readonly pointer: RefObject<NodePosition | null>;
}

export function useCanvasDesk({ frame, pointer, nodes, ...parts }: DeskParts): RefObject<CanvasDesk> {
  const stores = useStores();
  const { getZoom, screenToFlowPosition } = useReactFlow();
  const store = useStoreApi<CanvasNode>();
  const desk: CanvasDesk = {
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
  const latest = useRef(desk);
  useLayoutEffect(() => {
    latest.current = desk;
  });
  return latest;
}
