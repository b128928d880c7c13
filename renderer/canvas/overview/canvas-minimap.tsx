/**
 * The minimap of a flow, with the states of a run. The cards are painted once, and a pan moves only the frame over
 * them. React Flow's own minimap paints all cards again for every frame.
 */
import { Panel, type ReactFlowState, useStoreApi } from '@xyflow/react';
import { type PointerEvent, type RefObject, use, useEffect, useMemo, useRef } from 'react';
import { FlowPath } from '../../card/card-context.ts';
import { cornerRadius } from '../../card/card-drawing.ts';
import { drawOnMap } from '../../card/card-far.ts';
import type { BoxMark, CardMark } from '../../card/card-marks.ts';
import { colorOf } from '../../card/card-tokens.ts';
import type { CardNode } from '../../card/node-card.tsx';
import { useStores } from '../../stores/stores-context.tsx';
import { type Area, areaAround, type Rect } from '../geometry/rect.ts';
import type { CanvasLayout } from '../projection/frames.ts';
import type { Camera } from '../state/camera.ts';
import { text } from '../text.ts';
import { mapCards, type SceneCard, sceneCards } from './overview-scene.ts';
import { fitSize, followPaintState, oncePerFrame, type PaintState } from './paint-state.ts';
import './canvas-minimap.css';

const mapWidth = 168;
const mapHeight = 108;
const margin = 8;
const frameRadius = 4;
const veilAlpha = 0.5;
/** Radius in pixels of the page. */
const leastRadius = 0.5;

/** Converts positions in the flow to positions on the map: multiply by `ratio`, then translate. */
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
 * Dims the area that the canvas does not show. This is painted, because a moving element with a shadow as the overlay
 * had to be clipped to the rounded corners of the map in each frame, which took longer than all cards.
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

interface CanvasMinimapProps {
  readonly nodes: readonly CardNode[];
  readonly frames: CanvasLayout['frames'];
  /** The boxes of triggers. */
  readonly triggers: ReadonlyMap<string, Rect>;
  readonly camera: Camera;
}

/** The minimap. A click or drag moves the view there. Keyboard users move from card to card on the canvas instead. */
export function CanvasMinimap({ nodes, frames, triggers, camera }: CanvasMinimapProps) {
  const frame = useRef<HTMLCanvasElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const former = useRef<readonly SceneCard[]>([]);
  const cards = useMemo(() => {
    former.current = mapCards(sceneCards(nodes), former.current);
    return former.current;
  }, [nodes]);
  const boxes = useMemo(() => [...triggers.values()].map(areaOf), [triggers]);
  const scale = useMemo(() => scaleFor([...cards, ...frames.values(), ...boxes]), [cards, frames, boxes]);
  usePaintedMap({ map: canvas, frame, cards, frames, boxes, scale });
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
      <canvas role="img" aria-label={text.minimap} width={mapWidth} height={mapHeight} ref={canvas} />
      <canvas className="canvas-minimap-frame" aria-hidden width={mapWidth} height={mapHeight} ref={frame} />
    </Panel>
  );
}

function areaOf({ x, y, width, height }: Rect): Area {
  return { left: x, top: y, right: x + width, bottom: y + height };
}

interface MapOptions {
  readonly map: RefObject<HTMLCanvasElement | null>;
  readonly frame: RefObject<HTMLCanvasElement | null>;
  readonly cards: readonly SceneCard[];
  readonly frames: CanvasLayout['frames'];
  /** Those of triggers. */
  readonly boxes: readonly Area[];
  readonly scale: MapScale;
}

