/**
 * A short chain in the body of a loop: below each other, so that the container is no wider than a card needs.
 */
import { cardMetrics } from '../../card/card-metrics.ts';
import type { FlowLayout } from './auto-layout.ts';
import type { Bend } from './edge-routes.ts';
import { type LayoutEdge, type LayoutNode, portOf } from './layout-graph.ts';

const mostCards = 3;
/** Between two cards; the edge runs back between them. */
const gap = 34;
/** How far above the lower card it does. */
const laneAbove = 14;
/** How far beside the cards it turns: within the padding of the container. */
const laneBeside = 12;

/** Null for what is no chain, or has words on an edge, for which there is no room. */
export function stackChain(cards: readonly LayoutNode[], edges: readonly LayoutEdge[]): FlowLayout | null {
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
