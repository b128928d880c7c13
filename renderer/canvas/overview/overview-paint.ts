/**
 * Paints a scene. From far away, each card is a block in the color of its category or state; from nearby, a card with
 * its name. It looks like the DOM cards at the same zoom, so that one can replace the other.
 */

import type { CardContent } from '../../card/card-content.ts';
import { drawFarCard, type FarCard, type FarLevel, farLevel } from '../../card/card-far.ts';
import type { CardDrawing } from '../../card/card-marks.ts';
import { type ZoomLevel, zoomLevel } from '../../card/card-metrics.ts';
import { fontOf, type PaintTokens } from '../../card/card-tokens.ts';
import type { MeasureText } from '../../card/text-wrap.ts';
import type { EdgeState } from '../edges/edge-state.ts';
import { areasMeet } from '../geometry/rect.ts';
import { areaOf, type OverviewScene, type SceneCamera, type SceneCard, type SceneEdge } from './overview-scene.ts';
import { paintMarks } from './paint-marks.ts';
import type { OverviewStates } from './paint-state.ts';

interface Picture {
  readonly scene: OverviewScene;
  readonly camera: SceneCamera;
  /** Device pixels per CSS pixel. */
  readonly pixelRatio: number;
  readonly states: OverviewStates;
  readonly tokens: PaintTokens;
  /** Returns whether a card is already in the DOM and must not be painted. */
  readonly isCardOnPage: (id: string) => boolean;
  readonly isEdgeOnPage: (id: string) => boolean;
}

/** Width of edges, equal to the styles in flow-edge.css. */
const edgeWidths: Readonly<Record<ZoomLevel, number>> = { near: 1.5, middle: 2.25, far: 3.5, farthest: 9 };

const leastEdgePixels = 0.6;
/** Dash pattern of a failure edge without a state from a run (flow-edge.css). */
const failureDash = [8, 4];
const bendRadius = 8;

type Context = CanvasRenderingContext2D;

/** The visible part of a scene. */
interface Visible {
  readonly cards: readonly SceneCard[];
  readonly edges: readonly SceneEdge[];
}

/** Paints everything that the camera shows. Returns false if there was nothing to paint and the canvas is unchanged. */
export function paintScene(context: Context, picture: Picture): boolean {
  const { camera, scene, isCardOnPage, isEdgeOnPage } = picture;
  const view = areaOf(camera);
  const cards = scene.cards.filter((card) => areasMeet(card, view) && !isCardOnPage(card.id));
  const edges = scene.edges.filter((edge) => areasMeet(edge, view) && !isEdgeOnPage(edge.id));
  if (cards.length === 0 && edges.length === 0) return false;
  clearPicture(context, picture);
  paintVisible(context, picture, { cards, edges });
  return true;
}

function clearPicture(context: Context, { camera, pixelRatio }: Pick<Picture, 'camera' | 'pixelRatio'>): void {
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.clearRect(0, 0, camera.width, camera.height);
}

function paintVisible(context: Context, picture: Picture, { cards, edges }: Visible): void {
  const { camera, pixelRatio } = picture;
  const { x, y, zoom } = camera;
  context.setTransform(zoom * pixelRatio, 0, 0, zoom * pixelRatio, x * pixelRatio, y * pixelRatio);
  paintEdges(context, picture, edges);
  paintCards(context, picture, cards);
}

function paintEdges(context: Context, { camera, states, tokens, scene }: Picture, edges: readonly SceneEdge[]): void {
  const { zoom } = camera;
  const level = zoomLevel(zoom);
  const byState: Record<EdgeState, SceneEdge[]> = { idle: [], 'not-taken': [], taken: [], tolerated: [], live: [] };
  for (const edge of edges) byState[states.ofEdge(edge)].push(edge);
  const colors: Record<EdgeState, string> = {
    idle: tokens.edge,
    'not-taken': tokens.edge,
    taken: tokens.edgeTaken,
    tolerated: tokens.states.tolerated,
    live: tokens.edgeLive,
  };
  for (const state of ['not-taken', 'idle', 'taken', 'tolerated', 'live'] as const) {
    const some = byState[state];
    if (some.length === 0) continue;
    context.globalAlpha = state === 'not-taken' ? 0.4 : 1;
    context.strokeStyle = colors[state];
    context.fillStyle = colors[state];
    context.lineWidth = Math.max(edgeWidths[level], leastEdgePixels / zoom);
    const failures = state === 'idle' ? some.filter(({ isFailure }) => isFailure) : [];
    const others = failures.length === 0 ? some : some.filter(({ isFailure }) => !isFailure);
    strokeEdges(context, others, { level, direction: scene.direction });
    if (failures.length === 0) continue;
    context.setLineDash(failureDash);
    strokeEdges(context, failures, { level, direction: scene.direction });
    context.setLineDash([]);
  }
  context.globalAlpha = 1;
}

