/**
 * Projection, layout and selection → the arrays that React Flow draws.
 */
import { useMemo, useRef } from 'react';
import type { NodePosition } from '../../engine/isomorphic.ts';
import { nodeTypes } from '../stores/node-types.ts';
import type { OpenFlow } from '../stores/open-flows.ts';
import { branchPorts, outOf } from './card-branches.ts';
import { cardMetrics } from './card-metrics.ts';
import { type CardBox, cardPorts, edgeEnds, type FlowDirection } from './card-ports.ts';
import type { RoutedEdge } from './flow-edge.tsx';
import { emptyProjection, type FlowProjection, type ProjectedNode, projectFlow } from './flow-projection.ts';
import type { FlowLayout } from './layout/auto-layout.ts';
import { singleSources } from './layout/layout-graph.ts';
import { type LoopFrame, loopFrames } from './loop-frames.ts';
import type { CardNode } from './node-card.tsx';
import { isSameData } from './same-data.ts';

/** The card itself is focusable and named; the box around it must not be announced as well. */
const silentBox = { 'aria-roledescription': undefined };

export interface CanvasElements {
  readonly projection: FlowProjection;
  readonly layout: FlowLayout;
  readonly frames: readonly LoopFrame[];
  readonly nodes: CardNode[];
  readonly edges: RoutedEdge[];
}

/** A flow as the canvas draws it; what did not change is the same object as before. */
export function useProjection({ doc, diagnostics }: Pick<OpenFlow, 'doc' | 'diagnostics'>): FlowProjection {
  const former = useRef(emptyProjection);
  return useMemo(() => {
    const next = doc === null ? emptyProjection : projectFlow({ doc, diagnostics, catalog: nodeTypes }, former.current);
    former.current = next;
    return next;
  }, [doc, diagnostics]);
}

export interface PlacedFlow {
  readonly projection: FlowProjection;
  readonly layout: FlowLayout;
}

/** Unchanged cards and edges keep their objects. */
export function useCanvasElements(placed: PlacedFlow, selected: ReadonlySet<string>): CanvasElements {
  const { projection, layout } = placed;
  const former = useRef({ nodes: new Map<string, MadeNode>(), edges: new Map<string, RoutedEdge>() });
  const nodes = useMemo(() => {
    const made = makeNodes({ ...placed, selected }, former.current.nodes);
    former.current.nodes = made;
    return [...made.values()].map(({ node }) => node);
  }, [placed, selected]);
  const edges = useMemo(() => {
    const made = makeEdges(placed, former.current.edges);
    former.current.edges = made;
    return [...made.values()];
  }, [placed]);
  const frames = useMemo(() => loopFrames(projection.nodes, layout.positions), [projection, layout]);
  return useMemo(() => ({ projection, layout, frames, nodes, edges }), [projection, layout, frames, nodes, edges]);
}

/** A node of React Flow with the card that it was made from. */
interface MadeNode {
  readonly from: ProjectedNode;
  readonly direction: FlowDirection;
  readonly node: CardNode;
}

interface NodeSource extends PlacedFlow {
  readonly selected: ReadonlySet<string>;
}

function makeNodes(
  { projection, layout, selected }: NodeSource,
  former: ReadonlyMap<string, MadeNode>,
): Map<string, MadeNode> {
  const made = new Map<string, MadeNode>();
  for (const from of projection.nodes) {
    const position = placeOf(layout, from.id);
    const isSelected = selected.has(from.id);
    const before = former.get(from.id);
    const isSame =
      before?.from === from &&
      before.node.selected === isSelected &&
      before.node.position.x === position.x &&
      before.node.position.y === position.y &&
      before.direction === projection.direction;
    const { direction } = projection;
    const place = { position, selected: isSelected };
    made.set(from.id, isSame ? before : { from, direction, node: makeNode(from, place, direction) });
  }
  return made;
}

function makeNode(
  { id, content, height }: ProjectedNode,
  place: Pick<CardNode, 'position'> & { selected: boolean },
  direction: FlowDirection,
): CardNode {
  const size = { width: cardMetrics.width, height };
  const { source, target, branches } = cardPorts(direction, size, branchPorts(content, direction));
  return {
    id,
    type: 'card',
    ...place,
    ...size,
    measured: size,
    // An edge without a way of its own takes the first one.
    handles: [source, ...branches, target],
    data: { content },
    domAttributes: silentBox,
  };
}

function placeOf({ positions }: FlowLayout, id: string): NodePosition {
  return positions.get(id) ?? { x: 0, y: 0 };
}

function makeEdges(
  { projection, layout }: PlacedFlow,
  former: ReadonlyMap<string, RoutedEdge>,
): Map<string, RoutedEdge> {
  const { nodes, edges, direction } = projection;
  const single = singleSources(edges);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const boxOf = (id: string, route: string | null): CardBox => {
    const node = byId.get(id);
    const out = node === undefined ? undefined : outOf(node.content, route, direction);
    return { ...placeOf(layout, id), width: cardMetrics.width, height: node?.height ?? 0, out };
  };
  const made = edges.map(({ id, source, target, route, label }): RoutedEdge => {
    const edge = {
      id,
      source,
      target,
      ...(route === null ? {} : { sourceHandle: route }),
      type: 'routed',
      ...(label === null ? {} : { ariaLabel: `From ${source} to ${target} when ${label.title}` }),
      data: {
        route: layout.routes.get(id) ?? null,
        routedEnds: edgeEnds(boxOf(source, route), boxOf(target, null), direction),
        label,
        labelSide: single.has(source) ? 'source' : 'target',
      },
    } as const;
    const before = former.get(id);
    return before !== undefined && isSameData(before, edge) ? before : edge;
  });
  return new Map(made.map((edge) => [edge.id, edge]));
}
