/**
 * Commands that pause the run on screen, and let a paused one continue.
 */
import { isCancellable, isPaused, isUnfinished, type LiveRun } from '../../stores/runs/live/live-runs.ts';
import { wholeRun } from './active-run.ts';
import type { Command, CommandContext } from './command.ts';
import { text } from './text.ts';

const group = text.groups.run;
const { paused: words } = text.run;

/** Whether the run works without a pause that is requested or a step that it takes. */
function mayPause({ state, isCancelling, isPausing }: LiveRun): boolean {
  return isUnfinished(state) && state.pause === undefined && !isCancelling && !isPausing;
}

/** Whether the run is paused or takes a step. */
function isHeld({ state, isCancelling }: LiveRun): boolean {
  return isCancellable(state) && state.pause !== undefined && !isCancelling;
}

function pauseOrContinue(context: CommandContext): void {
  const run = wholeRun(context);
  if (run === undefined) return;
  const { runs } = context.stores;
  void (mayPause(run) ? runs.pause(run.runId) : runs.letGo(run.runId, 'continue'));
}

function letGo(context: CommandContext, action: 'continue' | 'step'): void {
  const run = wholeRun(context);
  if (run !== undefined) void context.stores.runs.letGo(run.runId, action);
}

export const pauseCommands = [
  {
    id: 'run.pause',
    title: words.pause,
    group,
    shortcut: 'F5',
    isAvailable(context) {
      const run = wholeRun(context);
      return run !== undefined && (mayPause(run) || isHeld(run));
    },
    run: pauseOrContinue,
  },
  {
    id: 'run.continue',
    title: words.continue,
    group,
    isAvailable(context) {
      const run = wholeRun(context);
      return run !== undefined && (isHeld(run) || (run.isPausing && isUnfinished(run.state)));
    },
    run: (context) => letGo(context, 'continue'),
  },
  {
    id: 'run.step',
    title: words.step,
    group,
    shortcut: 'F10',
    isAvailable(context) {
      const run = wholeRun(context);
      return run !== undefined && isHeld(run) && isPaused(run.state);
    },
    run: (context) => letGo(context, 'step'),
  },
] as const satisfies readonly Command[];
