/**
 * What a shown run means for views: whether its text is on screen instead of the file, and one word for how it and its nodes are.
 */

import { type FlowDoc, isLoop, type NodeDoc, type NodeState, type RunStatus } from '../../../engine/isomorphic.ts';
import { placeWith } from '../flow/node-places.ts';
import type { OpenFile } from '../text/file.ts';
import type { FlowView } from '../window/selection.ts';
import type { LiveRun, LiveRuns } from './live-runs.ts';

/** Where a node of the file is looked at in a run: in a body at the chosen item, else at the one that is followed. */
export function placeInRun({ state }: LiveRun, nodeId: string, items: FlowView['items']): string {
  const followed = state.tallies.bodies.get(nodeId)?.followed;
  return followed === undefined ? nodeId : placeWith(followed, items);
}

/** The run that is shown over a flow. */
export function selectShownRun({ runs, shown }: LiveRuns, path: string): LiveRun | undefined {
  const current = shown.get(path);
  return current === undefined ? undefined : runs.get(current.runId);
}

/**
 * What a flow is while a run of an older version of it is looked at: that version.
 */
export function flowOnScreen(flow: OpenFile | undefined, definition: LiveRun['definition']): OpenFile | undefined {
  if (flow === undefined || definition === null || definition.text === flow.text) return flow;
  if (flow.status === 'loading') return flow;
  // What a run over a catalogue has executed is a flow.
  const kind = flow.kind === 'dialogue' ? 'flow' : flow.kind;
  return { ...flow, ...definition, kind, status: 'ready', isOldVersion: true, readOnlyReason: oldVersionReason };
}

const oldVersionReason = 'You see the text that the run executes. Go back to the file to change it.';

/**
 * The text of the run that is shown over a flow. Null when that is the person's own to see: what they do to it must always
 * be what they see.
 */
export function selectShownDefinition(state: LiveRuns, path: string): LiveRun['definition'] {
  const shown = state.shown.get(path);
  return shown === undefined || shown.isLoose ? null : (state.runs.get(shown.runId)?.definition ?? null);
}

export type ShownState =
  | 'idle'
  | 'queued'
  | 'running'
  | 'retrying'
  | 'suspended'
  | 'completed'
  | 'reused'
  | 'pinned'
  | 'failed'
  | 'tolerated'
  | 'skipped'
  | 'cancelled'
  | 'cancelling'
  | 'disabled'
  | 'interrupted'
  | 'stale';

/** How a run is shown: `cancelling` from the request to the fact. */
export function shownRunState(status: RunStatus, isCancelling: boolean): ShownState {
  return isCancelling ? 'cancelling' : status;
}

/** How a node is shown that the run has not reached: it may still come, or never did. */
function unreachedState(run: LiveRun): ShownState {
  const { status } = run.state;
  return status === 'running' || status === 'queued' || status === 'suspended' ? 'queued' : 'idle';
}

/** How a node of a run is shown. `isTolerated`: a failure of this node does not fail the run. */
export function shownNodeState(run: LiveRun, node: NodeState | undefined, isTolerated: boolean): ShownState {
  if (node === undefined) return unreachedState(run);
  switch (node.status) {
    case 'running':
    case 'retrying':
      return run.isCancelling ? 'cancelling' : node.status;
    case 'failed':
      return isTolerated && run.state.error?.nodeId !== node.nodeId ? 'tolerated' : 'failed';
    case 'skipped':
      return node.skip?.reason === 'disabled' ? 'disabled' : 'skipped';
    case 'cancelled':
      return run.state.status === 'interrupted' ? 'interrupted' : 'cancelled';
    case 'reused':
      return node.isPinned === true ? 'pinned' : 'reused';
    case 'suspended':
    case 'completed':
      return node.status;
  }
}

/** Whether a run of one node alone leaves out this one: it never comes to it. */
export function isLeftOut({ state: { scope, nodes } }: LiveRun, nodeId: string): boolean {
  return scope !== null && 'only' in scope && scope.only !== nodeId && !nodes.has(nodeId);
}

/**
 * How a node of the file is shown: as `shownNodeState`, or `stale` where the run shown over the edited file would not be taken over. A
 * disabled one stays so. `place`: of the node `nodeId`, in the run.
 */
export function shownStateOf(
  run: LiveRun,
  { nodeId, place, isTolerated }: { readonly nodeId: string; readonly place: string; readonly isTolerated: boolean },
): ShownState {
  const node = run.state.nodes.get(place);
  const state = node === undefined && isLeftOut(run, nodeId) ? 'idle' : shownNodeState(run, node, isTolerated);
  return state !== 'disabled' && run.stale.has(nodeId) ? 'stale' : state;
}

/** Whether the file says that a failure of this node does not fail the run. `loop`: in whose body it stands, if any. */
export function isFailureTolerated({ flow }: FlowDoc, node: NodeDoc, loop: NodeDoc | undefined): boolean {
  if (loop?.input['tolerate'] === true) return true;
  return node.policy?.continueOnError ?? flow.policy?.failFast === false;
}

/** The number of animated marks that software rendering can paint within a frame. */
const mostInMotion = 6;

/** Whether too many nodes are running to animate their marks. Loops do not count: they wait for the nodes of their body. */
export function isBusy({ state }: LiveRun): boolean {
  let count = 0;
  for (const { status, nodeType } of state.nodes.values()) {
    if (status === 'running' && !isLoop(nodeType)) count++;
    if (count > mostInMotion) return true;
  }
  return false;
}
