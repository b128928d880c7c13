/**
 * Defines `millrace runs …`: the history of a workspace.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ExportFormat } from '../../host/reads/export-trace.ts';
import type { RunStatus } from '../../isomorphic.ts';
import { type StartedBy, startKinds } from '../../runtime/kernel/events/start-event.ts';
import type { PruneFlags, RetentionFlags } from '../actions/old-runs.ts';
import type { LabelFlags } from '../actions/run-overview.ts';
import type { ExportFlags, FilterFlags, ListFlags } from '../actions/runs.ts';
import type { SaveTestFlags } from '../actions/save-test.ts';
import type { SendFlags } from '../actions/send-run.ts';
import type { ChangesFlags, UndoFlags, UndoLimitFlags } from '../actions/undo-run.ts';
import type { CliContext, GlobalOptions, SharedOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

type ReadOptions = GlobalOptions & SharedOptions;

import { collect, historyOption, onOption, parseCount } from './run.ts';

const statuses: readonly RunStatus[] = [
  ...(['queued', 'running', 'suspended', 'completed'] as const),
  ...(['failed', 'cancelled', 'skipped', 'interrupted'] as const),
];
const exportFormats: readonly ExportFormat[] = ['bundle', 'trace', 'otlp'];

/** Parses a kind of start, and the name of what started the run after a colon. */
function parseStarter(text: string): StartedBy {
  const [word = '', ...rest] = text.split(':');
  const kind = startKinds.find((one) => one === word);
  if (kind === undefined)
    throw new InvalidArgumentError(`Choose one of ${startKinds.join(', ')}, such as trigger:weekdays.`);
  return rest.length === 0 ? { kind } : { kind, name: rest.join(':') };
}

/** Adds `runs` with its subcommands to the program. */
export function addRunsCommand(program: Command, context: CliContext, finish: Finish): void {
  const runs = program
    .command('runs')
    .description('List, show, compare, undo, export, send and delete the runs of this workspace')
    .addOption(historyOption())
    .addOption(onOption('Take the name of the workspace from this URL'));
  addFilters(runs.command('list').description('List the runs, newest first'))
    .option('--flow <file>', 'Only runs of this flow or agent file')
    .option('--limit <n>', 'Maximum number of runs', parseCount, 20)
    .action(async (_: unknown, command: Command) => {
      const { listRuns } = await import('../actions/runs.ts');
      await listRuns(context, command.optsWithGlobals<ReadOptions & ListFlags>());
    });
  runs
    .command('show')
    .description('Show the nodes and output of a run')
    .argument('<run>', 'Number or ID of the run, or latest')
    .action(async (run: string, _: unknown, command: Command) => {
      const { showRun } = await import('../actions/runs.ts');
      await showRun(context, run, command.optsWithGlobals<ReadOptions>());
    });
  runs
    .command('events')
    .description('Print the events of a run, one JSON value per line')
    .argument('<run>', 'Number or ID of the run, or latest')
    .action(async (run: string, _: unknown, command: Command) => {
      const { printEvents } = await import('../actions/runs.ts');
      await printEvents(context, run, command.optsWithGlobals<ReadOptions>());
    });
  addCompare(runs, context);
  addOverview(runs, context);
  addExport(runs, context);
  addSend(runs, context, finish);
  addSaveTest(runs, context);
  addUndo(runs, context, finish);
  runs
    .command('delete')
    .description('Delete runs from the history permanently')
    .argument('<run...>', 'Numbers or IDs of runs that have ended or wait')
    .action(async (named: readonly string[], _: unknown, command: Command) => {
      const { deleteRuns } = await import('../actions/runs.ts');
      await deleteRuns(context, named, command.optsWithGlobals<ReadOptions>());
    });
  addPrune(runs, context);
  addRetention(runs, context);
  runs
    .command('value')
    .description('Print a value that was too large for an event, as JSON')
    .argument('<hash>', 'Hash in "$value" of the event')
    .action(async (hash: string, _: unknown, command: Command) => {
      const { printValue } = await import('../actions/runs.ts');
      await printValue(context, hash, command.optsWithGlobals<ReadOptions>());
    });
}

function addCompare(runs: Command, context: CliContext): void {
  runs
    .command('compare')
    .description('Compare two runs of a flow: the nodes that differ, their time, tokens and cost, and why they differ')
    .argument('<a>', 'Number or ID of a run, or latest')
    .argument('<b>', 'Number or ID of the other run')
    .action(async (a: string, b: string, _: unknown, command: Command) => {
      const { compareTwoRuns } = await import('../actions/compare-runs.ts');
      await compareTwoRuns(context, [a, b], command.optsWithGlobals<ReadOptions>());
    });
}

