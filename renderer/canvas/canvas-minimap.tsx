import { MiniMap, type MiniMapNodeProps } from '@xyflow/react';
import { memo, use } from 'react';
import { useNodeState } from '../stores/use-flow.ts';
import { CanvasPath } from './canvas-path.ts';
import './canvas-minimap.css';

/** The whole flow in small, with what a run does to it. */
export function CanvasMinimap() {
  return (
    <MiniMap
      pannable
      zoomable
      ariaLabel="Overview map"
      nodeComponent={MinimapCard}
      offsetScale={2}
      style={{ width: 168, height: 108 }}
    />
  );
}

const MinimapCard = memo(function MinimapCard({ id, x, y, width, height, selected }: MiniMapNodeProps) {
  const path = use(CanvasPath);
  const status = useNodeState(path, id)?.status ?? 'idle';
  return (
    <rect
      className="canvas-minimap-card"
      data-state={status}
      data-selected={selected}
      {...{ x, y, width, height }}
      rx={12}
    />
  );
});
