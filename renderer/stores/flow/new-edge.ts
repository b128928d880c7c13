import type { EdgeDoc, FlowDoc, WhenExpr } from '../../../engine/isomorphic.ts';
import { nodeTypes } from './node-types.ts';
import { branchCondition, branchOf, wayOfRoute } from './ways.ts';

/** The routes by which an edge can leave a node, those that no edge takes first; none for a node that has but one way. */
export function waysOut({ nodes, edges }: Pick<FlowDoc, 'nodes' | 'edges'>, from: string): readonly string[] {
  const node = nodes.find(({ id }) => id === from);
  const spec = nodeTypes.get(node?.type ?? '');
  const routes = (node === undefined ? [] : (spec?.routes?.(node.input) ?? [])).map((route) => wayOfRoute(route, spec));
  const taken = new Set(edges.flatMap((edge) => (edge.from === from ? [branchOf(from, edge.when)] : [])));
  return [...routes.filter((route) => !taken.has(route)), ...routes.filter((route) => taken.has(route))];
}

/** The condition of a new edge from a node with several ways out: the first way that no edge takes. */
function freeRoute(doc: FlowDoc, from: string): WhenExpr | undefined {
  const [route] = waysOut(doc, from);
  const isFree = !doc.edges.some((edge) => edge.from === from && branchOf(from, edge.when) === route);
  return route !== undefined && isFree ? branchCondition(from, route) : undefined;
}

/** A node, and the way by which an edge leaves it; null = the first route that is free. */
interface WayOut {
  readonly nodeId: string;
  readonly route: string | null;
}

/** An edge as it is drawn by hand between two nodes. */
export function newEdge(doc: FlowDoc, from: string | WayOut, to: string): EdgeDoc {
  const { nodeId, route } = typeof from === 'string' ? { nodeId: from, route: null } : from;
  const when = route === null ? freeRoute(doc, nodeId) : branchCondition(nodeId, route);
  return when === undefined ? { from: nodeId, to } : { from: nodeId, to, when };
}
