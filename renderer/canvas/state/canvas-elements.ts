/**
 * Converts projection, layout and selection to the arrays that React Flow renders.
 */

import type { Edge, Node } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { type LayoutColor, typesOfFlow } from '../../../engine/isomorphic.ts';
import type { CardContent } from '../../card/card-content.ts';
import { cardMetrics } from '../../card/card-metrics.ts';
import { branchPorts, cardPorts, type FlowDirection, outOf } from '../../card/card-ports.ts';
import type { CardNode } from '../../card/node-card.tsx';
import { failureBranch, wayName } from '../../stores/flow/branches.ts';
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
import { type CanvasLayout, type FlowWithLayout, outerRect } from '../projection/frames.ts';
import { isSameData } from '../projection/plain-data.ts';
import { text } from '../text.ts';

/** A note. */
export type NoteNode = Node<{ readonly noteId: string; readonly text: string; readonly color: LayoutColor }, 'note'>;

/** Contains only ports, because the group's frame is drawn separately below. */
export type FoldNode = Node<Record<string, never>, 'fold'>;

/** A node that React Flow renders. */
export type CanvasNode = CardNode | NoteNode | FoldNode;

/** The card itself is focusable and has a label. Its wrapper must not be announced, too. */
const silentBox = { 'aria-roledescription': undefined };

interface EdgeData extends Record<string, unknown> {
  /** Null if the layout provided none. */
  readonly route: readonly Bend[] | null;
  /** The ends of the edge for which the route was computed. */
  readonly routedEnds: EdgeEnds;
  readonly label: EdgeLabel | null;
  /** The end near which the label is placed. */
  readonly labelSide: 'source' | 'target';
}

/** An edge that React Flow renders. */
export type RoutedEdge = Edge<EdgeData, 'routed'>;

export interface CanvasElements {
  readonly projection: FlowProjection;
  readonly layout: CanvasLayout;
  readonly nodes: CardNode[];
  readonly edges: RoutedEdge[];
}

/** Returns the projection of a flow. Unchanged parts are the same objects as before. */
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
export function useCanvasElements(placed: FlowWithLayout, selected: ReadonlySet<string>): CanvasElements {
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

/** A node of React Flow and the card from which it was created. */
interface MadeNode {
  readonly from: ProjectedNode;
  readonly direction: FlowDirection;
  readonly rect: Rect;
  readonly node: CardNode;
}

interface MadeNodes {
  /** The layout for which they were created. */
  readonly layout: CanvasLayout;
  readonly byId: ReadonlyMap<string, MadeNode>;
}

interface MadeEdges {
  /** The placed flow from which they were created. */
  readonly placed: FlowWithLayout;
  readonly list: RoutedEdge[];
}

interface NodeSource extends FlowWithLayout {
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

/**
 * Returns the properties of a node that depend on its position and outer size. A container changes its size with its
 * body.
 */
export function nodePlace(content: CardContent, { x, y, width, height }: Rect, direction: FlowDirection) {
  const { source, target, branches } = cardPorts(direction, { width, height }, branchPorts(content, direction));
  return {
    position: { x, y },
    width,
    measured: { width, height: content.bodySize === null ? height : cardMetrics.headerHeight },
    // An edge without a branch uses the first handle.
    handles: [source, ...branches, target],
  };
}

/** Returns the screen reader label of an edge. */
function spokenEdge({ source, target, route, label }: Omit<ProjectedEdge, 'id'>): string {
  const ends = { source, target };
  if (route === failureBranch) return text.edges.spokenFailure(ends);
  if (route !== null) return text.edges.spokenBranch({ ...ends, branch: wayName(route) });
  return label === null ? text.edges.spoken(ends) : text.edges.spokenWhen({ ...ends, condition: label.title });
}

/** The role of an edge for screen readers. */
const edgeRole = { 'aria-roledescription': text.edges.role };

/** Returns whether all edges can be reused, because cards changed only in ways that do not affect edges. */
function hasSameEdges({ projection, layout }: FlowWithLayout, before: FlowWithLayout): boolean {
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

function makeEdges({ projection, layout }: FlowWithLayout, formerList: readonly RoutedEdge[]): RoutedEdge[] {
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
      ariaLabel: spokenEdge({ source, target, route, label }),
      domAttributes: edgeRole,
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

/** A card on the canvas has the ID of its node. Notes and groups have a prefix that no node ID can have. */
const prefixes = { notes: 'note:', groups: 'group:' } as const;

export function noteKey(noteId: string): string {
  return prefixes.notes + noteId;
}

export function groupKey(groupId: string): string {
  return prefixes.groups + groupId;
}

/** Returns the kind and the ID of the element with this ID on the canvas. */
export function partOf(key: string): { readonly part: Exclude<keyof Chosen, 'edges'>; readonly id: string } {
  if (key.startsWith(prefixes.notes)) return { part: 'notes', id: key.slice(prefixes.notes.length) };
  if (key.startsWith(prefixes.groups)) return { part: 'groups', id: key.slice(prefixes.groups.length) };
  return { part: 'nodes', id: key };
}
