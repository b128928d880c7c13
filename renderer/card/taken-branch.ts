import { isJsonMap, type RunState } from '../../engine/isomorphic.ts';
import type { CardContent } from './card-content.ts';

/** The way that a node took, by its place in a run; null while it has not, or when nobody can tell. */
export function takenBranch(
  { nodes, firedEdges }: Pick<RunState, 'nodes' | 'firedEdges'>,
  place: string,
  { nodeId, branches }: Pick<CardContent, 'nodeId' | 'branches'>,
): string | null {
  const node = nodes.get(place);
  if (node?.status !== 'completed' && node?.status !== 'reused') return null;
  const route = isJsonMap(node.output) ? node.output['route'] : undefined;
  if (typeof route === 'string') return route;
  // A large output is kept elsewhere. Edges tell the way too, if one leaves there.
  const prefix = place.slice(0, -nodeId.length);
  const fired = branches.find(({ edges }) => edges.some((id) => firedEdges.has(prefix + id)));
  if (fired !== undefined) return fired.route;
  const bare = branches.filter(({ edges }) => edges.length === 0);
  return bare.length === 1 ? (bare[0]?.route ?? null) : null;
}
