/**
 * What a run shows on an edge.
 */
import type { NodeStatus, RunState } from '../../../engine/isomorphic.ts';
import { isOver } from '../../stores/runs/live-runs.ts';

export type EdgeState = 'idle' | 'live' | 'taken' | 'tolerated' | 'not-taken';

/**
 * `live` while what the edge led to is at work; `tolerated` when it goes on from a node that failed; `not-taken` as soon as it
 * can no longer fire, and around a node that was skipped: nothing went through there, although the flow goes on.
 */
export function edgeState(
  run: RunState | undefined,
  edge: { readonly id: string; readonly source: string; readonly target: string },
): EdgeState {
  if (run === undefined) return 'idle';
  const source = run.nodes.get(edge.source)?.status;
  const target = run.nodes.get(edge.target)?.status;
  if (source === 'skipped' || target === 'skipped') return 'not-taken';
  if (run.firedEdges.has(edge.id)) {
    if (target === 'running' || target === 'retrying') return 'live';
    return source === 'failed' ? 'tolerated' : 'taken';
  }
  if (run.skippedEdges.has(edge.id)) return 'not-taken';
  const isSourceOver = source !== undefined && !openStatuses.has(source);
  return isOver(run) || isSourceOver ? 'not-taken' : 'idle';
}

const openStatuses: ReadonlySet<NodeStatus> = new Set(['running', 'retrying', 'suspended']);
