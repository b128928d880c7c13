/**
 * The whole flow in small, with what a run does to it. The cards are painted once, and a pan moves only the frame over
 * them: the map that comes with React Flow paints all cards again for every frame.
 */
import { Panel, type ReactFlowState, useStoreApi } from '@xyflow/react';
import { type PointerEvent, type RefObject, use, useEffect, useMemo, useRef } from 'react';
import { useStores } from '../stores/stores-context.tsx';
import type { Camera } from './camera.ts';
import { CanvasPath } from './canvas-path.ts';
import type { CardNode } from './node-card.tsx';
import { fitSize, followLooks, type OverviewLooks, oncePerFrame } from './overview-looks.ts';
import { areaAround, type SceneCard, sceneCards } from './overview-scene.ts';
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

function scaleFor(cards: readonly SceneCard[]): MapScale {
  const around = areaAround(
    cards.flatMap(({ left: x, top: y, right, bottom }) => [
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
  readonly camera: Camera;
}

/** A click or a drag on it looks there; by keyboard the canvas itself goes from card to card. */
export function CanvasMinimap({ nodes, camera }: CanvasMinimapProps) {
  const frame = useRef<HTMLCanvasElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const cards = useMemo(() => sceneCards(nodes), [nodes]);
  const scale = useMemo(() => scaleFor(cards), [cards]);
  usePaintedMap({ map: canvas, frame, cards, scale });
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
  readonly scale: MapScale;
}

/** Paints the map anew when cards, their states or the theme change, and the frame on it when the canvas moves. */
function usePaintedMap({ map, frame, cards, scale }: MapParts): void {
  const store = useStoreApi();
  const stores = useStores();
  const path = use(CanvasPath);
  useEffect(() => {
    const [below, above] = [map.current, frame.current];
    if (below === null || above === null) return undefined;
    const framing = oncePerFrame(() => paintFrame(above, { scale, ...looks.current() }, store.getState()));
    const painting = oncePerFrame(() => {
      paintMap(below, { cards, scale, ...looks.current() });
      framing.ask();
    });
    const looks = followLooks({ canvas: below, stores, path }, painting.ask);
    painting.ask();
    const ends = [looks.stop, painting.stop, framing.stop, store.subscribe(framing.ask)];
    return () => {
      for (const end of ends) end();
    };
  }, [map, frame, cards, scale, store, stores, path]);
}

interface MapPicture extends OverviewLooks {
  readonly cards: readonly SceneCard[];
  readonly scale: MapScale;
}

/** Each card is at least a pixel, in the colour of its state. */
function paintMap(canvas: HTMLCanvasElement, { cards, scale, states, tokens }: MapPicture): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { ratio, left, top } = scale;
  fitSize(canvas, { width: mapWidth, height: mapHeight });
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, mapWidth, mapHeight);
  const fill = (card: SceneCard, color: string, around: number): void => {
    const width = Math.max(1, (card.right - card.left) * ratio);
    const height = Math.max(1, (card.bottom - card.top) * ratio);
    context.fillStyle = color;
    context.beginPath();
    const [x, y] = [card.left * ratio + left - around, card.top * ratio + top - around];
    context.roundRect(
      x,
      y,
      width + 2 * around,
      height + 2 * around,
      Math.min(cornerRadius * ratio, height / 2) + around,
    );
    context.fill();
  };
  for (const card of cards) if (card.isSelected) fill(card, tokens.text, selectedBorder);
  for (const card of cards) {
    const state = states.ofCard(card.content);
    fill(card, state === 'idle' || state === 'skipped' ? tokens.control : tokens.states[state], 0);
  }
}
