/**
 * Paints a scene: from far away each card is a block in the colour of its kind or its state, from nearer a card with its
 * name. It looks like the cards of the page at the same zoom, so that one can take the place of the other.
 */

import { cardMetrics, type ZoomLevel, zoomLevel } from '../../card/card-metrics.ts';
import type { VisualState } from '../../ui/state-icon.tsx';
import type { EdgeState } from '../edges/edge-state.ts';
import { areasMeet } from '../geometry/rect.ts';
import type { OverviewStates } from './overview-looks.ts';
import { areaOf, type Scene, type SceneCamera, type SceneCard, type SceneEdge } from './overview-scene.ts';
import { fitTitle } from '../../card/text-wrap.ts';
import type { PaintTokens } from '../../card/card-tokens.ts';

export interface Picture {
  readonly scene: Scene;
  readonly camera: SceneCamera;
  /** Pixels of the device for one of the page. */
  readonly pixelRatio: number;
  readonly states: OverviewStates;
  readonly tokens: PaintTokens;
  /** What is on the page already, and must not be painted as well. */
  readonly isCardOnPage: (id: string) => boolean;
  readonly isEdgeOnPage: (id: string) => boolean;
}

interface LevelMeasures {
  readonly edge: number;
  readonly border: number;
  readonly title: number;
  readonly titleLine: number;
  readonly tile: number;
  readonly padding: number;
  readonly gap: number;
  /** Of the state, to the right of the name. */
  readonly stateRoom: number;
}

/** The same as the styles of the cards give them (card-zoom.css, flow-edge.css). */
const measures: Readonly<Record<ZoomLevel, LevelMeasures>> = {
  near: { edge: 1.5, border: 1, title: 13, titleLine: 20, tile: 20, padding: 10, gap: 8, stateRoom: 60 },
  middle: { edge: 2.25, border: 2, title: 21, titleLine: 26, tile: 32, padding: 14, gap: 12, stateRoom: 36 },
  far: { edge: 3.5, border: 4, title: 26, titleLine: 30, tile: 40, padding: 14, gap: 12, stateRoom: 0 },
  farthest: { edge: 9, border: 0, title: 0, titleLine: 0, tile: 0, padding: 0, gap: 0, stateRoom: 0 },
};

/** Further away a ring around a card would be thinner than a pixel, so the whole card has the colour of its state. */
const ringsFrom = 0.12;
const leastEdgePixels = 0.6;
const cornerRadius = 12;
const bendRadius = 8;

type Context = CanvasRenderingContext2D;

/** What of a scene is to be painted. */
interface Visible {
  readonly cards: readonly SceneCard[];
  readonly edges: readonly SceneEdge[];
}

/** Paints all that the camera shows; false when there was nothing, and the canvas stays as it is. */
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
  const isFarthest = zoomLevel(zoom) === 'farthest';
  paintEdges(context, picture, edges);
  for (const card of cards) {
    if (isFarthest) paintBlock(context, picture, card);
    else paintCard(context, picture, card);
  }
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
    context.lineWidth = Math.max(measures[level].edge, leastEdgePixels / zoom);
    context.beginPath();
    for (const edge of some) traceLine(context, edge, level === 'farthest' ? 0 : bendRadius);
    context.stroke();
    if (level === 'farthest') continue;
    context.beginPath();
    for (const { corners } of some) traceHead(context, corners.at(-1), scene.direction);
    context.fill();
  }
  context.globalAlpha = 1;
}

function traceLine(context: Context, { corners }: SceneEdge, radius: number): void {
  corners.forEach(({ x, y }, index) => {
    const next = corners[index + 1];
    if (index === 0) context.moveTo(x, y);
    else if (radius === 0 || next === undefined) context.lineTo(x, y);
    else context.arcTo(x, y, next.x, next.y, radius);
  });
}

const head = { length: 7, halfWidth: 4 } as const;

function traceHead(
  context: Context,
  end: SceneEdge['corners'][number] | undefined,
  direction: Scene['direction'],
): void {
  if (end === undefined) return;
  const { x, y } = end;
  const isDown = direction === 'down';
  context.moveTo(isDown ? x - head.halfWidth : x, isDown ? y : y - head.halfWidth);
  context.lineTo(isDown ? x : x + head.length, isDown ? y + head.length : y);
  context.lineTo(isDown ? x + head.halfWidth : x, isDown ? y : y + head.halfWidth);
}

/** Nothing happens there. */
function isQuiet(state: VisualState): boolean {
  return state === 'idle' || state === 'skipped' || state === 'disabled';
}