/** Adds the options that select runs. */
function addFilters(command: Command): Command {
  return command
    .addOption(new Option('--status <status>', 'Only runs with this status').choices(statuses))
    .option(
      '--started-by <kind[:name]>',
      `Only runs that were started this way: ${startKinds.join(', ')}`,
      parseStarter,
    )
    .option('--label <label>', 'Only runs with this label')
    .option(
      '--text <text>',
      'Only runs with this text in their inputs, output or error. Searches the newest 10,000 runs that match the other options',
    )
    .option('--since <time>', 'Only runs that started at this time or later, for example 2026-11-30', parseTime)
    .option('--until <time>', 'Only runs that started before this time', parseTime);
}

/** Parses a date, which is the start of that day here, or a time. Returns epoch milliseconds. */
function parseTime(text: string): number {
  const time = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
  if (!Number.isNaN(time)) return time;
  throw new InvalidArgumentError('Write a date such as 2026-11-30, or a time such as 2026-11-30T14:00.');
}

function addOverview(runs: Command, context: CliContext): void {
  addFilters(runs.command('stats').description('Show how long runs take, what they cost, and what fails since when'))
    .argument('[flow]', 'Flow or agent file; without one, all runs')
    .action(async (flow: string | undefined, _: unknown, command: Command) => {
      const { showStats } = await import('../actions/run-overview.ts');
      await showStats(context, flow, command.optsWithGlobals<ReadOptions & FilterFlags>());
    });
  runs
    .command('label')
    .description('Add labels to a run, or remove them')
    .argument('<run>', 'Number or ID of the run, or latest')
    .argument('<label...>', 'Labels, each up to 60 characters')
    .option('--remove', 'Remove the labels')
    .action(async (run: string, labels: readonly string[], _: unknown, command: Command) => {
      const { labelRun } = await import('../actions/run-overview.ts');
      await labelRun(context, { run, labels }, command.optsWithGlobals<LabelFlags>());
    });
  runs
    .command('note')
    .description('Set the note of a run')
    .argument('<run>', 'Number or ID of the run, or latest')
    .argument('<text>', 'The note, up to 2,000 characters; "" removes it')
    .action(async (run: string, note: string, _: unknown, command: Command) => {
      const { noteRun } = await import('../actions/run-overview.ts');
      await noteRun(context, { run, note }, command.optsWithGlobals<ReadOptions>());
    });
}

function addSaveTest(runs: Command, context: CliContext): void {
  runs
    .command('save-test')
    .description('Add a run to a test file as a case, with a recording of its calls and without secrets')
    .argument('<run>', 'Number or ID of the run, or latest')
    .option('--file <file>', 'Test file (default: FLOW.test.yaml beside the flow)')
    .option('--name <name>', 'Name of the case (default: run NUMBER)')
    .option('--all', 'Expect everything that holds, not only the important values')
    .action(async (run: string, _: unknown, command: Command) => {
      const { saveTestOfRun } = await import('../actions/save-test.ts');
      await saveTestOfRun(context, run, command.optsWithGlobals<SaveTestFlags>());
    });
}

function addUndo(runs: Command, context: CliContext, finish: Finish): void {
  runs
    .command('changes')
    .description('List what a run has changed in the files of this workspace')
    .argument('<run>', 'Number or ID of the run, latest, or ID of an undo')
    .option('--diff', 'Show what putting back would remove and add')
    .action(async (run: string, _: unknown, command: Command) => {
      const { showChanges } = await import('../actions/undo-run.ts');
      await showChanges(context, run, command.optsWithGlobals<ChangesFlags>());
    });
  runs
    .command('undo')
    .description('Put back files as they were before a run. Asks first, and again for files that have changed since')
    .argument('<run>', 'Number or ID of the run, latest, or ID of an undo')
    .argument('[file...]', 'Paths in the workspace; all changed files if absent')
    .option('--dry-run', 'List the files and change nothing')
    .option('--overwrite', 'Replace files that have changed since the run, too')
    .option('--yes', 'Do not ask; leaves files that have changed since')
    .action(async (run: string, named: readonly string[], _: unknown, command: Command) => {
      const { undoRun } = await import('../actions/undo-run.ts');
      finish(await undoRun(context, { run, named }, command.optsWithGlobals<UndoFlags>()));
    });
  runs
    .command('undo-limits')
    .description('Show how long, and up to which size, copies of changed files are stored, or change it')
    .option('--size <mib>', 'Total size of the copies in MiB', parseCount)
    .option('--days <n>', 'Age at which copies are removed', parseCount)
    .action(async (_: unknown, command: Command) => {
      const { undoLimits } = await import('../actions/undo-run.ts');
      await undoLimits(context, command.optsWithGlobals<UndoLimitFlags>());
    });
}

