/**
 * What a run shows on an edge.
 */
import type { RunState } from '../../engine/isomorphic.ts';

export type EdgeState = 'idle' | 'live' | 'taken' | 'not-taken';

/** `live` while what the edge led to is at work; `not-taken` as soon as it can no longer fire. */
export function edgeState(
  run: RunState | undefined,
  edge: { readonly id: string; readonly source: string; readonly target: string },
): EdgeState {
  if (run === undefined) return 'idle';
  if (run.firedEdges.has(edge.id)) {
    const target = run.nodes.get(edge.target)?.status;
    return target === 'running' || target === 'retrying' ? 'live' : 'taken';
  }
  const isOver = run.status !== 'running' && run.status !== 'queued';
  const source = run.nodes.get(edge.source)?.status;
  const isSourceOver = source !== undefined && source !== 'running' && source !== 'retrying';
  return isOver || isSourceOver ? 'not-taken' : 'idle';
}
