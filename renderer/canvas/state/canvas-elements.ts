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
  const formerNodes = useRef<MadeNodes>(null);
  const formerEdges = useRef<MadeEdges>(null);
  const nodes = useMemo(() => {
    const made = makeNodes({ ...placed, selected }, formerNodes.current);
    formerNodes.current = { layout: placed.layout, byId: made };
    return Array.from(made.values(), ({ node }) => node);
  }, [placed, selected]);
  const edges = useMemo(() => {
    const former = formerEdges.current;
    const list =
      former !== null && hasSameEdges(placed, former.placed) ? former.list : makeEdges(placed, former?.list ?? []);
    formerEdges.current = { placed, list };
    return list;
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

interface MadeNodes {
  /** For which they were made. */
  readonly layout: CanvasLayout;
  readonly byId: ReadonlyMap<string, MadeNode>;
}

interface MadeEdges {
  /** From which they were made. */
  readonly placed: PlacedFlow;
  readonly list: RoutedEdge[];
}

interface NodeSource extends PlacedFlow {
  readonly selected: ReadonlySet<string>;
}

function makeNodes({ projection, layout, selected }: NodeSource, former: MadeNodes | null): Map<string, MadeNode> {
  const { direction } = projection;
  const made = new Map<string, MadeNode>();
  for (const from of projection.nodes) {
    const isSelected = selected.has(from.id);
    const before = former?.byId.get(from.id);
    const isAlike = before?.from === from && before.node.selected === isSelected && before.direction === direction;
    if (isAlike && former?.layout === layout) {
      made.set(from.id, before);
      continue;
    }
    const rect = outerRect(from, layout);
    const isSame = isAlike && isSameData(before.rect, rect);
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

/** Whether all edges can be reused: cards changed only in ways that no edge depends on. */
function hasSameEdges({ projection, layout }: PlacedFlow, before: PlacedFlow): boolean {
  const { nodes, edges, direction } = before.projection;
  return (
    layout === before.layout &&
    projection.edges === edges &&
    projection.direction === direction &&
    projection.nodes.length === nodes.length &&
    projection.nodes.every((node, index) => hasSameEnds(node, nodes[index], direction))
  );
}

function hasSameEnds(node: ProjectedNode, before: ProjectedNode | undefined, direction: FlowDirection): boolean {
  if (node === before) return true;
  return (
    node.id === before?.id &&
    node.height === before.height &&
    node.content.bodySize === before.content.bodySize &&
    isSameData(branchPorts(node.content, direction), branchPorts(before.content, direction))
  );
}

function makeEdges({ projection, layout }: PlacedFlow, formerList: readonly RoutedEdge[]): RoutedEdge[] {
  const { nodes, edges, direction } = projection;
  const former = new Map(formerList.map((edge) => [edge.id, edge]));
  const single = singleSources(edges);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const boxOf = (id: string, route: string | null): CardBox => {
    const node = byId.get(id);
    const out = node === undefined ? undefined : outOf(node.content, route, direction);
    return { ...outerRect(node ?? { id, height: 0 }, layout), out };
  };
  return edges.map(({ id, source, target, route, label }): RoutedEdge => {
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
