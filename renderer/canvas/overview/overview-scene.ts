/**
 * The cards and edges of a flow as plain geometry, used to paint the overview and for hit testing.
 */

import { type ReactFlowState, useStoreApi } from '@xyflow/react';
import { useEffect, useEffectEvent } from 'react';
import type { CardContent } from '../../card/card-content.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import type { CardNode } from '../../card/node-card.tsx';
import { failureBranch } from '../../stores/flow/branches.ts';
import { edgeCorners } from '../geometry/edge-path.ts';
import { type Area, areaAround, areasMeet, type Point } from '../geometry/rect.ts';
import type { CanvasElements, RoutedEdge } from '../state/canvas-elements.ts';

export interface SceneCard extends Area {
  readonly id: string;
  readonly content: CardContent;
  readonly isSelected: boolean;
}

export interface SceneEdge extends Area {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** Whether the edge belongs to a failure branch. */
  readonly isFailure: boolean;
  readonly corners: readonly Point[];
}

export interface OverviewScene {
  readonly cards: readonly SceneCard[];
  readonly edges: readonly SceneEdge[];
  readonly direction: FlowDirection;
}

/** Cache of scene edges. An unchanged edge keeps its object, so its line can be reused. */
const sceneEdges = new WeakMap<RoutedEdge, SceneEdge>();

/** Returns the scene for the contents of the canvas. */
export function makeScene({ nodes, edges, projection }: CanvasElements): OverviewScene {
  const { direction } = projection;
  return { cards: sceneCards(nodes), edges: edgesOf(edges, direction), direction };
}

/** Cache of scene cards. An unchanged card keeps its object. */
const knownCards = new WeakMap<CardNode, SceneCard>();

/** Returns only the cards of the scene. */
export function sceneCards(nodes: readonly CardNode[]): SceneCard[] {
  return nodes.map((node) => {
    const known = knownCards.get(node);
    if (known !== undefined) return known;
    const made = sceneCard(node);
    knownCards.set(node, made);
    return made;
  });
}

function sceneCard({
  id,
  position: { x, y },
  width = cardMetrics.width,
  height = 0,
  selected = false,
  data,
}: CardNode): SceneCard {
  return { id, content: data.content, isSelected: selected, left: x, top: y, right: x + width, bottom: y + height };
}

/** Returns `former` if the map would look the same with both. Painting the map of a large flow takes several milliseconds. */
export function mapCards(cards: readonly SceneCard[], former: readonly SceneCard[]): readonly SceneCard[] {
  const isSame = cards.length === former.length && cards.every((card, index) => isSameOnMap(card, former[index]));
  return isSame ? former : cards;
}

/** The map shows positions and states of cards, but no text. */
function isSameOnMap(card: SceneCard, before: SceneCard | undefined): boolean {
  if (card === before) return true;
  const [one, other] = [card.content, before?.content];
  return (
    card.id === before?.id &&
    card.isSelected === before.isSelected &&
    card.left === before.left &&
    card.top === before.top &&
    card.right === before.right &&
    card.bottom === before.bottom &&
    one.isDisabled === other?.isDisabled &&
    one.isTolerated === other.isTolerated &&
    (one.error === null) === (other.error === null) &&
    (one.bodySize === null) === (other.bodySize === null)
  );
}

/** Cache of edge lists. Typing does not change the list of edges, so its scene can be reused. */
const knownEdges = new WeakMap<readonly RoutedEdge[], readonly SceneEdge[]>();

function edgesOf(edges: readonly RoutedEdge[], direction: FlowDirection): readonly SceneEdge[] {
  const known = knownEdges.get(edges);
  if (known !== undefined) return known;
  const made = edges.flatMap((edge) => sceneEdge(edge, direction) ?? []);
  knownEdges.set(edges, made);
  return made;
}

function sceneEdge(edge: RoutedEdge, direction: FlowDirection): SceneEdge | undefined {
  const known = sceneEdges.get(edge);
  if (known !== undefined || edge.data === undefined) return known;
  const { route, routedEnds: ends } = edge.data;
  const corners = edgeCorners({ ends, route, direction });
  const { id, source, target } = edge;
  const isFailure = edge.sourceHandle === failureBranch;
  const made = { id, source, target, isFailure, corners, ...areaAround(corners) };
  sceneEdges.set(edge, made);
  return made;
}

/** Returns the cards that overlap an area. */
export function cardsIn({ cards }: Pick<OverviewScene, 'cards'>, area: Area): SceneCard[] {
  return cards.filter((card) => areasMeet(card, area));
}

/** Returns the card nearest to a point within `reach`, or null. */
export function cardAt({ cards }: Pick<OverviewScene, 'cards'>, { x, y }: Point, reach: number): SceneCard | null {
  let nearest: SceneCard | null = null;
  let least = reach;
  for (const card of cards) {
    const distance = Math.max(card.left - x, x - card.right, card.top - y, y - card.bottom, 0);
    if (distance > least || (distance === least && nearest !== null)) continue;
    nearest = card;
    least = distance;
  }
  return nearest;
}

/** Converts positions in the flow to the screen: multiply by `zoom`, then translate by `x` and `y`. */
export interface SceneCamera extends Point {
  readonly zoom: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the area of the flow that a camera shows. */
export function areaOf({ x, y, zoom, width, height }: SceneCamera): Area {
  return { left: -x / zoom, top: -y / zoom, right: (width - x) / zoom, bottom: (height - y) / zoom };
}

/** Returns the camera from React Flow's state. */
export function cameraOf({ transform: [x, y, zoom], width, height }: ReactFlowState): SceneCamera {
  return { x, y, zoom, width, height };
}

/** Calls `onEnd` when a selection box is completed, with its area in the flow and whether it extends the selection. */
export function useBoxEnd(onEnd: (area: Area, isMore: boolean) => void): void {
  const store = useStoreApi();
  const end = useEffectEvent(onEnd);
  useEffect(
    () =>
      store.subscribe(({ userSelectionRect, transform, multiSelectionActive }, before) => {
        const box = before.userSelectionRect;
        if (userSelectionRect !== null || box === null || !before.userSelectionActive) return;
        const [x, y, zoom] = transform;
        const [left, top] = [(box.x - x) / zoom, (box.y - y) / zoom];
        end({ left, top, right: left + box.width / zoom, bottom: top + box.height / zoom }, multiSelectionActive);
      }),
    [store],
  );
}
