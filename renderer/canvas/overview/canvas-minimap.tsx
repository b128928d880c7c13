/**
 * The whole flow in small, with what a run does to it. The cards are painted once, and a pan moves only the frame over
 * them: the map that comes with React Flow paints all cards again for every frame.
 */
import { Panel, type ReactFlowState, useStoreApi } from '@xyflow/react';
import { type PointerEvent, type RefObject, use, useEffect, useMemo, useRef } from 'react';
import { FlowPath } from '../../card/card-context.ts';
import type { CardNode } from '../../card/node-card.tsx';
import { useStores } from '../../stores/stores-context.tsx';
import { type Area, areaAround } from '../geometry/rect.ts';
import type { CanvasLayout } from '../projection/loop-frames.ts';
import type { Camera } from '../state/camera.ts';
import { fitSize, followLooks, type OverviewLooks, oncePerFrame } from './overview-looks.ts';
import { type SceneCard, sceneCards } from './overview-scene.ts';
import './canvas-minimap.css';

const mapWidth = 168;
const mapHeight = 108;
const margin = 8;
/** Of a card, in pixels at 100 %. */
const cornerRadius = 12;
const selectedBorder = 1.5;
const frameRadius = 4;
const veilAlpha = 0.5;

/** From places in the flow to places on the map: times `ratio`, then moved. */
interface MapScale {
  readonly ratio: number;
  readonly left: number;
  readonly top: number;
}

function scaleFor(areas: readonly Area[]): MapScale {
  const around = areaAround(
    areas.flatMap(({ left: x, top: y, right, bottom }) => [
      { x, y },
      { x: right, y: bottom },
    ]),
  );
  const { left: x, top: y } = around;
  const [width, height] = [around.right - x, around.bottom - y];
  const ratio = Math.min((mapWidth - 2 * margin) / width, (mapHeight - 2 * margin) / height);
  return { ratio, left: (mapWidth - width * ratio) / 2 - x * ratio, top: (mapHeight - height * ratio) / 2 - y * ratio };
}

/**
 * A veil over what the canvas does not show. Painted: an element that moved, with its shadow as the veil, had to be cut to
 * the corners of the map in each frame, which took longer than all cards.
 */
function paintFrame(
  canvas: HTMLCanvasElement,
  { scale: { ratio, left, top }, tokens }: Pick<MapPicture, 'scale' | 'tokens'>,
  state: ReactFlowState,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const [x, y, zoom] = state.transform;
  const [width, height] = [(state.width / zoom) * ratio, (state.height / zoom) * ratio];
  fitSize(canvas, { width: mapWidth, height: mapHeight });
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, mapWidth, mapHeight);
  context.beginPath();
  context.roundRect(left - (x / zoom) * ratio, top - (y / zoom) * ratio, width, height, frameRadius);
  context.strokeStyle = tokens.control;
  context.lineWidth = 2;
  context.stroke();
  context.rect(0, 0, mapWidth, mapHeight);
  context.globalAlpha = veilAlpha;
  context.fillStyle = tokens.canvas;
  context.fill('evenodd');
  context.globalAlpha = 1;
}

export interface CanvasMinimapProps {
  readonly nodes: readonly CardNode[];
  readonly frames: CanvasLayout['frames'];
  readonly camera: Camera;
}

/** A click or a drag on it looks there; by keyboard the canvas itself goes from card to card. */
export function CanvasMinimap({ nodes, frames, camera }: CanvasMinimapProps) {
  const frame = useRef<HTMLCanvasElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const cards = useMemo(() => sceneCards(nodes), [nodes]);
  const scale = useMemo(() => scaleFor([...cards, ...frames.values()]), [cards, frames]);
  usePaintedMap({ map: canvas, frame, cards, frames, scale });
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
      <canvas role="img" aria-label="Overview map" width={mapWidth} height={mapHeight} ref={canvas} />
      <canvas className="canvas-minimap-frame" aria-hidden width={mapWidth} height={mapHeight} ref={frame} />
    </Panel>
  );
}

interface MapParts {
  readonly map: RefObject<HTMLCanvasElement | null>;
  readonly frame: RefObject<HTMLCanvasElement | null>;
  readonly cards: readonly SceneCard[];
  readonly frames: CanvasLayout['frames'];
  readonly scale: MapScale;
}

/** Paints the map anew when cards, their states or the theme change, and the frame on it when the canvas moves. */
function usePaintedMap({ map, frame, cards, frames, scale }: MapParts): void {
  const store = useStoreApi();
  const stores = useStores();
  const path = use(FlowPath);
  useEffect(() => {
    const [below, above] = [map.current, frame.current];
    if (below === null || above === null) return undefined;
    const framing = oncePerFrame(() => paintFrame(above, { scale, ...looks.current() }, store.getState()));
    const painting = oncePerFrame(() => {
      paintMap(below, { cards, frames, scale, ...looks.current() });
      framing.ask();
    });
    const looks = followLooks({ canvas: below, stores, path }, painting.ask);
    painting.ask();
    const ends = [looks.stop, painting.stop, framing.stop, store.subscribe(framing.ask)];
    return () => {
      for (const end of ends) end();
    };
  }, [map, frame, cards, frames, scale, store, stores, path]);
}

interface MapPicture extends OverviewLooks {
  readonly cards: readonly SceneCard[];
  readonly frames: CanvasLayout['frames'];
  readonly scale: MapScale;
}

/** Each card is at least a pixel, in the colour of its state; a loop is the outline of its container. */
function paintMap(canvas: HTMLCanvasElement, { cards, frames, scale, states, tokens }: MapPicture): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  fitSize(canvas, { width: mapWidth, height: mapHeight });
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, mapWidth, mapHeight);
  const fill = (area: Area, color: string, around: number): void => {
    context.fillStyle = color;
    traceOnMap(context, { area, around, scale });
    context.fill();
  };
  for (const card of cards) if (card.isSelected && !frames.has(card.id)) fill(card, tokens.text, selectedBorder);
  for (const card of cards) {
    const state = states.ofCard(card.content);
    const color = state === 'idle' || state === 'skipped' ? tokens.control : tokens.states[state];
    const frame = frames.get(card.id);
    if (frame === undefined) fill(card, color, 0);
    else outline(context, { area: frame, around: 0, scale }, card.isSelected ? tokens.text : color);
  }
}

function outline(context: CanvasRenderingContext2D, traced: TracedArea, color: string): void {
  context.strokeStyle = color;
  context.lineWidth = selectedBorder;
  traceOnMap(context, traced);
  context.stroke();
}

interface TracedArea {
  readonly area: Area;
  readonly around: number;
  readonly scale: MapScale;
}

function traceOnMap(context: CanvasRenderingContext2D, { area, around, scale }: TracedArea): void {
  const { ratio, left, top } = scale;
  const width = Math.max(1, (area.right - area.left) * ratio);
  const height = Math.max(1, (area.bottom - area.top) * ratio);
  const [x, y] = [area.left * ratio + left - around, area.top * ratio + top - around];
  const radius = Math.min(cornerRadius * ratio, height / 2) + around;
  context.beginPath();
  context.roundRect(x, y, width + 2 * around, height + 2 * around, radius);
}
