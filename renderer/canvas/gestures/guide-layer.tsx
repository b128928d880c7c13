/**
 * Lines that show with what dragged cards are level.
 */
import { useStore, ViewportPortal } from '@xyflow/react';
import { useMoment } from '../state/canvas-moment.ts';
import './guide-layer.css';

export function GuideLayer() {
  const guides = useMoment((moment) => moment.guides);
  const pixel = useStore(({ transform }) => 1 / transform[2]);
  if (guides.length === 0) return null;
  return (
    <ViewportPortal>
      {guides.map(({ axis, at, from, to }) => (
        <div
          key={axis}
          className="guide"
          style={
            axis === 'x'
              ? { left: at - pixel / 2, top: from - 12, width: pixel, height: to - from + 24 }
              : { left: from - 12, top: at - pixel / 2, width: to - from + 24, height: pixel }
          }
        />
      ))}
    </ViewportPortal>
  );
}