function paintBlock(context: Context, { camera, states, tokens }: Picture, card: SceneCard): void {
  const { content, left, top, right, bottom, isSelected } = card;
  const state = states.ofCard(content);
  const isAtRest = isQuiet(state);
  const tile = tokens.tiles.get(content.category) ?? tokens.edge;
  const hasRing = !isAtRest && camera.zoom >= ringsFrom;
  const fill = (color: string, around: number): void => {
    context.fillStyle = color;
    context.fillRect(left - around, top - around, right - left + 2 * around, bottom - top + 2 * around);
  };
  if (isSelected) {
    const around = Math.max(26, 3 / camera.zoom);
    fill(tokens.text, around);
    fill(tokens.canvas, around - Math.max(10, 1.5 / camera.zoom));
  }
  if (hasRing) {
    fill(tokens.states[state], 14);
    fill(tokens.canvas, 6);
  }
  context.globalAlpha = state === 'skipped' || state === 'disabled' ? 0.35 : 1;
  fill(isAtRest || hasRing ? tile : tokens.states[state], 0);
  context.globalAlpha = 1;
}

function paintCard(context: Context, picture: Picture, card: SceneCard): void {
  const { camera, states, tokens } = picture;
  const { content, left, top, right, bottom } = card;
  const level = zoomLevel(camera.zoom);
  const { border } = measures[level];
  const state = states.ofCard(content);
  // Of a loop the container is an element of the page.
  if (content.bodySize !== null) {
    paintName(context, picture, card);
    if (state !== 'idle') paintDot(context, picture, card);
    return;
  }
  const radii = content.isStart ? [24, cornerRadius, cornerRadius, 24] : cornerRadius;
  if (card.isSelected) {
    context.fillStyle = tokens.select;
    context.beginPath();
    context.roundRect(left - 2 * border, top - 2 * border, right - left + 4 * border, bottom - top + 4 * border, radii);
    context.fill();
  }
  context.beginPath();
  if (state === 'suspended') traceGate(context, card, border / 2);
  else context.roundRect(left + border / 2, top + border / 2, right - left - border, bottom - top - border, radii);
  context.globalAlpha = state === 'skipped' || state === 'disabled' ? 0.6 : 1;
  context.fillStyle = tokens.card;
  context.fill();
  context.lineWidth = border;
  context.strokeStyle = isQuiet(state) ? tokens.line : tokens.states[state];
  context.stroke();
  paintName(context, picture, card);
  context.globalAlpha = 1;
  if (state !== 'idle') paintDot(context, picture, card);
}

/** What waits for a person has its corners cut. */
function traceGate(context: Context, { left, top, right, bottom }: SceneCard, inset: number): void {
  const { gateCut } = cardMetrics;
  const [west, north, east, south] = [left + inset, top + inset, right - inset, bottom - inset];
  context.moveTo(west + gateCut, north);
  context.lineTo(east - gateCut, north);
  context.lineTo(east, north + gateCut);
  context.lineTo(east, south - gateCut);
  context.lineTo(east - gateCut, south);
  context.lineTo(west + gateCut, south);
  context.lineTo(west, south - gateCut);
  context.lineTo(west, north + gateCut);
  context.closePath();
}

function paintName(
  context: Context,
  { camera, tokens }: Picture,
  { content, left, top, right, bottom }: SceneCard,
): void {
  const level = zoomLevel(camera.zoom);
  const { title, titleLine, tile, padding, gap, stateRoom } = measures[level];
  const middle = level === 'near' ? top + cardMetrics.headerHeight / 2 : (top + bottom) / 2;
  const start = left + padding + (content.isStart && level === 'near' ? 4 : 0);
  context.fillStyle = tokens.tiles.get(content.category) ?? tokens.edge;
  context.beginPath();
  context.roundRect(start, middle - tile / 2, tile, tile, level === 'near' ? 5 : 8);
  context.fill();
  context.font = `500 ${title}px ${tokens.font}`;
  context.textBaseline = 'middle';
  context.fillStyle = tokens.text;
  const room = right - left - 2 * padding - tile - gap - stateRoom;
  const lines = fitTitle(context, content.title, { size: title, room, most: level === 'near' ? 1 : 2 });
  lines.forEach((line, index) => {
    const y = middle + (index - (lines.length - 1) / 2) * titleLine;
    context.fillText(line, start + tile + gap, y);
  });
}

/** In place of the icon. */
function paintDot(context: Context, { camera, states, tokens }: Picture, card: SceneCard): void {
  const level = zoomLevel(camera.zoom);
  const isOnCorner = level === 'far';
  const radius = level === 'near' ? 6 : 11;
  const x = isOnCorner ? card.right - 4 : card.right - (level === 'near' ? 19 : 26);
  const y = isOnCorner ? card.top + 2 : level === 'near' ? card.top + 20 : (card.top + card.bottom) / 2;
  const circle = (color: string, size: number): void => {
    context.fillStyle = color;
    context.beginPath();
    context.arc(x, y, size, 0, 2 * Math.PI);
    context.fill();
  };
  if (isOnCorner) circle(tokens.canvas, radius + 6);
  circle(tokens.states[states.ofCard(card.content)], radius);
}
