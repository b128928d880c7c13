import type { EdgeDoc, FlowDoc, WhenExpr } from '../../../engine/isomorphic.ts';
import { branchCondition, branchOf, wayOfRoute } from './branches.ts';
import { nodeTypes } from './node-types.ts';

/**
 * Returns the branches by which an edge can leave a node, free ones first. Empty for a node with only one way to
 * continue.
 */
export function waysOut({ nodes, edges }: Pick<FlowDoc, 'nodes' | 'edges'>, from: string): readonly string[] {
  const node = nodes.find(({ id }) => id === from);
  const spec = nodeTypes.get(node?.type ?? '');
  const routes = (node === undefined ? [] : (spec?.routes?.(node.input) ?? [])).map((route) => wayOfRoute(route, spec));
  const taken = new Set(edges.flatMap((edge) => (edge.from === from ? [branchOf(from, edge.when)] : [])));
  return [...routes.filter((route) => !taken.has(route)), ...routes.filter((route) => taken.has(route))];
}

/** Returns the condition of a new edge from a node with several branches: the first branch without an edge. */
function freeRoute(doc: FlowDoc, from: string): WhenExpr | undefined {
  const [route] = waysOut(doc, from);
  const isFree = !doc.edges.some((edge) => edge.from === from && branchOf(from, edge.when) === route);
  return route !== undefined && isFree ? branchCondition(from, route) : undefined;
}

/** A node and the branch for an edge. Null for the first free branch. */
interface WayOut {
  readonly nodeId: string;
  readonly route: string | null;
}

/** Creates an edge between two nodes. */
export function newEdge(doc: FlowDoc, from: string | WayOut, to: string): EdgeDoc {
  const { nodeId, route } = typeof from === 'string' ? { nodeId: from, route: null } : from;
  const when = route === null ? freeRoute(doc, nodeId) : branchCondition(nodeId, route);
  return when === undefined ? { from: nodeId, to } : { from: nodeId, to, when };
}
