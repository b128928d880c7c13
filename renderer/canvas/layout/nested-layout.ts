/**
 * Lays out a flow with loops: each body is laid out separately within the container of its loop, and the container is
 * placed like one large card.
 */

import { cardMetrics } from '../../card/card-metrics.ts';
import type { FlowDirection } from '../../card/card-ports.ts';
import type { Bend } from '../geometry/edge-path.ts';
import { containerPadding, emptyContainer, type FlowLayout } from '../projection/frames.ts';
import { groupBy } from '../projection/plain-data.ts';
import { type LevelShape, wideShape } from './auto-layout.ts';
import { type GroupedCard, layoutGrouped } from './group-layout.ts';
import { type LayoutEdge, type LayoutNode, portOf } from './layout-graph.ts';

/** A card, and the loop that contains it. */
export interface NestedCard extends GroupedCard {
  /** Null outside loops. Loops never contain each other in a cycle. */
  readonly loopId: string | null;
}

/** A screen has less vertical room, and the height of rows is less than the width of columns. */
const highShape: LevelShape = { mostInLine: 8, aspect: 1 / wideShape.aspect };

/**
 * Maximum length of a line in a body. A body keeps the direction of its flow, because several lines below each other
 * look like branches. Only a very long body is broken.
 */
const mostInBodyLine = 24;

/** Padding of a container around its body: before and after it along the flow, and on both sides of it. */
interface Walls {
  readonly before: number;
  readonly after: number;
  readonly above: number;
  readonly below: number;
}

const headerWall = containerPadding + cardMetrics.headerHeight;
/** The header is above the body, which is before it in a top-down flow. */
const wallsOf: Readonly<Record<FlowDirection, Walls>> = {
  right: { before: containerPadding, after: containerPadding, above: headerWall, below: containerPadding },
  down: { before: headerWall, after: containerPadding, above: containerPadding, below: containerPadding },
};

interface Sized extends FlowLayout {
  readonly width: number;
  readonly height: number;
}

/**
 * Lays out a flow without positions in its file, including loops. Edges across the border of a body get no route. The
 * layout is always left to right; for `down` the caller exchanges the axes before and after.
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

/** Adds the contents of the containers to a level. */
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

type LayoutBlock = GroupedCard & { readonly width: number };

/** Returns a loop with the size and the ports of its container. */
function container(card: NestedCard, body: Sized | undefined, direction: FlowDirection): LayoutBlock {
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

function extentOf(blocks: readonly LayoutBlock[], { positions }: FlowLayout) {
  let [right, bottom] = [0, 0];
  for (const { id, width, height } of blocks) {
    const { x, y } = positions.get(id) ?? { x: 0, y: 0 };
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { width: right, height: bottom };
}

/** Bodies with at most this many cards are stacked, so that the container is only as wide as a card. */
const mostCards = 3;
/** Gap between two cards; the edge runs back in between. */
const gap = 34;
/** Distance of that edge from the lower card. */
const laneAbove = 14;
/** Distance from the cards at which it turns, within the padding of the container. */
const laneBeside = 12;

/** Returns null if the cards are not a chain, or if an edge has a label, which would not fit. */
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
  /** The edge to the next card. */
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
  /** Distance of its ports from its top, or from its left side in a top-down flow. */
  readonly port: number;
}

/**
 * Lays out a flow. Input and output are plain data, so that it can run in a worker. A top-down flow is laid out like a
 * left-to-right flow with the axes exchanged.
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
