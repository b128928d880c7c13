import { ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { PlacedFlow } from './canvas-elements.ts';
import { useMoment } from './canvas-moment.ts';
import { type LoopFrame, loopFrames } from './loop-frames.ts';
import './frame-layer.css';

export interface FrameLayerProps extends PlacedFlow {
  /** Where the frames are while nothing is dragged. */
  readonly frames: readonly LoopFrame[];
}

const noIds: ReadonlySet<string> = new Set();

/** Behind cards and edges: a frame around each loop and its body. It follows cards that are dragged. */
export const FrameLayer = memo(function FrameLayer({ projection, layout, frames }: FrameLayerProps) {
  const dragged = useMoment((moment) => (frames.length === 0 ? null : moment.dragged));
  const dropBody = useMoment((moment) => moment.dropBody);
  const shown = useMemo(() => {
    if (dragged === null) return frames;
    const { ids, to } = dropBody ?? { ids: noIds, to: null };
    const nodes = projection.nodes.map((node) => (ids.has(node.id) ? { ...node, loopId: to } : node));
    return loopFrames(nodes, new Map([...layout.positions, ...dragged]));
  }, [dragged, dropBody, frames, projection, layout]);
  if (shown.length === 0) return null;
  return (
    <ViewportPortal>
      {shown.map(({ loopId, left, top, right, bottom }) => (
        <div
          key={loopId}
          className="loop-frame"
          data-drop={loopId === dropBody?.to}
          style={{ left, top, width: right - left, height: bottom - top }}
        />
      ))}
    </ViewportPortal>
  );
});