/** Repaints the map when cards, their states or the theme change, and its frame when the canvas moves. */
function usePaintedMap({ map, frame, cards, frames, boxes, scale }: MapOptions): void {
  const store = useStoreApi();
  const stores = useStores();
  const path = use(FlowPath);
  useEffect(() => {
    const [below, above] = [map.current, frame.current];
    if (below === null || above === null) return undefined;
    const framing = oncePerFrame(() => paintFrame(above, { scale, ...painted.current() }, store.getState()));
    const painting = oncePerFrame(() => {
      paintMap(below, { cards, frames, boxes, scale, ...painted.current() });
      framing.ask();
    });
    const painted = followPaintState({ canvas: below, stores, path }, painting.ask);
    // Runs in the frame after the one that shows the change itself.
    const first = requestAnimationFrame(painting.ask);
    const ends = [
      () => cancelAnimationFrame(first),
      painted.stop,
      painting.stop,
      framing.stop,
      store.subscribe(framing.ask),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [map, frame, cards, frames, boxes, scale, store, stores, path]);
}

interface MapPicture extends PaintState {
  readonly cards: readonly SceneCard[];
  readonly frames: CanvasLayout['frames'];
  /** Those of triggers. */
  readonly boxes: readonly Area[];
  readonly scale: MapScale;
}

/** Rings first, so that they do not cover neighboring cards. */
function paintMap(canvas: HTMLCanvasElement, { cards, frames, boxes, scale, states, tokens }: MapPicture): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  fitSize(canvas, { width: mapWidth, height: mapHeight });
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, mapWidth, mapHeight);
  context.fillStyle = tokens.control;
  for (const { left, top, right, bottom } of boxes) {
    const box = { x: left, y: top, width: right - left, height: bottom - top, radius: cornerRadius };
    traceOnMap(context, box, scale, 0);
    context.fill();
  }
  const drawn = cards.map((card) => {
    const { left, top, right, bottom } = frames.get(card.id) ?? card;
    const { content, isSelected } = card;
    const state = states.ofCard(content);
    const drawing = drawOnMap({ content, state, width: right - left, height: bottom - top, isSelected });
    return { drawing, left, top };
  });
  for (const isRing of [true, false]) {
    for (const { drawing, left, top } of drawn) {
      for (const mark of drawing.marks) {
        if ((mark.kind === 'ring') !== isRing) continue;
        paintOnMap(context, mark, { left, top, scale, color: colorOf(mark.role, drawing, tokens) });
      }
    }
  }
}

interface MapPlace {
  readonly left: number;
  readonly top: number;
  readonly scale: MapScale;
  readonly color: string;
}

/** The map has its own scale: a card is at least one pixel large, and lines keep their full width. */
function paintOnMap(context: CanvasRenderingContext2D, mark: CardMark, { left, top, scale, color }: MapPlace): void {
  if (mark.kind === 'outline' && 'radius' in mark.shape) {
    context.strokeStyle = color;
    context.lineWidth = mark.line;
    traceOnMap(context, placedArea(mark.shape, left, top), scale, 0);
    context.stroke();
  } else if (mark.kind === 'box' || mark.kind === 'ring') {
    context.fillStyle = color;
    traceOnMap(context, placedArea(mark, left, top), scale, mark.kind === 'ring' ? mark.leastReach : 0);
    context.fill();
  }
}

type MinimapRectangle = Pick<BoxMark, 'x' | 'y' | 'width' | 'height' | 'radius'>;

function placedArea({ x, y, width, height, radius }: MinimapRectangle, left: number, top: number): MinimapRectangle {
  return { x: left + x, y: top + y, width, height, radius };
}

function traceOnMap(
  context: CanvasRenderingContext2D,
  area: MinimapRectangle,
  { ratio, left, top }: MapScale,
  around: number,
): void {
  const width = Math.max(1, area.width * ratio);
  const height = Math.max(1, area.height * ratio);
  const [x, y] = [area.x * ratio + left - around, area.y * ratio + top - around];
  const radius = Math.min(area.radius * ratio, height / 2) + around;
  context.beginPath();
  // Rounded corners too small to be visible would be most of the work for a large flow.
  if (radius < leastRadius) context.rect(x, y, width + 2 * around, height + 2 * around);
  else context.roundRect(x, y, width + 2 * around, height + 2 * around, radius);
}
