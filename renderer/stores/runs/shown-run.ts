/**
 * The state of a shown run for views: whether its text is on screen instead of the file, and the display state of the
 * run and its nodes.
 */

import {
  baseNodeId,
  type FlowDoc,
  type HeldNode,
  isLoop,
  type NodeDoc,
  type NodeState,
  type RunSummary,
} from '../../../engine/isomorphic.ts';
import { placeWith } from '../flow/node-places.ts';
import type { CheckedText } from '../text/check.ts';
import type { OpenFile } from '../text/file.ts';
import type { FlowViewState } from '../window/selection.ts';
import { isPaused, isUnfinished, type LiveRun, type LiveRuns } from './live/live-runs.ts';
import { text } from './text.ts';

/**
 * Returns the path of a node in a run: for a node in a body, that of the selected item, or else of the followed one.
 */
export function placeInRun({ state }: LiveRun, nodeId: string, items: FlowViewState['items']): string {
  // A node that is held in the first item has not started anywhere.
  const followed = state.tallies.bodies.get(nodeId)?.followed ?? heldPlaceOf(state, nodeId);
  return followed === undefined ? nodeId : placeWith(followed, items);
}

function heldPlaceOf({ held }: LiveRun['state'], nodeId: string): string | undefined {
  return held.map(({ name }) => name.split('/', 1)[0] ?? name).find((place) => baseNodeId(place) === nodeId);
}

/** Returns the run that is shown over a flow, as it is on screen: now, or at an earlier moment. */
export function selectShownRun({ runs, past, shown }: LiveRuns, path: string): LiveRun | undefined {
  const current = shown.get(path);
  return current === undefined ? undefined : (past.get(current.runId) ?? runs.get(current.runId));
}

/** Returns the run that is shown over a flow, as it is now, even if an earlier moment is on screen. */
export function selectRunNow({ runs, shown }: LiveRuns, path: string): LiveRun | undefined {
  const current = shown.get(path);
  return current === undefined ? undefined : runs.get(current.runId);
}

/** The text of a run that is on screen instead of the file. */
type ShownDefinition = (CheckedText & { readonly isCompared?: true }) | null;

/**
 * Returns the flow as it was in the older version that a run executed, while such a run is shown, or both versions of
 * compared runs.
 */
export function flowOnScreen(flow: OpenFile | undefined, definition: ShownDefinition): OpenFile | undefined {
  if (flow === undefined || definition === null || flow.status === 'loading') return flow;
  const { isCompared = false, ...checked } = definition;
  if (checked.text === flow.text && !isCompared) return flow;
  // A run over a catalog has executed a flow.
  const kind = flow.kind === 'dialogue' ? 'flow' : flow.kind;
  const readOnlyReason = isCompared ? text.actions.comparing : text.actions.oldVersion;
  return { ...flow, ...checked, kind, status: 'ready', isOldVersion: true, readOnlyReason };
}

/**
 * Returns the text of the run that is shown over a flow. Null if the user's text is on screen instead, because edits
 * must always apply to the visible text.
 */
export function selectShownDefinition(state: LiveRuns, path: string): ShownDefinition {
  const shown = state.shown.get(path);
  if (shown === undefined) return null;
  const { comparison = null, definition = null } = state.runs.get(shown.runId) ?? {};
  // A comparison stays on screen while its results are applied to the file.
  return comparison?.definition ?? (shown.isLoose ? null : definition);
}

export type ShownState =
  | 'idle'
  | 'queued'
  | 'running'
  | 'retrying'
  | 'suspended'
  | 'pausing'
  | 'paused'
  | 'completed'
  | 'reused'
  | 'pinned'
  | 'changed'
  | 'failed'
  | 'tolerated'
  | 'skipped'
  | 'cancelled'
  | 'cancelling'
  | 'disabled'
  | 'interrupted'
  | 'stale';

/**
 * Returns the display state of a listed run: `cancelling` or `pausing` from the request until its event arrives.
 * @param run the same run, if it is loaded
 */
export function shownRunState(
  { status, waitStatus }: Pick<RunSummary, 'status' | 'waitStatus'>,
  run?: Partial<RequestedOfRun>,
): ShownState {
  if (run?.isCancelling === true) return 'cancelling';
  if (run?.isPausing === true && isUnfinished({ status })) return 'pausing';
  return status === 'suspended' && waitStatus === 'PAUSED' ? 'paused' : status;
}

type RequestedOfRun = Pick<LiveRun, 'isCancelling' | 'isPausing'>;

