/**
 * Edges that leave a node by one of its ways, when it has no such way.
 */
import { findBindings } from './bindings.ts';
import type { Finding } from './finding.ts';
import type { EdgeDoc, FlowDoc } from './flow-doc.ts';
import type { NodeTypeCatalog } from './node-type-spec.ts';

/** Problems of the way that an edge's condition asks for; paths are below the edge. */
export function routeFindings(
  { from, when }: EdgeDoc,
  { nodes }: FlowDoc,
  catalog: NodeTypeCatalog,
): readonly Finding[] {
  if (when === undefined || !('equals' in when) || when.equals.var !== `${from}.route`) return [];
  const word = when.equals.value;
  const node = nodes.find(({ id }) => id === from);
  const known = node === undefined ? [] : (catalog.get(node.type)?.routes?.(node.input) ?? []);
  if (node === undefined || known.length === 0 || typeof word !== 'string' || known.includes(word)) return [];
  // A way whose name is bound gets it in the run.
  if (findBindings(node.input).some(({ path }) => path.at(-1) === 'route')) return [];
  const message = `"${from}" has no way "${word}", so this edge is never taken. It has: ${known.join(', ')}.`;
  const mistyped = { word, known };
  return [{ code: 'edge.unknown-route', severity: 'warning', message, path: ['when', 'equals', 'value'], mistyped }];
}
