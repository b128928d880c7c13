/**
 * Commands that run tests, open those that fail, and create tests from runs.
 */
import { acceptedChanges, asRunId, type CaseResult, type ListedCase } from '../../../../engine/isomorphic.ts';
import { focusNextCheck } from '../../../case-view/focus-check.ts';
import { text as caseText } from '../../../case-view/text.ts';
import { openResult } from '../../../stores/cases/cases.ts';
import { openedCase } from '../../../stores/cases/open-cases.ts';
import { isOver } from '../../../stores/runs/live/live-runs.ts';
import { activeFile, onActiveFile } from '../active-file.ts';
import { activeRun } from '../active-run.ts';
import type { Command, CommandContext } from '../command.ts';
import { focusWhenDrawn } from '../open-file.ts';
import { text } from '../text.ts';

const group = text.groups.run;
const words = caseText.commands;

function hasFolder({ stores }: CommandContext): boolean {
  return stores.workspace.getState().folder !== null;
}

function canRun(context: CommandContext): boolean {
  return hasFolder(context) && !context.stores.cases.getState().isRunning;
}

/** Shows the panel in which the results appear. */
function showPanel({ stores }: CommandContext): void {
  const { isOpen, sideView, chooseSideView } = stores.panes.getState();
  if (!isOpen.side || sideView !== 'tests') chooseSideView('tests');
}

function run(context: CommandContext, cases?: readonly ListedCase[]): void {
  showPanel(context);
  void context.stores.cases.getState().run(cases);
}

/** Runs the tests of the file on screen, which may be the flow or the test file. */
async function runOfFile(context: CommandContext, path: string): Promise<void> {
  const { cases, notices } = context.stores;
  if (cases.getState().files === null) await cases.getState().refresh();
  const files = (cases.getState().files ?? []).filter((file) => file.target === path || file.path === path);
  const own = files.flatMap((file) => file.cases);
  if (own.length > 0) run(context, own);
  else notices.getState().add({ tone: 'info', title: words.noTests, detail: words.noTestsHelp });
}

/** Returns the result of the test that is open over the active file. */
function activeCase({ stores }: CommandContext): CaseResult | undefined {
  const { activePath } = stores.openFiles.getState();
  if (activePath === null) return undefined;
  return openResult(stores.cases.getState(), stores.liveRuns.getState().shown.get(activePath)?.runId, activePath);
}

/** Returns whether the active file shows the table of a dataset. */
function hasTable({ stores }: CommandContext): boolean {
  const { activePath } = stores.openFiles.getState();
  return activePath !== null && stores.datasets.getState().shown?.target === activePath;
}

/** Asks how to save the run on screen. A child run is part of its root. */
async function saveRun(context: CommandContext): Promise<void> {
  const { engine, savedCase, notices } = context.stores;
  const shown = activeRun(context);
  if (shown === undefined) return;
  try {
    const { runId, number } = await engine.call('getRun', shown.caller?.runId ?? shown.runId);
    savedCase.getState().ask({ runId: asRunId(runId), number });
  } catch (error) {
    notices.getState().addError(words.saveFailed, error);
  }
}

export const caseCommands = [
  {
    id: 'tests.runAll',
    title: words.runAll,
    words: words.searchWords,
    group,
    isAvailable: canRun,
    run: (context) => run(context),
  },
  {
    id: 'tests.runOfFlow',
    title: words.runOfFlow,
    words: words.searchWords,
    group,
    isAvailable: (context) => canRun(context) && activeFile(context) !== undefined,
    run: onActiveFile((context, path) => void runOfFile(context, path)),
  },
  {
    id: 'tests.runAffected',
    title: words.runAffected,
    words: words.searchWords,
    group,
    isAvailable: (context) => canRun(context) && context.stores.cases.getState().affected.length > 0,
    run: (context) => run(context, context.stores.cases.getState().affected),
  },
  {
    id: 'tests.nextFailure',
    title: words.nextFailure,
    group,
    shortcut: 'F8',
    repeats: true,
    isAvailable: hasFolder,
    run: ({ stores }) => void stores.cases.getState().openNextFailure(stores.openFiles.getState().activePath),
  },
  {
    id: 'tests.saveRun',
    title: words.saveRun,
    words: words.saveWords,
    group,
    isAvailable(context) {
      const shown = activeRun(context);
      return shown !== undefined && isOver(shown.state) && activeCase(context) === undefined;
    },
    run: onActiveFile((context) => void saveRun(context)),
  },
  {
    id: 'tests.runAgain',
    title: words.runAgain,
    group,
    isAvailable(context) {
      const path = activeFile(context)?.path;
      const { cases } = context.stores;
      return canRun(context) && path !== undefined && openedCase(cases.getState(), path) !== undefined;
    },
    run: onActiveFile(({ stores }, path) => void stores.cases.getState().runAgain(path)),
  },
  {
    id: 'tests.accept',
    title: words.accept,
    group,
    isAvailable(context) {
      const result = activeCase(context);
      return canRun(context) && result !== undefined && acceptedChanges(result).length > 0;
    },
    run: onActiveFile((context, path) => {
      const result = activeCase(context);
      if (result === undefined) return;
      void context.stores.cases.getState().accept(path, result.checks).then(focusNextCheck);
    }),
  },
  {
    id: 'tests.close',
    title: words.close,
    group,
    isAvailable: (context) => activeCase(context) !== undefined,
    run: onActiveFile(({ stores }, path) => stores.cases.getState().close(path)),
  },
  {
    id: 'tests.addColumn',
    title: words.addColumn,
    words: words.addColumnWords,
    group,
    isAvailable: hasTable,
    run: ({ dialogs }) => dialogs.getState().askColumn(),
  },
  {
    id: 'tests.closeTable',
    title: words.closeTable,
    group,
    isAvailable: hasTable,
    run({ stores }) {
      stores.datasets.getState().close();
      focusWhenDrawn(['.stage [role="application"]'], document.activeElement);
    },
  },
] as const satisfies readonly Command[];
