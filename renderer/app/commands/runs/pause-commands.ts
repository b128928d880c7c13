/**
 * Commands that pause the run on screen, let a paused one continue, and set breakpoints.
 */

import { text as breakpointText } from '../../../run-view/breakpoints/text.ts';
import { isCancellable, isPaused, isUnfinished, type LiveRun } from '../../../stores/runs/live/live-runs.ts';
import { activeRun, wholeRun } from '../active-run.ts';
import type { Command, CommandContext } from '../command.ts';
import { selectedNode } from '../part-commands.ts';
import { text } from '../text.ts';

const group = text.groups.run;
const { paused: words } = text.run;
const { commands: breakpointWords } = breakpointText;

/** Whether the run works without a pause that is requested or a step that it takes. */
function mayPause({ state, isCancelling, isPausing }: LiveRun): boolean {
  return isUnfinished(state) && state.pause === undefined && !isCancelling && !isPausing;
}

/** Whether the run is paused or takes a step. */
function isHeld({ state, isCancelling }: LiveRun): boolean {
  return isCancellable(state) && state.pause !== undefined && !isCancelling;
}

/** Whether the run is paused because it has used its budget. It would be paused again if it just continued. */
function isAtBudget(run: LiveRun): boolean {
  return isHeld(run) && isPaused(run.state) && run.state.pause?.reason === 'budget';
}

function pauseOrContinue(context: CommandContext): void {
  const run = wholeRun(context);
  if (run !== undefined && mayPause(run)) void context.stores.runs.pause(run.runId);
  else letGo(context, 'continue');
}

function letGo(context: CommandContext, action: 'continue' | 'step'): void {
  const run = wholeRun(context);
  if (run === undefined) return;
  if (isAtBudget(run)) context.dialogs.getState().show('raise-budget');
  else void context.stores.runs.letGo(run.runId, action);
}

/** The node before which the run on screen is held. */
function heldPlace(context: CommandContext): string | undefined {
  const state = activeRun(context)?.state;
  const next = state === undefined || !isPaused(state) ? undefined : state.pause?.nextNode;
  return state?.held.some(({ name }) => name === next) === true ? next : undefined;
}

/** Shows the form for a held node. */
function answerHeld(context: CommandContext, kind: 'edit' | 'skip'): void {
  const { selection, panes, openFiles } = context.stores;
  const { activePath } = openFiles.getState();
  const place = heldPlace(context);
  if (place === undefined || activePath === null) return;
  const [own = place] = place.split('/');
  selection.getState().selectPlace(activePath, own);
  panes.getState().answerHeld({ place, kind });
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
    id: 'run.raiseBudget',
    title: breakpointWords.raise,
    group,
    isAvailable(context) {
      const run = wholeRun(context);
      return run !== undefined && isAtBudget(run);
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
      return run !== undefined && isHeld(run) && isPaused(run.state) && !isAtBudget(run);
    },
    run: (context) => letGo(context, 'step'),
  },
  {
    id: 'run.skipNode',
    title: breakpointWords.skip,
    group,
    isAvailable: (context) => heldPlace(context) !== undefined,
    run: (context) => answerHeld(context, 'skip'),
  },
  {
    id: 'run.editInput',
    title: breakpointWords.edit,
    group,
    isAvailable: (context) => heldPlace(context) !== undefined,
    run: (context) => answerHeld(context, 'edit'),
  },
  {
    id: 'run.breakpoint',
    title: breakpointWords.toggle,
    words: breakpointWords.toggleWords,
    group,
    shortcut: 'F9',
    isAvailable: (context) => selectedNode(context) !== undefined,
    run(context) {
      const subject = selectedNode(context);
      if (subject !== undefined) context.stores.breakpoints.getState().toggle(subject.path, subject.nodeId);
    },
  },
] as const satisfies readonly Command[];
