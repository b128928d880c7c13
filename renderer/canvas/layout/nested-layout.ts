/**
 * The layout of a flow with loops: each body is laid out by itself and stands in the container of its loop, which is
 * placed as if it were one large card.
 */

import { cardMetrics } from '../../card/card-metrics.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import type { Bend } from '../geometry/edge-path.ts';
import { containerPadding, emptyContainer, type FlowLayout } from '../projection/frames.ts';
import { groupBy } from '../projection/plain-data.ts';
import { type LevelShape, wideShape } from './auto-layout.ts';
import { type GroupedCard, layoutGrouped } from './group-layout.ts';
import { type LayoutEdge, type LayoutNode, portOf } from './layout-graph.ts';

/** A card, and the loop in whose body it stands. */
export interface NestedCard extends GroupedCard {
  /** Null outside of loops. Loops never hold each other in a circle. */
  readonly loopId: string | null;
}

/** Down the screen there is less room, and rows are lower than columns are wide. */
const highShape: LevelShape = { mostInLine: 8, aspect: 1 / wideShape.aspect };

/** A body keeps the way that its flow runs: lines of it below each other are read as branches. Only a very long one is broken. */
const mostInBodyLine = 24;

/** What a container takes around its body: along the flow before and after it, and on both sides of it. */
interface Walls {
  readonly before: number;
  readonly after: number;
  readonly above: number;
  readonly below: number;
}

const headerWall = containerPadding + cardMetrics.headerHeight;
/** The header is above the body, which in a flow that runs down is before it. */
const wallsOf: Readonly<Record<FlowDirection, Walls>> = {
  right: { before: containerPadding, after: containerPadding, above: headerWall, below: containerPadding },
  down: { before: headerWall, after: containerPadding, above: containerPadding, below: containerPadding },
};

interface Sized extends FlowLayout {
  readonly width: number;
  readonly height: number;
}

/**
 * Lays out a flow whose file gives no positions, loops included. Edges across the border of a body get no route. All is
 * laid out to the right; for `down` the caller exchanges the axes before and after.
 */
export function layoutNested(
  cards: readonly NestedCard[],
  edges: readonly LayoutEdge[],
  direction: FlowDirection = 'right',
): FlowLayout {
  const loopOf = new Map(cards.map(({ id, loopId }) => [id, loopId]));
  const edgesOf = groupBy(
    edges.filter(({ source, target }) => loopOf.get(source) === loopOf.get(target)),
    ({ source }) => loopOf.get(source),
  );
  const cardsOf = groupBy(cards, ({ loopId }) => loopId);
  const walls = wallsOf[direction];
  const layoutBody = (loopId: string | null): Sized => {
    const own = cardsOf.get(loopId) ?? [];
    const bodies = new Map(own.flatMap(({ id }) => (cardsOf.has(id) ? [[id, layoutBody(id)] as const] : [])));
    const blocks = own.map((card) => container(card, bodies.get(card.id), direction));
    const ownEdges = edgesOf.get(loopId) ?? [];
    const isPlain = bodies.size === 0 && blocks.every(({ groupId }) => groupId === undefined);
    const isShortChain = loopId !== null && direction === 'right' && isPlain;
    const shape = direction === 'right' ? wideShape : highShape;
    const mostInLine = loopId === null ? shape.mostInLine : mostInBodyLine;
    const level =
      (isShortChain ? stackChain(blocks, ownEdges) : null) ??
      layoutGrouped(blocks, ownEdges, { shape: { ...shape, mostInLine }, direction });
    return { ...withBodies(level, bodies, walls), ...extentOf(blocks, level) };
  };
  return layoutBody(null);
}

/** The level with what stands in its containers. */
function withBodies(level: FlowLayout, bodies: ReadonlyMap<string, FlowLayout>, walls: Walls): FlowLayout {
  const positions = new Map(level.positions);
  const routes = new Map(level.routes);
  for (const [id, body] of bodies) {
    const { x = 0, y = 0 } = level.positions.get(id) ?? {};
    const offset = { x: x + walls.before, y: y + walls.above };
    for (const [inner, place] of body.positions) positions.set(inner, moved(place, offset));
    for (const [edge, bends] of body.routes) {
      routes.set(
        edge,
        bends.map((bend) => moved(bend, offset)),
      );
    }
  }
  return { positions, routes };
}

type Block = GroupedCard & { readonly width: number };

