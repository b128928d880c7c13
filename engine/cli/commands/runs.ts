/**
 * `millrace runs …`: the history of a workspace.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { parseCount } from './run.ts';

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
  runs
    .command('export')
    .description('one run as one JSON file: what it ran, all events and values')
    .argument('<run>', 'number or id of the run')
    .option('--output <file>', 'write to this file instead of stdout')
    .option('--redact', 'without what looks like a secret, mail addresses, and numbers of cards and telephones')
    .action(async (run: string, _: unknown, command: Command) => {
      const { exportOneRun } = await import('../actions/runs.ts');
      await exportOneRun(context, run, command.optsWithGlobals<GlobalOptions & { output?: string; redact?: true }>());
    });
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
