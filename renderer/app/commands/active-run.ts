/**
 * The run that commands act on.
 */
import { rootRunOf } from '../../stores/runs/called-runs.ts';
import { isPaused, isUnfinished, type LiveRun } from '../../stores/runs/live/live-runs.ts';
import { waitingNodes } from '../../stores/runs/requests/waiting-list.ts';
import { selectRunNow } from '../../stores/runs/shown-run.ts';
import type { CommandContext } from './command.ts';

/** Returns the run that the active file shows, as it is now. */
export function activeRun({ stores }: CommandContext): LiveRun | undefined {
  const { activePath } = stores.openFiles.getState();
  return activePath === null ? undefined : selectRunNow(stores.liveRuns.getState(), activePath);
}

/** Returns the run that can be canceled, rerun and resumed: the root run, even if a child run is shown. */
export function wholeRun(context: CommandContext): LiveRun | undefined {
  const run = activeRun(context);
  return run === undefined ? undefined : rootRunOf(context.stores.liveRuns.getState(), run);
}

/** Whether the shown run is a child run. */
export function isCalled(context: CommandContext): boolean {
  return activeRun(context)?.caller != null;
}

/** Whether the shown run, or its root run, is active. */
export function isRunning(context: CommandContext): boolean {
  const run = wholeRun(context);
  return run !== undefined && isUnfinished(run.state);
}

/** Whether the shown run waits for an answer, not only for a person who lets it continue. */
export function hasOpenRequest(context: CommandContext): boolean {
  const state = activeRun(context)?.state;
  return state?.status === 'suspended' && (!isPaused(state) || waitingNodes(state, null).length > 0);
}

/** Whether its Cancel button was visible until a moment ago: a click intended to stop a run must not start one. */
export function hasJustEnded(context: CommandContext): boolean {
  const run = wholeRun(context);
  const { runs } = context.stores.recentSwitches.getState();
  return run !== undefined && !isUnfinished(run.state) && runs.has(run.runId);
}
