/**
 * The run that commands are about.
 */
import { rootRunOf } from '../../stores/runs/called-runs.ts';
import { isUnfinished, type LiveRun } from '../../stores/runs/live-runs.ts';
import { selectShownRun } from '../../stores/runs/shown-run.ts';
import type { CommandContext } from './command.ts';

/** The run that the active file shows. */
export function activeRun({ stores }: CommandContext): LiveRun | undefined {
  const { activePath } = stores.openFiles.getState();
  return activePath === null ? undefined : selectShownRun(stores.liveRuns.getState(), activePath);
}

/** What can be cancelled, run again and resumed: the run at the top, when one that it called is shown. */
export function wholeRun(context: CommandContext): LiveRun | undefined {
  const run = activeRun(context);
  return run === undefined ? undefined : rootRunOf(context.stores.liveRuns.getState(), run);
}

/** Whether it was called by another one. */
export function isCalled(context: CommandContext): boolean {
  return activeRun(context)?.caller != null;
}

/** Whether the run that is shown, or that it is a part of, goes on. */
export function isRunning(context: CommandContext): boolean {
  const run = wholeRun(context);
  return run !== undefined && isUnfinished(run.state);
}

/** Whether its Cancel was on screen until a moment ago: what was meant to stop a run must not start one. */
export function hasJustEnded(context: CommandContext): boolean {
  const run = wholeRun(context);
  const { runs } = context.stores.recentSwitches.getState();
  return run !== undefined && !isUnfinished(run.state) && runs.has(run.runId);
}
