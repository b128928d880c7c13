/**
 * The frame around each loop and the cards of its body.
 */
import type { NodePosition } from '../../engine/isomorphic.ts';
import { cardMetrics } from './card-metrics.ts';
import type { ProjectedNode } from './flow-projection.ts';
import { groupBy } from './group-by.ts';
import { framePadding } from './layout/nested-layout.ts';

export interface LoopFrame {
  readonly loopId: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The frames of a flow, those around others first, as they are drawn. */
export function loopFrames(
  nodes: readonly ProjectedNode[],
  positions: ReadonlyMap<string, NodePosition>,
): readonly LoopFrame[] {
  const bodies = groupBy(nodes, ({ loopId }) => loopId);
  const frames: LoopFrame[] = [];
  const boxOf = (node: ProjectedNode): Omit<LoopFrame, 'loopId'> => {
    const { x: left, y: top } = positions.get(node.id) ?? { x: 0, y: 0 };
    const own = { left, top, right: left + cardMetrics.width, bottom: top + node.room };
    const body = bodies.get(node.id);
    if (body === undefined) return own;
    const parts = [own, ...body.map(boxOf)];
    const frame = {
      left: Math.min(...parts.map((part) => part.left)) - framePadding,
      top: Math.min(...parts.map((part) => part.top)) - framePadding,
      right: Math.max(...parts.map((part) => part.right)) + framePadding,
      bottom: Math.max(...parts.map((part) => part.bottom)) + framePadding,
    };
    frames.push({ loopId: node.id, ...frame });
    return frame;
  };
  for (const node of bodies.get(null) ?? []) boxOf(node);
  return frames.toReversed();
}
