/**
 * A flow as a tree.
 *
 * Nodes are in file order. The nodes of a body are below their loop. A node with a single incoming edge is below the
 * source of that edge if the source has several outgoing edges, which separates the branches of a decision. A chain
 * continues at the same level. Where branches join, the node is at the level of the node where they began.
 */
import { conditionTestsFailure, type EdgeDoc, type FlowDoc, type NodeDoc } from '../../engine/isomorphic.ts';
import { branchOf, wayName } from '../stores/flow/branches.ts';
import type { LoopBodyNesting } from '../stores/flow/loop-bodies.ts';
import { ownChanges } from '../stores/flow/own-changes.ts';
import type { TreeRow } from '../ui/tree-rows.ts';

export interface OutlineRow extends TreeRow {
  readonly node: NodeDoc;
  /** The branch of the node above that it belongs to. Empty for most. */
  readonly route: string;
  /** The loop that contains it, or null. */
  readonly loopId: string | null;
}

interface TreeSource {
  readonly doc: FlowDoc;
  readonly nesting: LoopBodyNesting;
}

interface OutlineSource extends TreeSource {
  /** Nodes with folded rows. */
  readonly folded: ReadonlySet<string>;
}

/** The incoming and outgoing edges of nodes, within one body. */
interface OutlineGraph {
  readonly into: ReadonlyMap<string, readonly EdgeDoc[]>;
  readonly outOf: ReadonlyMap<string, readonly EdgeDoc[]>;
}

function graphOf({ doc, nesting }: TreeSource): OutlineGraph {
  const into = new Map<string, EdgeDoc[]>();
  const outOf = new Map<string, EdgeDoc[]>();
  const put = (map: Map<string, EdgeDoc[]>, id: string, edge: EdgeDoc): void => {
    const edges = map.get(id);
    if (edges === undefined) map.set(id, [edge]);
    else edges.push(edge);
  };
  for (const edge of doc.edges) {
    if (nesting.ownerOf.get(edge.from) !== nesting.ownerOf.get(edge.to)) continue;
    put(into, edge.to, edge);
    put(outOf, edge.from, edge);
  }
  return { into, outOf };
}

/** Returns the parent of each node in the tree. Nodes at the top level are omitted. */
function parentsOf(source: TreeSource, { into, outOf }: OutlineGraph): ReadonlyMap<string, string> {
  const { doc, nesting } = source;
  const parents = new Map<string, string>();
  const branches = new Map<string, string | undefined>();
  for (const { id } of doc.nodes) {
    const parent = branchAbove(id) ?? nesting.ownerOf.get(id);
    if (parent !== undefined && !closesCircle(parents, id, parent)) parents.set(id, parent);
  }
  return parents;

  /** Goes back along the chain to where it left a node with several branches. */
  function branchAbove(id: string): string | undefined {
    const chain = new Set<string>();
    let found: string | undefined;
    for (let at: string | undefined = id; at !== undefined && !chain.has(at); ) {
      if (branches.has(at)) {
        found = branches.get(at);
        break;
      }
      chain.add(at);
      const above = onlyAbove(at);
      if (above !== undefined && isBranching(above)) found = above;
      at = found === undefined ? above : undefined;
    }
    // The whole chain is below the same node, so that long chains are traversed only once.
    for (const at of chain) branches.set(at, found);
    return found;
  }

  /** Returns the source of the only edge to a node. */
  function onlyAbove(id: string): string | undefined {
    const [only, ...more] = into.get(id) ?? [];
    return more.length > 0 ? undefined : only?.from;
  }

  /** Excludes loops, because the nodes below a loop are its body. */
  function isBranching(id: string): boolean {
    return !nesting.bodyOf.has(id) && (outOf.get(id)?.length ?? 0) > 1;
  }
}

/** An unfinished flow may contain cycles. The tree must not, or the rows in them would be lost. */
function closesCircle(parents: ReadonlyMap<string, string>, id: string, parent: string): boolean {
  for (let at: string | undefined = parent; at !== undefined; at = parents.get(at)) if (at === id) return true;
  return false;
}

function routeOf(graph: OutlineGraph, { id }: NodeDoc, parent: string | undefined): string {
  const edge = graph.into.get(id)?.find(({ from }) => from === parent);
  if (edge?.when === undefined) return '';
  const way = branchOf(edge.from, edge.when);
  if (way !== null) return wayName(way);
  if (conditionTestsFailure(edge.from, edge.when) === false) return 'succeeded';
  return 'equals' in edge.when ? String(edge.when.equals.value) : 'if';
}

/** Returns the parent of each node in the tree. Nodes at the top level are omitted. */
export function outlineParents(source: TreeSource): ReadonlyMap<string, string> {
  return parentsOf(source, graphOf(source));
}

/** The rows of a flow and their source. */
export interface OutlineTree extends OutlineSource {
  readonly rows: readonly OutlineRow[];
}

/** Creates the rows of a flow. Unchanged rows of `former` stay the same objects. */
export function outlineTree(source: OutlineSource, former: OutlineTree | null): OutlineTree {
  return { ...source, rows: (former === null ? null : rowsWithOwnChanges(source, former)) ?? outlineRows(source) };
}

/** Returns the previous rows with only some nodes replaced. Null if the tree may have changed. */
function rowsWithOwnChanges(
  { doc, nesting, folded }: OutlineSource,
  former: OutlineTree,
): readonly OutlineRow[] | null {
  if (nesting !== former.nesting || folded !== former.folded) return null;
  const changed = ownChanges(former.doc, doc);
  if (changed === null) return null;
  const rows = [...former.rows];
  for (const index of changed) {
    const node = doc.nodes[index];
    const at = rows.findIndex(({ id }) => id === node?.id);
    const row = rows[at];
    if (node !== undefined && row !== undefined) rows[at] = { ...row, node };
  }
  return rows;
}

/** Returns all visible rows, from top to bottom. */
export function outlineRows(source: OutlineSource): readonly OutlineRow[] {
  const { doc, nesting, folded } = source;
  const graph = graphOf(source);
  const parents = parentsOf(source, graph);
  const childrenOf = new Map<string | undefined, NodeDoc[]>();
  for (const node of doc.nodes) {
    const parent = parents.get(node.id);
    const children = childrenOf.get(parent);
    if (children === undefined) childrenOf.set(parent, [node]);
    else children.push(node);
  }
  const rows: OutlineRow[] = [];
  const addBelow = (parent: string | undefined, level: number): void => {
    const children = childrenOf.get(parent) ?? [];
    children.forEach((node, index) => {
      const hasChildren = childrenOf.has(node.id);
      rows.push({
        id: node.id,
        node,
        level,
        isExpanded: hasChildren ? !folded.has(node.id) : null,
        label: node.name ?? node.id,
        position: index + 1,
        size: children.length,
        route: routeOf(graph, node, parent),
        loopId: nesting.ownerOf.get(node.id) ?? null,
      });
      if (hasChildren && !folded.has(node.id)) addBelow(node.id, level + 1);
    });
  };
  addBelow(undefined, 1);
  return rows;
}
