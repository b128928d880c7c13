/**
 * Projection, layout and selection → the arrays that React Flow draws.
 */

import type { Edge, Node } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { type LayoutColor, typesOfFlow } from '../../../engine/isomorphic.ts';
import type { CardContent } from '../../card/card-content.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import { branchPorts, cardPorts, type FlowDirection, outOf } from '../../card/card-ports.ts';
import type { CardNode } from '../../card/node-card.tsx';
import { failedWay, wayName } from '../../stores/flow/ways.ts';
import type { OpenFile } from '../../stores/text/file.ts';
import { useNodeTypes } from '../../stores/use-node-types.ts';
import type { Chosen } from '../../stores/window/selection.ts';
import { type Bend, type CardBox, type EdgeEnds, edgeEnds } from '../geometry/edge-path.ts';
import type { Rect } from '../geometry/rect.ts';
import { singleSources } from '../layout/layout-graph.ts';
import type { EdgeLabel } from '../projection/edge-label.ts';
import {
  emptyProjection,
  type FlowProjection,
  type ProjectedEdge,
  type ProjectedNode,
  projectFlow,
} from '../projection/flow-projection.ts';
import { type CanvasLayout, outerRect, type PlacedFlow } from '../projection/frames.ts';
import { isSameData } from '../projection/plain-data.ts';

/** A sheet of text. */
export type NoteNode = Node<{ readonly noteId: string; readonly text: string; readonly color: LayoutColor }, 'note'>;

/** Only its ports: the group's frame is drawn below. */
export type FoldNode = Node<Record<string, never>, 'fold'>;

/** What React Flow draws. */
export type CanvasNode = CardNode | NoteNode | FoldNode;

/** The card itself is focusable and named; the box around it must not be announced as well. */
const silentBox = { 'aria-roledescription': undefined };

interface EdgeData extends Record<string, unknown> {
  /** Null when the layout gave none. */
  readonly route: readonly Bend[] | null;
  /** Where the edge ends for which that route was made. */
  readonly routedEnds: EdgeEnds;
  readonly label: EdgeLabel | null;
  /** Near which end the label stands. */
  readonly labelSide: 'source' | 'target';
}

/** An edge as React Flow gets it. */
export type RoutedEdge = Edge<EdgeData, 'routed'>;

export interface CanvasElements {
  readonly projection: FlowProjection;
  readonly layout: CanvasLayout;
  readonly nodes: CardNode[];
  readonly edges: RoutedEdge[];
}

/** A flow as the canvas draws it; what did not change is the same object as before. */
export function useProjection({ doc, diagnostics }: Pick<OpenFile, 'doc' | 'diagnostics'>): FlowProjection {
  const former = useRef(emptyProjection);
  const catalog = useNodeTypes();
  return useMemo(() => {
    const next =
      doc === null
        ? emptyProjection
        : projectFlow({ doc, diagnostics, catalog: typesOfFlow(doc, catalog) }, former.current);
    former.current = next;
    return next;
  }, [doc, diagnostics, catalog]);
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
  return useMemo(() => ({ projection, layout, nodes, edges }), [projection, layout, nodes, edges]);
}

/** A node of React Flow with the card that it was made from. */
interface MadeNode {
  readonly from: ProjectedNode;
  readonly direction: FlowDirection;
  readonly rect: Rect;
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
    const rect = outerRect(from, layout);
    const isSelected = selected.has(from.id);
    const before = former.get(from.id);
    const isSame =
      before?.from === from &&
      before.node.selected === isSelected &&
      isSameData(before.rect, rect) &&
      before.direction === projection.direction;
    const { direction } = projection;
    made.set(
      from.id,
      isSame ? before : { from, direction, rect, node: makeNode(from, { rect, isSelected }, direction) },
    );
  }
  return made;
}

function makeNode(
  { id, content, height }: ProjectedNode,
  { rect, isSelected }: { readonly rect: Rect; readonly isSelected: boolean },
  direction: FlowDirection,
): CardNode {
  return {
    id,
    type: 'card',
    selected: isSelected,
    ...nodePlace(content, rect, direction),
    height,
    data: { content, outerHeight: rect.height },
    domAttributes: silentBox,
  };
}

/** What of a node follows from its place and its outer size, which a container changes with its body. */
export function nodePlace(content: CardContent, { x, y, width, height }: Rect, direction: FlowDirection) {
  const { source, target, branches } = cardPorts(direction, { width, height }, branchPorts(content, direction));
  return {
    position: { x, y },
    width,
    measured: { width, height: content.bodySize === null ? height : cardMetrics.headerHeight },
    // An edge without a way of its own takes the first one.
    handles: [source, ...branches, target],
  };
}

/** What a screen reader says of an edge that may not fire. */
function spokenWay({ source, target, route, label }: Omit<ProjectedEdge, 'id'>): { ariaLabel?: string } {
  if (route === failedWay) return { ariaLabel: `From ${source} to ${target} when ${source} fails` };
  if (route !== null) return { ariaLabel: `From ${source} to ${target} by ${wayName(route)}` };
  return label === null ? {} : { ariaLabel: `From ${source} to ${target} when ${label.title}` };
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
    return { ...outerRect(node ?? { id, height: 0 }, layout), out };
  };
  const made = edges.map(({ id, source, target, route, label }): RoutedEdge => {
    const edge = {
      id,
      source,
      target,
      ...(route === null ? {} : { sourceHandle: route }),
      type: 'routed',
      ...spokenWay({ source, target, route, label }),
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

/** On the canvas a card has the id of its node; those of notes and groups get a prefix that no id of a node can have. */
const prefixes = { notes: 'note:', groups: 'group:' } as const;

export function noteKey(noteId: string): string {
  return prefixes.notes + noteId;
}

export function groupKey(groupId: string): string {
  return prefixes.groups + groupId;
}

/** What an id on the canvas stands for. */
export function partOf(key: string): { readonly part: Exclude<keyof Chosen, 'edges'>; readonly id: string } {
  if (key.startsWith(prefixes.notes)) return { part: 'notes', id: key.slice(prefixes.notes.length) };
  if (key.startsWith(prefixes.groups)) return { part: 'groups', id: key.slice(prefixes.groups.length) };
  return { part: 'nodes', id: key };
}