function addPrune(runs: Command, context: CliContext): void {
  const prune = runs
    .command('prune')
    .description('Delete old runs from the history permanently. Without a rule, apply that of the workspace');
  addRule(prune)
    .option('--dry-run', 'List the runs and delete nothing')
    .action(async (_: unknown, command: Command) => {
      const { pruneRuns } = await import('../actions/old-runs.ts');
      await pruneRuns(context, command.optsWithGlobals<PruneFlags>());
    });
}

function addRetention(runs: Command, context: CliContext): void {
  const retention = runs
    .command('retention')
    .description('Show which runs are deleted automatically in this workspace, or change it with a rule');
  addRule(retention)
    .option('--keep-all', 'Delete no runs automatically')
    .option('--yes', 'Do not ask; needed without a terminal')
    .action(async (_: unknown, command: Command) => {
      const { keepRuns } = await import('../actions/old-runs.ts');
      await keepRuns(context, command.optsWithGlobals<RetentionFlags>());
    });
}

/** Adds the options that select old runs. */
function addRule(command: Command): Command {
  return command
    .option('--older-than <days>', 'Runs that ended more than this number of days ago', parseCount)
    .option('--keep <n>', 'All but this number of the newest runs of each flow', parseCount);
}

function addSend(runs: Command, context: CliContext, finish: Finish): void {
  runs
    .command('send')
    .description('Export a run for other people: with what it called, and without secrets and personal data')
    .argument('<run>', 'Number or ID of the run, or latest')
    .option('--output, --out <file>', 'Write to this file')
    .option('--html', 'Write a page for browsers instead: canvas, timeline, outputs, nodes and log')
    .option('--dry-run', 'List what would be replaced, and write nothing')
    .option('--word <text>', 'Replace this text, too (repeatable)', collect, [])
    .option('--keep <id>', 'Leave a value, by its ID in the list, or a kind such as email (repeatable)', collect, [])
    .action(async (run: string, _: unknown, command: Command) => {
      const { sendOneRun } = await import('../actions/send-run.ts');
      await sendOneRun(context, run, command.optsWithGlobals<SendFlags>());
    });
  runs
    .command('open')
    .description('Show a run that someone sent, without a workspace')
    .argument('<file>', 'File that `runs send` or `runs export` has written')
    .action(async (file: string, _: unknown, command: Command) => {
      const { openSentRun } = await import('../actions/send-run.ts');
      await openSentRun(context, file, command.optsWithGlobals<GlobalOptions>());
    });
  runs
    .command('replay')
    .description('Run a sent run again with its recorded results. Calls nothing, and needs no keys and no workspace')
    .argument('<file>', 'File that `runs send` or `runs export` has written')
    .action(async (file: string, _: unknown, command: Command) => {
      const { replaySentRun } = await import('../actions/send-run.ts');
      finish(await replaySentRun(context, file, command.optsWithGlobals<GlobalOptions>()));
    });
}

function addExport(runs: Command, context: CliContext): void {
  runs
    .command('export')
    .description('Export a run as one self-contained file, as a folder with its trace, or as spans')
    .argument('<run>', 'Number or ID of the run, or latest')
    .addOption(
      new Option('--format <format>', 'bundle: one JSON file; trace: a folder; otlp: OpenTelemetry spans as JSON')
        .choices(exportFormats)
        .default('bundle'),
    )
    .option('--output, --out <path>', 'Write to this file instead of stdout; for a trace, to this folder')
    .option('--redact', 'Mask likely secrets, email addresses, and card and phone numbers')
    .option('--content', 'Include model responses and tool arguments and results in spans')
    .action(async (run: string, _: unknown, command: Command) => {
      const { exportOneRun } = await import('../actions/runs.ts');
      await exportOneRun(context, run, command.optsWithGlobals<ReadOptions & ExportFlags>());
    });
}
