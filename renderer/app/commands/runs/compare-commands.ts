/**
 * Commands that compare runs on the canvas.
 */
import type { RunSummary } from '../../../../engine/isomorphic.ts';
import { text as compareText } from '../../../compare/text.ts';
import { loopsAround } from '../../../stores/flow/loop-bodies.ts';
import { differenceAt, isComparable, stepDifference } from '../../../stores/runs/run-picks.ts';
import { activeFile, onActiveFile } from '../active-file.ts';
import { activeRun } from '../active-run.ts';
import type { Command, CommandContext } from '../command.ts';
import type { ModelTrial } from '../dialogs.ts';
import { focusWhenDrawn } from '../open-file.ts';
import { selectedNode } from '../part-commands.ts';
import { canStart, endedRun } from '../run-commands.ts';
import { text } from '../text.ts';

const group = text.groups.run;
const words = compareText.commands;

/** Returns the run on screen with those of its flow that can be compared with it, newest first. */
async function comparableRuns({ stores }: CommandContext, path: string): Promise<readonly RunSummary[]> {
  const runs = await stores.engine.call('listRuns', { sourcePath: path, limit: 50 });
  return (runs as readonly RunSummary[]).filter(isComparable);
}

function isCompared(context: CommandContext): boolean {
  return activeRun(context)?.comparison != null;
}

function hasEndedRun(context: CommandContext): boolean {
  const run = activeRun(context);
  return activeFile(context)?.kind === 'flow' && run !== undefined && run.caller === null && isComparable(run.state);
}

/** The first row of the list of runs. */
const firstRow = ['.run-history [data-picked="true"]', '.run-history .run-row'];

/** Chooses the run on screen, and shows the list in which the person chooses the other one. */
async function chooseOther(context: CommandContext, path: string): Promise<void> {
  const { panes, runHistory, runPicks } = context.stores;
  const runId = activeRun(context)?.runId;
  const shown = (await comparableRuns(context, path)).find((run) => run.runId === runId);
  if (shown === undefined) return;
  runHistory.getState().setScope('this');
  if (panes.getState().sideView !== 'runs' || !panes.getState().isOpen.side) panes.getState().chooseSideView('runs');
  runPicks.getState().pickFor(shown);
  focusWhenDrawn(firstRow, document.activeElement);
}

/** Compares the run on screen with the one before it. */
async function comparePrevious(context: CommandContext, path: string): Promise<void> {
  const { notices, runPicks } = context.stores;
  const runs = await comparableRuns(context, path);
  const at = runs.findIndex(({ runId }) => runId === activeRun(context)?.runId);
  const [shown, previous] = at < 0 ? [] : [runs[at], runs[at + 1]];
  if (shown === undefined || previous === undefined) {
    notices.getState().add({ tone: 'info', title: words.noPrevious, detail: words.noPreviousHelp });
    return;
  }
  runPicks.getState().clear();
  runPicks.getState().toggle(previous, shown);
}

/** The types of nodes with a model in their `config`. */
const modelTypes: ReadonlySet<string> = new Set(['prompt', 'agent']);

/** Returns the selected node of an ended run, to run it alone with other models. Null if it has no model. */
function modelTrial(context: CommandContext): ModelTrial | null {
  const [subject, ended] = [selectedNode(context), endedRun(context)];
  if (subject === undefined || ended === null) return null;
  const { path, nodeId, flow } = subject;
  const type = flow.doc?.nodes.find(({ id }) => id === nodeId)?.type ?? '';
  // A node in a loop runs with the whole loop.
  const [outermost = nodeId] = loopsAround(flow.nesting, nodeId);
  return modelTypes.has(type) ? { path, runId: ended.run.runId, nodeId, part: { only: outermost } } : null;
}

function stepCommand<const Id extends string>(id: Id, title: string, by: 1 | -1) {
  return {
    id,
    title,
    group,
    shortcut: by === 1 ? 'F7' : 'Shift+F7',
    repeats: true,
    isAvailable(context: CommandContext) {
      const comparison = activeRun(context)?.comparison ?? null;
      const path = activeFile(context)?.path;
      if (comparison === null || path === undefined) return false;
      const at = differenceAt(comparison, context.stores.selection.getState().views.get(path)?.nodeId ?? null);
      return by === 1 ? at < comparison.result.differing.length - 1 : at !== 0;
    },
    run: onActiveFile(({ stores }, path) => void stepDifference(stores, path, by)),
  } as const;
}

export const compareCommands = [
  {
    id: 'compare.previousRun',
    title: words.previousRun,
    words: words.searchWords,
    group,
    isAvailable: hasEndedRun,
    run: onActiveFile((context, path) => void comparePrevious(context, path)),
  },
  {
    id: 'compare.choose',
    title: words.choose,
    words: words.searchWords,
    group,
    isAvailable: hasEndedRun,
    run: onActiveFile((context, path) => void chooseOther(context, path)),
  },
  {
    id: 'compare.models',
    title: words.models,
    words: words.modelsSearchWords,
    group,
    isAvailable: (context) => canStart(context) && modelTrial(context) !== null,
    run(context) {
      const trial = modelTrial(context);
      if (trial !== null) context.dialogs.getState().showTryModels(trial);
    },
  },
  stepCommand('compare.next', words.next, 1),
  stepCommand('compare.previous', words.previous, -1),
  {
    id: 'compare.end',
    title: words.end,
    group,
    isAvailable: isCompared,
    run: ({ stores }) => stores.runPicks.getState().endComparison(),
  },
] as const satisfies readonly Command[];
