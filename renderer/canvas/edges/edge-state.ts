/**
 * What a run shows on an edge.
 */
import type { NodeStatus, RunState } from '../../../engine/isomorphic.ts';
import { isOver } from '../../stores/runs/live-runs.ts';

export type EdgeState = 'idle' | 'live' | 'taken' | 'tolerated' | 'not-taken';

/**
 * `live` while what the edge led to is at work; `tolerated` when it goes on from a node that failed; `not-taken` as soon as it
 * can no longer fire.
 */
export function edgeState(
  run: RunState | undefined,
  edge: { readonly id: string; readonly source: string; readonly target: string },
): EdgeState {
  if (run === undefined) return 'idle';
  if (run.firedEdges.has(edge.id)) {
    const target = run.nodes.get(edge.target)?.status;
    if (target === 'running' || target === 'retrying') return 'live';
    return run.nodes.get(edge.source)?.status === 'failed' ? 'tolerated' : 'taken';
  }
  if (run.skippedEdges.has(edge.id)) return 'not-taken';
  const source = run.nodes.get(edge.source)?.status;
  const isSourceOver = source !== undefined && !openStatuses.has(source);
  return isOver(run) || isSourceOver ? 'not-taken' : 'idle';
}

const openStatuses: ReadonlySet<NodeStatus> = new Set(['running', 'retrying', 'suspended']);