/** Returns the display state of a loaded run. */
export function shownStateOfRun({ state, ...run }: Pick<LiveRun, 'state'> & Partial<RequestedOfRun>): ShownState {
  const { status } = state;
  return shownRunState(isPaused(state) ? { status, waitStatus: 'PAUSED' } : { status }, run);
}

/**
 * Returns the path of the node that a paused run starts next, if it is this node of the file. For a node in a child
 * run, that is the calling node.
 */
export function nextPlaceAt({ state }: Pick<LiveRun, 'state'>, nodeId: string): string | undefined {
  const place = isPaused(state) ? state.pause?.nextNode?.split('/')[0] : undefined;
  return place !== undefined && baseNodeId(place) === nodeId ? place : undefined;
}

/** Returns the node that a paused run holds at a path, or in a child run below it. */
export function heldAt({ state }: Pick<LiveRun, 'state'>, place: string): HeldNode | undefined {
  if (!isPaused(state)) return undefined;
  return state.held.find(({ name }) => name === place || name.startsWith(`${place}/`));
}

/** Returns the display state of a node that the run has not reached: it may still run, or never did. */
function unreachedState(run: LiveRun): ShownState {
  const { status } = run.state;
  return status === 'running' || status === 'queued' || status === 'suspended' ? 'queued' : 'idle';
}

/** Returns the display state of a node that did not compute its output in this run. */
function reusedState({ given, isPinned }: NodeState): ShownState {
  if (given !== undefined) return 'changed';
  return isPinned === true ? 'pinned' : 'reused';
}

/** Returns the display state of a node in a run. `isTolerated`: whether the run continues if this node fails. */
export function shownNodeState(run: LiveRun, node: NodeState | undefined, isTolerated: boolean): ShownState {
  if (node === undefined) return unreachedState(run);
  switch (node.status) {
    case 'running':
    case 'retrying':
      if (run.isCancelling) return 'cancelling';
      // It has started, and something below it starts next.
      return isPaused(run.state) ? 'paused' : node.status;
    case 'failed':
      return isTolerated && run.state.error?.nodeId !== node.nodeId ? 'tolerated' : 'failed';
    case 'skipped':
      return node.skip?.reason === 'disabled' ? 'disabled' : 'skipped';
    case 'cancelled':
      return run.state.status === 'interrupted' ? 'interrupted' : 'cancelled';
    case 'reused':
      return reusedState(node);
    case 'suspended':
    case 'completed':
      return node.status;
  }
}

/** Returns whether a run of a single node excludes this one, so that it is never reached. */
function isLeftOut({ state: { scope, nodes } }: LiveRun, nodeId: string): boolean {
  return scope !== null && 'only' in scope && scope.only !== nodeId && !nodes.has(nodeId);
}

/** A node of the file, and its path in the run. */
interface PlacedNode {
  readonly nodeId: string;
  readonly place: string;
  readonly isTolerated: boolean;
}

/** Returns the display state of a node: as `shownNodeState`, or `paused` for the next one of a paused run. */
export function placedState(run: LiveRun, { nodeId, place, isTolerated }: PlacedNode): ShownState {
  const node = run.state.nodes.get(place);
  const next = nextPlaceAt(run, nodeId);
  if (next !== undefined && (next === place || (node === undefined && place === nodeId))) return 'paused';
  return node === undefined && isLeftOut(run, nodeId) ? 'idle' : shownNodeState(run, node, isTolerated);
}

/**
 * Returns the display state of a node of the file: as `placedState`, or `stale` if the result of the run shown over
 * the edited file is out of date. A disabled node stays disabled.
 */
export function shownStateOf(run: LiveRun, placed: PlacedNode): ShownState {
  const { nodeId } = placed;
  const state = placedState(run, placed);
  return state !== 'disabled' && run.stale.has(nodeId) ? 'stale' : state;
}

/** Returns whether the file lets the run continue if this node fails. `loop`: the loop that contains it, if any. */
export function isFailureTolerated({ flow }: FlowDoc, node: NodeDoc, loop: NodeDoc | undefined): boolean {
  if (loop?.input['tolerate'] === true) return true;
  return node.policy?.continueOnError ?? flow.policy?.failFast === false;
}

/** Maximum number of animated marks that software rendering can paint within a frame. */
const mostInMotion = 6;

/**
 * Returns whether too many nodes are running to animate their marks. Loops are excluded, because they wait for the
 * nodes of their body.
 */
export function isBusy({ state, moment }: LiveRun): boolean {
  // Nothing moves at an earlier moment.
  if (moment !== null) return true;
  let count = 0;
  for (const { status, nodeType } of state.nodes.values()) {
    if (status === 'running' && !isLoop(nodeType)) count++;
    if (count > mostInMotion) return true;
  }
  return false;
}
