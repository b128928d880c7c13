/**
 * The layout of a flow with loops: each body is laid out by itself and stands below its loop, and the two are placed
 * together as if they were one large card.
 */
import { cardMetrics } from '../card-metrics.ts';
import { groupBy } from '../group-by.ts';
import { type FlowLayout, type LevelShape, layoutLevel, wideShape } from './auto-layout.ts';
import type { Bend } from './edge-routes.ts';
import type { LayoutEdge, LayoutNode } from './layout-graph.ts';

/** A card, and the loop in whose body it stands. */
export interface NestedCard extends LayoutNode {
  /** Null outside of loops. Loops never hold each other in a circle. */
  readonly loopId: string | null;
}

/** Around a loop with its body; its frame is drawn in there. */
export const framePadding = 12;
/** Between a loop's card and its body. */
const bodyGap = 24;

interface Sized extends FlowLayout {
  readonly width: number;
  readonly height: number;
}

/** Lays out a flow whose file gives no positions, loops included. Edges across the border of a body get no route. */
export function layoutNested(
  cards: readonly NestedCard[],
  edges: readonly LayoutEdge[],
  shape: LevelShape = wideShape,
): FlowLayout {
  const loopOf = new Map(cards.map(({ id, loopId }) => [id, loopId]));
  const edgesOf = groupBy(
    edges.filter(({ source, target }) => loopOf.get(source) === loopOf.get(target)),
    ({ source }) => loopOf.get(source),
  );
  const cardsOf = groupBy(cards, ({ loopId }) => loopId);
  const layoutBody = (loopId: string | null): Sized => {
    const own = cardsOf.get(loopId) ?? [];
    const bodies = new Map(own.flatMap(({ id }) => (cardsOf.has(id) ? [[id, layoutBody(id)] as const] : [])));
    const blocks = own.map((card) => withBody(card, bodies.get(card.id)));
    const level = layoutLevel(blocks, edgesOf.get(loopId) ?? [], shape);
    const positions = new Map(level.positions);
    const routes = new Map(level.routes);
    for (const { id, height } of own) {
      const body = bodies.get(id);
      const loop = level.positions.get(id);
      if (body === undefined || loop === undefined) continue;
      const offset = { x: loop.x, y: loop.y + height + bodyGap };
      for (const [inner, place] of body.positions) positions.set(inner, moved(place, offset));
      for (const [edge, bends] of body.routes) {
        routes.set(
          edge,
          bends.map((bend) => moved(bend, offset)),
        );
      }
    }
    return { positions, routes, ...extentOf(blocks, level) };
  };
  return layoutBody(null);
}

function withBody(card: NestedCard, body: Sized | undefined): LayoutNode & { readonly width: number } {
  const { width = cardMetrics.width } = card;
  if (body === undefined) return { ...card, width };
  return {
    ...card,
    width: Math.max(width, body.width) + framePadding,
    height: card.height + bodyGap + body.height + framePadding,
  };
}

function moved({ x, y }: Bend, offset: Bend): Bend {
  return { x: x + offset.x, y: y + offset.y };
}

function extentOf(blocks: readonly (LayoutNode & { readonly width: number })[], { positions }: FlowLayout) {
  let [right, bottom] = [0, 0];
  for (const { id, width, height } of blocks) {
    const { x, y } = positions.get(id) ?? { x: 0, y: 0 };
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { width: right, height: bottom };
}
