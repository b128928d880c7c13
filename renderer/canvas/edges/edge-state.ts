/**
 * What a run shows on an edge.
 */
import { baseNodeId, loopStepsOf, type NodeStatus, type RunState } from '../../../engine/isomorphic.ts';
import { isOver, isUnfinished, type LiveRun } from '../../stores/runs/live-runs.ts';
import { allItemsEnded } from '../../stores/runs/shown-items.ts';
import { placeInRun } from '../../stores/runs/shown-run.ts';
import type { FlowView } from '../../stores/window/selection.ts';

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

interface FlowEdgeEnds {
  /** As in the file. */
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

/**
 * What the run shows on an edge of the file. One in the body of a loop is decided anew for each item: it shows the item that
 * was chosen, else all of them, and then it is taken when it was taken for any.
 */
export function edgeInRun(run: LiveRun, edge: FlowEdgeEnds, chosen: FlowView['items']): EdgeState {
  const { id, source, target } = edge;
  const place = placeInRun(run, source, chosen);
  const steps = loopStepsOf(place);
  if (steps.length > 0 && !steps.some(({ loop }) => chosen.has(baseNodeId(loop)))) return edgeOfAllItems(run, edge);
  const prefix = place.slice(0, -source.length);
  return edgeState(run.state, { id: prefix + id, source: place, target: prefix + target });
}

function edgeOfAllItems(run: LiveRun, { id, source, target }: FlowEdgeEnds): EdgeState {
  const { state } = run;
  const { bodies, bodyEdges } = state.tallies;
  const isLedTo = (place: string): boolean => state.firedEdges.has(place.slice(0, -target.length) + id);
  if (isUnfinished(state)) {
    for (const [place, isWaiting] of bodies.get(target)?.open ?? []) if (!isWaiting && isLedTo(place)) return 'live';
  }
  if ((bodyEdges.get(id) ?? 0) > 0) {
    const counts = bodies.get(source)?.counts;
    return counts !== undefined && counts.failed > 0 && counts.ran + counts.reused === 0 ? 'tolerated' : 'taken';
  }
  return isOver(state) || allItemsEnded(run, source) ? 'not-taken' : 'idle';
}

const openStatuses: ReadonlySet<NodeStatus> = new Set(['running', 'retrying', 'suspended']);
