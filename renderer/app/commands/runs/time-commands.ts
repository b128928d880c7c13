/**
 * Commands that show the run on screen at earlier moments.
 */
import { isCataloguePath } from '../../../../engine/isomorphic.ts';
import { text as time } from '../../../run-view/time/text.ts';
import type { LiveRun } from '../../../stores/runs/live/live-runs.ts';
import { wholeRun } from '../active-run.ts';
import type { Command, CommandContext } from '../command.ts';
import { text } from '../text.ts';

const group = text.groups.run;
const { commands: words } = time;

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
