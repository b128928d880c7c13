/**
 * What is said at the card of the node that alone is selected: on the side with more room, in letters of the window at every zoom.
 */
import { NodeToolbar, Position, useStore } from '@xyflow/react';
import type { ReactNode } from 'react';
import type { CanvasSelection } from '../state/canvas-selection.ts';
import { useInteraction } from '../state/interaction.ts';

/** Pixels between card and popup. */
const gap = 8;

interface CardPopupProps {
  readonly selection: CanvasSelection;
  readonly explain: (nodeId: string) => ReactNode;
}

export function CardPopup({ selection, explain }: CardPopupProps) {
  const isAtRest = useInteraction(({ dragged, wire }) => dragged === null && wire === null);
  const [nodeId] = selection.ids;
  const { edges, notes, groups } = selection.chosen;
  const isAlone = selection.ids.size === 1 && edges.size + notes.size + groups.size === 0;
  const isBelow = useStore(({ nodeLookup, transform: [, y, zoom], height }) => {
    const node = nodeLookup.get(nodeId ?? '');
    if (node === undefined) return true;
    const top = node.internals.positionAbsolute.y * zoom + y;
    return height - (top + (node.measured.height ?? 0) * zoom) >= top;
  });
  if (nodeId === undefined || !isAlone || !isAtRest) return null;
  return (
    <NodeToolbar
      nodeId={nodeId}
      isVisible
      position={isBelow ? Position.Bottom : Position.Top}
      offset={gap}
      className="card-popup nopan nowheel"
    >
      {explain(nodeId)}
    </NodeToolbar>
  );
}
