import type { GroupDoc, NodePosition } from '../../engine/isomorphic.ts';
import type { PlacedFlow } from './canvas-elements.ts';
import { cardMetrics } from './card-metrics.ts';
import { boundsOf } from './edit/arrange.ts';
import type { Rect } from './edit/snap.ts';

/** Around the cards; the title needs more above them. */
const padding = { side: 20, top: 40, bottom: 20 } as const;
/** A folded group is as large as a card's header. */
export const foldedSize = { width: cardMetrics.width, height: cardMetrics.headerHeight } as const;

/** The frame around the cards of a group, where they are dragged to. Null when it has none. */
export function groupFrame(
  { projection, layout }: PlacedFlow,
  { nodes }: Pick<GroupDoc, 'nodes'>,
  dragged: ReadonlyMap<string, NodePosition> | null,
): Rect | null {
  const members = new Set(nodes);
  const { positions } = layout;
  const boxes = projection.nodes
    .filter(({ id }) => members.has(id))
    .map(({ id, height }) => ({
      ...(dragged?.get(id) ?? positions.get(id) ?? { x: 0, y: 0 }),
      width: cardMetrics.width,
      height,
    }));
  const bounds = boundsOf(boxes);
  if (bounds === null) return null;
  return {
    x: bounds.x - padding.side,
    y: bounds.y - padding.top,
    width: bounds.width + 2 * padding.side,
    height: bounds.height + padding.top + padding.bottom,
  };
}
