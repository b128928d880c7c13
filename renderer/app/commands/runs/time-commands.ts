/**
 * Commands that show parts of the run on screen, and the run at earlier moments.
 */
import { isCataloguePath } from '../../../../engine/isomorphic.ts';
import { text as time } from '../../../run-view/time/text.ts';
import type { LiveRun } from '../../../stores/runs/live/live-runs.ts';
import { nextFrame } from '../../../ui/next-frame.ts';
import { activeFile } from '../active-file.ts';
import { activeRun, wholeRun } from '../active-run.ts';
import type { Command, CommandContext } from '../command.ts';
import { text } from '../text.ts';

const group = text.groups.run;
const { commands: words, views } = time;

/** Returns the `seq` of the moment of a run that is on screen, if that is not now. */
function shownSeq({ stores }: CommandContext, { runId }: LiveRun): number | undefined {
  return stores.liveRuns.getState().past.get(runId)?.moment?.seq;
}

/** Whether the run has earlier moments than the one on screen. */
function hasEarlier(context: CommandContext): boolean {
  const run = wholeRun(context);
  return run !== undefined && (shownSeq(context, run) ?? run.track.lastSeq) > 0;
}

function isPast(context: CommandContext): boolean {
  const run = wholeRun(context);
  return run !== undefined && shownSeq(context, run) !== undefined;
}

function step(context: CommandContext, direction: 1 | -1, unit: 'event' | 'node'): void {
  const run = wholeRun(context);
  if (run !== undefined) void context.stores.moments.step(run.runId, direction, unit);
}

function stepCommand<Id extends string>(id: Id, direction: 1 | -1, unit: 'event' | 'node') {
  return {
    id: `time.${id}`,
    title: words[id as keyof typeof words],
    group,
    repeats: true,
    isAvailable: direction === 1 ? isPast : hasEarlier,
    run: (context: CommandContext) => step(context, direction, unit),
  } as const;
}

/** Shows what would be reused if the run started again from the moment on screen. */
async function planFromMoment(context: CommandContext): Promise<void> {
  const { stores, dialogs } = context;
  const run = wholeRun(context);
  const until = run && shownSeq(context, run);
  if (run === undefined || until === undefined) return;
  const path = run.state.sourcePath;
  // A child run is shown over another file.
  if (stores.openFiles.getState().activePath !== path) await stores.openFiles.getState().open(path);
  dialogs.getState().showRerun({ path, runId: run.runId, until });
}

function focusSoon(selector: string): void {
  nextFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}

function hasRun(context: CommandContext): boolean {
  return activeRun(context) !== undefined;
}

/** @param first what receives the focus */
function dockCommand<Tab extends 'timeline' | 'log' | 'outputs'>(id: Tab, first: string) {
  return {
    id: `view.${id}`,
    title: views[id],
    words: views[`${id}Words`],
    group: text.groups.view,
    isAvailable: hasRun,
    run({ stores }: CommandContext) {
      stores.panes.getState().showDock(id);
      focusSoon(`.run-dock :is(${first})`);
    },
  } as const;
}

/** Returns the node in a loop whose items can be selected: the selected one, or else the first. */
function nodeWithItems(context: CommandContext): string | undefined {
  const { bodies } = activeRun(context)?.state.tallies ?? {};
  const path = activeFile(context)?.path;
  const selected = path === undefined ? null : context.stores.selection.getState().views.get(path)?.nodeId;
  return selected != null && bodies?.has(selected) ? selected : bodies?.keys().next().value;
}

/** Moves the focus to the items of a loop in the inspector. */
function goToItems(context: CommandContext): void {
  const path = activeFile(context)?.path;
  const nodeId = nodeWithItems(context);
  if (path === undefined || nodeId === undefined) return;
  context.stores.selection.getState().selectNode(path, nodeId);
  context.stores.panes.getState().setOpen('inspector', true);
  focusSoon('.item-strip');
}

/** The parts of a run on screen. */
export const runViewCommands = [
  dockCommand('timeline', '.timeline [data-roving]'),
  dockCommand('log', '.run-log-filter > input'),
  dockCommand('outputs', '.outputs-view :is([role="grid"], button, [tabindex="0"])'),
  {
    id: 'view.items',
    title: views.items,
    words: views.itemsWords,
    group: text.groups.view,
    isAvailable: (context) => nodeWithItems(context) !== undefined,
    run: goToItems,
  },
] as const satisfies readonly Command[];

export const timeCommands = [
  stepCommand('earlier', -1, 'event'),
  stepCommand('later', 1, 'event'),
  stepCommand('earlierNode', -1, 'node'),
  stepCommand('laterNode', 1, 'node'),
  {
    id: 'time.first',
    title: words.first,
    group,
    isAvailable: hasEarlier,
    run(context) {
      const run = wholeRun(context);
      if (run !== undefined) void context.stores.moments.show(run.runId, 0);
    },
  },
  {
    id: 'time.now',
    title: words.now,
    group,
    shortcut: 'End',
    where: 'outside-texts',
    isAvailable: isPast,
    run(context) {
      const run = wholeRun(context);
      if (run !== undefined) void context.stores.moments.show(run.runId, run.track.lastSeq);
    },
  },
  {
    id: 'run.fromMoment',
    title: words.runAgain,
    group,
    isAvailable: (context) => isPast(context) && !isCataloguePath(wholeRun(context)?.state.sourcePath ?? ''),
    run: (context) => void planFromMoment(context),
  },
] as const satisfies readonly Command[];