/** A loop as large as its container, with its ports there. */
function container(card: NestedCard, body: Sized | undefined, direction: FlowDirection): Block {
  const { width = cardMetrics.width } = card;
  if (body === undefined) return { ...card, width };
  const { before, after, above, below } = wallsOf[direction];
  const [across, along] = [above + body.height + below, before + body.width + after];
  if (direction === 'right') return { ...card, width: Math.max(emptyContainer.width, along), height: across };
  const height = Math.max(emptyContainer.width, across);
  return { ...card, width: along, height, port: height / 2 };
}

function moved({ x, y }: Bend, offset: Bend): Bend {
  return { x: x + offset.x, y: y + offset.y };
}

function extentOf(blocks: readonly Block[], { positions }: FlowLayout) {
  let [right, bottom] = [0, 0];
  for (const { id, width, height } of blocks) {
    const { x, y } = positions.get(id) ?? { x: 0, y: 0 };
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { width: right, height: bottom };
}

/** A short chain in the body of a loop stands below each other, so that the container is no wider than a card needs. */
const mostCards = 3;
/** Between two cards; the edge runs back between them. */
const gap = 34;
/** How far above the lower card it does. */
const laneAbove = 14;
/** How far beside the cards it turns: within the padding of the container. */
const laneBeside = 12;

/** Null for what is no chain, or has words on an edge, for which there is no room. */
function stackChain(cards: readonly LayoutNode[], edges: readonly LayoutEdge[]): FlowLayout | null {
  const chain = cards.length > mostCards ? null : orderOf(cards, edges);
  if (chain === null) return null;
  const positions = new Map<string, Bend>();
  const routes = new Map<string, readonly Bend[]>();
  let y = 0;
  for (const [index, { card, edge }] of chain.entries()) {
    if (index > 0) y += gap;
    positions.set(card.id, { x: 0, y });
    if (edge !== null) {
      const right = (card.width ?? cardMetrics.width) + laneBeside;
      const next = chain[index + 1]?.card ?? card;
      const below = y + card.height + gap;
      routes.set(edge.id, [
        { x: right, y: below - laneAbove },
        { x: -laneBeside, y: below + portOf(next) },
      ]);
    }
    y += card.height;
  }
  return { positions, routes };
}

interface ChainLink {
  readonly card: LayoutNode;
  /** To the next one. */
  readonly edge: LayoutEdge | null;
}

function orderOf(cards: readonly LayoutNode[], edges: readonly LayoutEdge[]): readonly ChainLink[] | null {
  if (cards.length < 2 || edges.length !== cards.length - 1) return null;
  if (edges.some(({ labelWidth = 0 }) => labelWidth > 0)) return null;
  const behind = new Map(edges.map((edge) => [edge.source, edge]));
  const reached = new Set(edges.map(({ target }) => target));
  if (behind.size !== edges.length || reached.size !== edges.length) return null;
  const byId = new Map(cards.map((card) => [card.id, card]));
  const chain: ChainLink[] = [];
  let card = cards.find(({ id }) => !reached.has(id));
  while (card !== undefined) {
    const edge: LayoutEdge | null = behind.get(card.id) ?? null;
    chain.push({ card, edge });
    card = edge === null ? undefined : byId.get(edge.target);
  }
  return chain.length === cards.length ? chain : null;
}

export interface LayoutInput {
  readonly direction: FlowDirection;
  readonly cards: readonly LayoutCard[];
  readonly edges: readonly LayoutEdge[];
}

interface LayoutCard extends NestedCard {
  readonly width: number;
  /** How far its ports are from its top or, in a flow that runs down, from its left side. */
  readonly port: number;
}

/**
 * Lays out a flow; plain data in and out, so that it can be asked of a worker. One that runs down is laid out like one that runs to the right, with the axes
 * exchanged.
 */
export function computeLayout({ direction, cards, edges }: LayoutInput): FlowLayout {
  if (direction === 'right') return layoutNested(cards, edges);
  const turned = cards.map((card) => ({ ...card, width: card.height, height: card.width }));
  const { positions, routes } = layoutNested(turned, edges, direction);
  return {
    positions: new Map([...positions].map(([id, place]) => [id, exchanged(place)])),
    routes: new Map([...routes].map(([id, bends]) => [id, bends.map(exchanged)])),
  };
}

function exchanged({ x, y }: { readonly x: number; readonly y: number }): { x: number; y: number } {
  return { x: y, y: x };
}
