/**
 * Defines `millrace runs …`: the history of a workspace.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ExportFormat } from '../../host/reads/export-trace.ts';
import { type StartedBy, startKinds } from '../../runtime/kernel/events/start-event.ts';
import type { PruneFlags, RetentionFlags } from '../actions/old-runs.ts';
import type { ExportFlags, ListFlags } from '../actions/runs.ts';
import type { CliContext, GlobalOptions, SharedOptions } from '../cli-context.ts';

type ReadOptions = GlobalOptions & SharedOptions;

import { historyOption, onOption, parseCount } from './run.ts';

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
export function addRunsCommand(program: Command, context: CliContext): void {
  const runs = program
    .command('runs')
    .description('List, show, compare, export and delete the runs of this workspace')
    .addOption(historyOption())
    .addOption(onOption('Take the name of the workspace from this URL'));
  runs
    .command('list')
    .description('List the runs, newest first')
    .option('--limit <n>', 'Maximum number of runs', parseCount, 20)
    .option(
      '--started-by <kind[:name]>',
      `Only runs that were started this way: ${startKinds.join(', ')}`,
      parseStarter,
    )
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
  addExport(runs, context);
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