function strokeEdges(
  context: Context,
  edges: readonly SceneEdge[],
  { level, direction }: { readonly level: ZoomLevel; readonly direction: OverviewScene['direction'] },
): void {
  const isFarthest = level === 'farthest';
  context.beginPath();
  for (const edge of edges) {
    traceLine(context, edge, isFarthest ? 0 : bendRadius);
    if (isFarthest) traceRest(context, edge.corners.at(-1), direction);
  }
  context.stroke();
  if (isFarthest) return;
  context.beginPath();
  for (const { corners } of edges) traceHead(context, corners.at(-1), direction);
  context.fill();
}

function traceLine(context: Context, { corners }: SceneEdge, radius: number): void {
  corners.forEach(({ x, y }, index) => {
    const next = corners[index + 1];
    if (index === 0) context.moveTo(x, y);
    else if (radius === 0 || next === undefined) context.lineTo(x, y);
    else context.arcTo(x, y, next.x, next.y, radius);
  });
}

/** Lines without arrowheads are extended to their cards. */
function traceRest(
  context: Context,
  end: SceneEdge['corners'][number] | undefined,
  direction: OverviewScene['direction'],
): void {
  if (end === undefined) return;
  const isDown = direction === 'down';
  context.lineTo(isDown ? end.x : end.x + headAndPort, isDown ? end.y + headAndPort : end.y);
}

/** Length in pixels of the arrowhead and the port before a card. */
const headAndPort = 12;
const head = { length: 7, halfWidth: 4 } as const;

function traceHead(
  context: Context,
  end: SceneEdge['corners'][number] | undefined,
  direction: OverviewScene['direction'],
): void {
  if (end === undefined) return;
  const { x, y } = end;
  const isDown = direction === 'down';
  context.moveTo(isDown ? x - head.halfWidth : x, isDown ? y : y - head.halfWidth);
  context.lineTo(isDown ? x : x + head.length, isDown ? y + head.length : y);
  context.lineTo(isDown ? x + head.halfWidth : x, isDown ? y : y + head.halfWidth);
}

/** Drawings of painted cards. A drawing is reused until the card or the zoom level changes. */
const drawings = new WeakMap<
  CardContent,
  { readonly card: FarCard; readonly level: FarLevel; readonly drawing: CardDrawing }
>();

function drawingOf(card: FarCard, level: FarLevel, measure: MeasureText): CardDrawing {
  const known = drawings.get(card.content);
  const isSame =
    known?.level === level &&
    known.card.state === card.state &&
    known.card.isSelected === card.isSelected &&
    known.card.width === card.width &&
    known.card.height === card.height;
  if (isSame) return known.drawing;
  const drawing = drawFarCard(card, level, measure);
  drawings.set(card.content, { card, level, drawing });
  return drawing;
}

function paintCards(context: Context, { camera, states, tokens }: Picture, cards: readonly SceneCard[]): void {
  const { zoom } = camera;
  const level = farLevel(zoom, zoomLevel(zoom));
  const measure: MeasureText = (text, letters) => {
    context.font = fontOf(letters, tokens);
    return context.measureText(text).width;
  };
  for (const { content, left, top, right, bottom, isSelected } of cards) {
    const card = { content, state: states.ofCard(content), width: right - left, height: bottom - top, isSelected };
    paintMarks(context, drawingOf(card, level, measure), { tokens, left, top, zoom });
  }
}
