/**
 * The state of an edge in a run.
 */
import { baseNodeId, loopStepsOf, type NodeStatus, type RunState } from '../../../engine/isomorphic.ts';
import { isOver, isPaused, isUnfinished, type LiveRun } from '../../stores/runs/live/live-runs.ts';
import { allItemsEnded } from '../../stores/runs/live/shown-items.ts';
import { placeInRun } from '../../stores/runs/shown-run.ts';
import type { FlowViewState } from '../../stores/window/selection.ts';

export type EdgeState = 'idle' | 'live' | 'taken' | 'tolerated' | 'not-taken';

/**
 * Returns `live` while the target of the edge is running and the run is not paused, `tolerated` if the flow continues from a failed node, and
 * `not-taken` as soon as the edge can no longer fire. Edges to and from a skipped node are also `not-taken`, although
 * the flow continues.
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
    if ((target === 'running' || target === 'retrying') && !isPaused(run)) return 'live';
    return source === 'failed' ? 'tolerated' : 'taken';
  }
  if (run.skippedEdges.has(edge.id)) return 'not-taken';
  const isSourceOver = source !== undefined && !openStatuses.has(source);
  return isOver(run) || isSourceOver ? 'not-taken' : 'idle';
}

interface FlowEdgeEnds {
  /** ID of the edge in the file. */
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

/**
 * Returns the state of an edge of the file in a run. An edge in a loop body is evaluated separately for each item. It
 * shows the state for the selected item, or else for all items: it counts as taken if it was taken for any of them.
 */
export function edgeInRun(run: LiveRun, edge: FlowEdgeEnds, chosen: FlowViewState['items']): EdgeState {
  const { id, source, target } = edge;
  if (run.comparison?.edges.has(id) === true) return 'taken';
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
