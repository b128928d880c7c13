/**
 * Projection, layout and selection → the arrays that React Flow draws.
 */
import { Position } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { nodeTypes } from '../stores/node-types.ts';
import type { OpenFlow } from '../stores/open-flows.ts';
import { cardMetrics } from './card-metrics.ts';
import type { RoutedEdge } from './flow-edge.tsx';
import { emptyProjection, type FlowProjection, type ProjectedNode, projectFlow } from './flow-projection.ts';
import type { FlowLayout } from './layout/auto-layout.ts';
import { singleSources } from './layout/layout-graph.ts';
import { type LoopFrame, loopFrames } from './loop-frames.ts';
import type { CardNode } from './node-card.tsx';
import { placeCards } from './place-cards.ts';

/** Given from the start, so that edges need not wait until their cards were drawn and measured. */
const port = { width: 5, height: 12, y: cardMetrics.portY - 6 } as const;
const sourcePort = { type: 'source', position: Position.Right, x: cardMetrics.width - 1, ...port } as const;
const targetPort = { type: 'target', position: Position.Left, x: 1 - port.width, ...port } as const;
const startPorts = [sourcePort];
const otherPorts = [sourcePort, targetPort];

/** The card itself is focusable and named; the box around it must not be announced as well. */
const silentBox = { 'aria-roledescription': undefined };

export interface CanvasElements {
  readonly projection: FlowProjection;
  readonly layout: FlowLayout;
  readonly frames: readonly LoopFrame[];
  readonly nodes: CardNode[];
  readonly edges: RoutedEdge[];
}

/** Unchanged cards and edges keep their objects, and the layout is done anew only for another structure. */
export function useCanvasElements(flow: OpenFlow, selected: ReadonlySet<string>): CanvasElements {
  const former = useRef({ projection: emptyProjection, nodes: new Map<string, MadeNode>() });
  const { doc, diagnostics } = flow;
  const projection = useMemo(() => {
    const next =
      doc === null ? emptyProjection : projectFlow({ doc, diagnostics, catalog: nodeTypes }, former.current.projection);
    former.current.projection = next;
    return next;
  }, [doc, diagnostics]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal keys mean equal layouts
  const layout = useMemo(() => placeCards(projection), [projection.structureKey]);
  const nodes = useMemo(() => {
    const made = makeNodes({ projection, layout, selected }, former.current.nodes);
    former.current.nodes = made;
    return [...made.values()].map(({ node }) => node);
  }, [projection, layout, selected]);
  const edges = useMemo(() => makeEdges(projection, layout), [projection, layout]);
  const frames = useMemo(() => loopFrames(projection.nodes, layout.positions), [projection, layout]);
  return useMemo(() => ({ projection, layout, frames, nodes, edges }), [projection, layout, frames, nodes, edges]);
}

/** A node of React Flow with the card that it was made from. */
interface MadeNode {
  readonly from: ProjectedNode;
  readonly node: CardNode;
}

interface NodeSource {
  readonly projection: FlowProjection;
  readonly layout: FlowLayout;
  readonly selected: ReadonlySet<string>;
}

function makeNodes(
  { projection, layout, selected }: NodeSource,
  former: ReadonlyMap<string, MadeNode>,
): Map<string, MadeNode> {
  const made = new Map<string, MadeNode>();
  for (const from of projection.nodes) {
    const position = layout.positions.get(from.id) ?? { x: 0, y: 0 };
    const isSelected = selected.has(from.id);
    const before = former.get(from.id);
    const isSame =
      before?.from === from &&
      before.node.selected === isSelected &&
      before.node.position.x === position.x &&
      before.node.position.y === position.y;
    made.set(from.id, isSame ? before : { from, node: makeNode(from, { position, selected: isSelected }) });
  }
  return made;
}

function makeNode(
  { id, content, height }: ProjectedNode,
  place: Pick<CardNode, 'position'> & { selected: boolean },
): CardNode {
  const size = { width: cardMetrics.width, height };
  return {
    id: id,
    type: 'card',
    ...place,
    ...size,
    measured: size,
    handles: content.isStart ? startPorts : otherPorts,
    data: { content },
    domAttributes: silentBox,
  };
}

function makeEdges({ edges }: FlowProjection, { routes }: FlowLayout): RoutedEdge[] {
  const single = singleSources(edges);
  return edges.map(({ id, source, target, label }) => ({
    id,
    source,
    target,
    type: 'routed',
    ...(label === null ? {} : { ariaLabel: `From ${source} to ${target} when ${label.title}` }),
    data: { route: routes.get(id) ?? null, label, labelSide: single.has(source) ? 'source' : 'target' },
  }));
}
