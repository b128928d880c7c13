import type { GroupDoc, NodePosition } from '../../../engine/isomorphic.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import type { Rect } from '../geometry/rect.ts';
import { boundsOf } from '../geometry/rect.ts';
import type { ProjectedNode } from './flow-projection.ts';
import type { PlacedFlow } from './loop-frames.ts';
import { outerRect } from './loop-frames.ts';

/** Around the cards; the title needs more above them. */
export const groupPadding = { side: 20, top: 40, bottom: 20 } as const;
/** A folded group is as large as a card's header. */
export const foldedSize = { width: cardMetrics.width, height: cardMetrics.headerHeight } as const;

/** The frame around the cards of a group, where they are dragged to. Null when it has none. */
export function groupFrame(
  { projection, layout }: PlacedFlow,
  { nodes }: Pick<GroupDoc, 'nodes'>,
  dragged: ReadonlyMap<string, NodePosition> | null,
): Rect | null {
  const members = withBodies(projection.nodes, nodes);
  const boxes = projection.nodes
    .filter(({ id }) => members.has(id))
    .map((node) => ({ ...outerRect(node, layout), ...dragged?.get(node.id) }));
  const bounds = boundsOf(boxes);
  if (bounds === null) return null;
  return {
    x: bounds.x - groupPadding.side,
    y: bounds.y - groupPadding.top,
    width: bounds.width + 2 * groupPadding.side,
    height: bounds.height + groupPadding.top + groupPadding.bottom,
  };
}

/** Nodes with all that stands in the bodies of loops among them. */
export function withBodies(nodes: readonly Pick<ProjectedNode, 'id' | 'loopId'>[], ids: Iterable<string>): Set<string> {
  const all = new Set(ids);
  // A loop may stand behind its body in the file, and bodies hold loops.
  let before: number;
  do {
    before = all.size;
    for (const { id, loopId } of nodes) if (loopId !== null && all.has(loopId)) all.add(id);
  } while (all.size > before);
  return all;
}
