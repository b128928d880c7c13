import { ViewportPortal } from '@xyflow/react';
import { memo } from 'react';
import type { LoopFrame } from './loop-frames.ts';
import './frame-layer.css';

/** Behind cards and edges: a frame around each loop and its body. */
export const FrameLayer = memo(function FrameLayer({ frames }: { readonly frames: readonly LoopFrame[] }) {
  if (frames.length === 0) return null;
  return (
    <ViewportPortal>
      {frames.map(({ loopId, left, top, right, bottom }) => (
        <div key={loopId} className="loop-frame" style={{ left, top, width: right - left, height: bottom - top }} />
      ))}
    </ViewportPortal>
  );
});
