import type { EdgeDoc, FlowDoc, WhenExpr } from '../../engine/isomorphic.ts';
import { nodeTypes } from './node-types.ts';

/** The condition of a new edge from a node with several ways out: the first way that no edge takes. */
function freeRoute({ nodes, edges }: FlowDoc, from: string): WhenExpr | undefined {
  const node = nodes.find(({ id }) => id === from);
  const routes = node === undefined ? [] : (nodeTypes.get(node.type)?.routes?.(node.input) ?? []);
  const taken = new Set(
    edges.flatMap(({ from: source, when }) =>
      source === from && when !== undefined && 'equals' in when ? [when.equals.value] : [],
    ),
  );
  const free = routes.find((route) => !taken.has(route));
  return free === undefined ? undefined : { equals: { var: `${from}.route`, value: free } };
}

/** An edge as it is drawn by hand between two nodes. */
export function newEdge(doc: FlowDoc, from: string, to: string): EdgeDoc {
  const when = freeRoute(doc, from);
  return when === undefined ? { from, to } : { from, to, when };
}
