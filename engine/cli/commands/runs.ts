/**
 * Defines `millrace runs …`: the history of a workspace.
 */
import { type Command, Option } from 'commander';
import type { ExportFormat } from '../../host/reads/export-trace.ts';
import type { ExportFlags } from '../actions/runs.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { parseCount } from './run.ts';

const exportFormats: readonly ExportFormat[] = ['bundle', 'trace', 'otlp'];

/** Adds `runs` with its subcommands to the program. */
export function addRunsCommand(program: Command, context: CliContext): void {
  const runs = program.command('runs').description('what ran in this workspace');
  runs
    .command('list')
    .description('the runs, newest first')
    .option('--limit <n>', 'how many at most', parseCount, 20)
    .action(async (_: unknown, command: Command) => {
      const { listRuns } = await import('../actions/runs.ts');
      await listRuns(context, command.optsWithGlobals<GlobalOptions & { limit: number }>());
    });
  runs
    .command('show')
    .description('one run: its nodes and what it gave')
    .argument('<run>', 'number or id of the run')
    .action(async (run: string, _: unknown, command: Command) => {
      const { showRun } = await import('../actions/runs.ts');
      await showRun(context, run, command.optsWithGlobals<GlobalOptions>());
    });
  runs
    .command('events')
    .description('the events of a run, one JSON value a line')
    .argument('<run>', 'number or id of the run')
    .action(async (run: string, _: unknown, command: Command) => {
      const { printEvents } = await import('../actions/runs.ts');
      await printEvents(context, run, command.optsWithGlobals<GlobalOptions>());
    });
  addExport(runs, context);
  runs
    .command('delete')
    .description('take runs out of the history for good')
    .argument('<run...>', 'numbers or ids of runs that have ended or wait')
    .action(async (named: readonly string[], _: unknown, command: Command) => {
      const { deleteRuns } = await import('../actions/runs.ts');
      await deleteRuns(context, named, command.optsWithGlobals<GlobalOptions>());
    });
  runs
    .command('value')
    .description('a value that was too large for an event, as JSON')
    .argument('<hash>', 'what stands behind "$value" in the event')
    .action(async (hash: string, _: unknown, command: Command) => {
      const { printValue } = await import('../actions/runs.ts');
      await printValue(context, hash, command.optsWithGlobals<GlobalOptions>());
    });
}

function addExport(runs: Command, context: CliContext): void {
  runs
    .command('export')
    .description('one run for others: as one file with all of it, as a folder with its trace, or as spans')
    .argument('<run>', 'number or id of the run')
    .addOption(
      new Option('--format <format>', 'bundle: one JSON file; trace: a folder; otlp: spans of OpenTelemetry as JSON')
        .choices(exportFormats)
        .default('bundle'),
    )
    .option('--output, --out <path>', 'write to this file instead of stdout; of a trace, the folder to write into')
    .option('--redact', 'without what looks like a secret, mail addresses, and numbers of cards and telephones')
    .option('--content', 'of spans, with what models answered, and what tools were given and gave')
    .action(async (run: string, _: unknown, command: Command) => {
      const { exportOneRun } = await import('../actions/runs.ts');
      await exportOneRun(context, run, command.optsWithGlobals<GlobalOptions & ExportFlags>());
    });
}
