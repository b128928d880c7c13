/**
 * A whole flow → its layout, in either direction. Plain data in and out, so that it can be asked of a worker.
 */
import type { FlowDirection } from '../../card/flow-direction.ts';
import type { FlowLayout } from './auto-layout.ts';
import type { LayoutEdge } from './layout-graph.ts';
import { layoutNested, type NestedCard } from './nested-layout.ts';

export interface LayoutInput {
  readonly direction: FlowDirection;
  readonly cards: readonly LayoutCard[];
  readonly edges: readonly LayoutEdge[];
}

export interface LayoutCard extends NestedCard {
  readonly width: number;
  /** How far its ports are from its top or, in a flow that runs down, from its left side. */
  readonly port: number;
}

/** Lays out a flow. One that runs down is laid out like one that runs to the right, with the axes exchanged. */
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
