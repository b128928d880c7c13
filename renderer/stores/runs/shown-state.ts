/**
 * One word for how a node or a run is, as every view shows it.
 */
import type { FlowDoc, NodeDoc, NodeState, RunStatus } from '../../../engine/isomorphic.ts';
import type { LiveRun } from './live-runs.ts';

export type ShownState =
  | 'idle'
  | 'queued'
  | 'running'
  | 'retrying'
  | 'suspended'
  | 'completed'
  | 'reused'
  | 'failed'
  | 'tolerated'
  | 'skipped'
  | 'cancelled'
  | 'cancelling'
  | 'disabled'
  | 'interrupted';

/** How a run is shown: `cancelling` from the wish to the fact. */
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
    case 'suspended':
    case 'completed':
    case 'reused':
      return node.status;
  }
}

/** Whether the file says that a failure of this node does not fail the run. `loop`: in whose body it stands, if any. */
export function isFailureTolerated({ flow }: FlowDoc, node: NodeDoc, loop: NodeDoc | undefined): boolean {
  if (loop?.input['tolerate'] === true) return true;
  return node.policy?.continueOnError ?? flow.policy?.failFast === false;
}
