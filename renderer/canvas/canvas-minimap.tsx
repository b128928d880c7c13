/**
 * The whole flow in small, with what a run does to it. The cards are painted once, and a pan moves only the frame over
 * them: the map that comes with React Flow paints all cards again for every frame.
 */
import { getNodesBounds, Panel, type ReactFlowState, useStoreApi } from '@xyflow/react';
import { memo, type PointerEvent, use, useEffect, useMemo, useRef } from 'react';
import { useNodeState } from '../stores/use-flow.ts';
import type { Camera } from './camera.ts';
import { CanvasPath } from './canvas-path.ts';
import type { CardNode } from './node-card.tsx';
import './canvas-minimap.css';

const mapWidth = 168;
const mapHeight = 108;
const margin = 8;

/** From places in the flow to places on the map: times `ratio`, then moved. */
interface MapScale {
  readonly ratio: number;
  readonly left: number;
  readonly top: number;
}

function scaleFor(nodes: CardNode[]): MapScale {
  const { x, y, width, height } = getNodesBounds(nodes);
  const ratio = Math.min((mapWidth - 2 * margin) / width, (mapHeight - 2 * margin) / height);
  return { ratio, left: (mapWidth - width * ratio) / 2 - x * ratio, top: (mapHeight - height * ratio) / 2 - y * ratio };
}

function moveFrame(frame: HTMLElement, { ratio, left, top }: MapScale, state: ReactFlowState): void {
  const [x, y, zoom] = state.transform;
  frame.style.width = `${(state.width / zoom) * ratio}px`;
  frame.style.height = `${(state.height / zoom) * ratio}px`;
  frame.style.transform = `translate(${left - (x / zoom) * ratio}px, ${top - (y / zoom) * ratio}px)`;
}

export interface CanvasMinimapProps {
  readonly nodes: CardNode[];
  readonly camera: Camera;
}

/** A click or a drag on it looks there; by keyboard the canvas itself goes from card to card. */
export function CanvasMinimap({ nodes, camera }: CanvasMinimapProps) {
  const store = useStoreApi();
  const frame = useRef<HTMLDivElement>(null);
  const scale = useMemo(() => scaleFor(nodes), [nodes]);
  useEffect(() => {
    const follow = (state: ReactFlowState): void => {
      if (frame.current !== null) moveFrame(frame.current, scale, state);
    };
    follow(store.getState());
    return store.subscribe(follow);
  }, [store, scale]);

  const look = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): void => {
    const { left, top } = currentTarget.getBoundingClientRect();
    camera.centerOn((clientX - left - scale.left) / scale.ratio, (clientY - top - scale.top) / scale.ratio);
  };
  return (
    <Panel
      position="bottom-right"
      className="canvas-minimap"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        look(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) look(event);
      }}
    >
      <svg role="img" aria-label="Overview map" width={mapWidth} height={mapHeight}>
        <g transform={`translate(${scale.left} ${scale.top}) scale(${scale.ratio})`}>
          {nodes.map(({ id, position: { x, y }, width = 0, height = 0, selected = false }) => (
            <MinimapCard key={id} {...{ id, x, y, width, height, selected }} />
          ))}
        </g>
      </svg>
      <div className="canvas-minimap-frame" ref={frame} />
    </Panel>
  );
}

interface MinimapCardProps {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly selected: boolean;
}

const MinimapCard = memo(function MinimapCard({ id, selected, ...place }: MinimapCardProps) {
  const path = use(CanvasPath);
  const status = useNodeState(path, id)?.status ?? 'idle';
  return <rect className="canvas-minimap-card" data-state={status} data-selected={selected} {...place} rx={12} />;
});
