/**
 * Folded groups: their cards are hidden, and edges across the border end at the frame.
 */
import { memo, useMemo } from 'react';
import type { GroupDoc } from '../../../engine/isomorphic.ts';
import { cardPorts } from '../../card/card-ports.ts';
import { CardPorts } from '../../card/card-ports-view.tsx';
import { type FlowWithLayout, foldedSize, groupFrame, withBodies } from '../projection/frames.ts';

import { type CanvasNode, type FoldNode, groupKey, type RoutedEdge } from '../state/canvas-elements.ts';

import { useInteraction } from '../state/interaction.ts';

export const FoldCard = memo(function FoldCard() {
  return (
    <div className="fold-card">
      <CardPorts />
    </div>
  );
});

interface Foldable {
  readonly placed: FlowWithLayout;
  readonly groups: Readonly<Record<string, GroupDoc>>;
  readonly nodes: CanvasNode[];
  readonly edges: RoutedEdge[];
}

/** Returns the nodes and edges to draw while some groups are folded. */
export function useFolded({ placed, groups, nodes, edges }: Foldable): Pick<Foldable, 'nodes' | 'edges'> {
  const collapsed = useInteraction((interaction) => interaction.collapsed);
  return useMemo(() => {
    const folds = [...collapsed].filter((id) => groups[id] !== undefined);
    if (folds.length === 0) return { nodes, edges };
    const foldOf = new Map(
      folds.flatMap((id) =>
        [...withBodies(placed.projection.nodes, groups[id]?.nodes ?? [])].map((node) => [node, groupKey(id)]),
      ),
    );
    return {
      nodes: [
        ...nodes.filter(({ id }) => !foldOf.has(id)),
        ...folds.flatMap((id) => foldNode(placed, id, groups[id]) ?? []),
      ],
      edges: foldEdges(edges, foldOf),
    };
  }, [collapsed, groups, nodes, edges, placed]);
}

function foldNode(placed: FlowWithLayout, id: string, group: GroupDoc | undefined): FoldNode | undefined {
  const frame = group === undefined ? null : groupFrame(placed, group, null);
  if (frame === null) return undefined;
  const { source, target } = cardPorts(placed.projection.direction, foldedSize);
  return {
    id: groupKey(id),
    type: 'fold',
    position: { x: frame.x, y: frame.y },
    ...foldedSize,
    measured: foldedSize,
    handles: [source, target],
    draggable: false,
    selectable: false,
    data: {},
    domAttributes: { 'aria-roledescription': undefined },
  };
}

/** Edges inside a folded group are removed. Several edges across its border to the same card are merged. */
function foldEdges(edges: readonly RoutedEdge[], foldOf: ReadonlyMap<string, string>): RoutedEdge[] {
  const drawn = new Map<string, RoutedEdge>();
  for (const edge of edges) {
    const source = foldOf.get(edge.source) ?? edge.source;
    const target = foldOf.get(edge.target) ?? edge.target;
    const isInside = source === target;
    const isFolded = source !== edge.source || target !== edge.target;
    const key = isFolded ? `${source}->${target}` : edge.id;
    if (!isInside && !drawn.has(key)) drawn.set(key, isFolded ? { ...edge, source, target, sourceHandle: null } : edge);
  }
  return [...drawn.values()];
}
