/**
 * `millrace rerun RUN --from NODE`: runs an earlier run again from one node on.
 */
import type { Command } from 'commander';
import type { RerunOptions } from '../actions/rerun.ts';
import type { CliContext } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `rerun` to the program. */
export function addRerunCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('rerun')
    .description('run an earlier run again from one node on, as its file is now; the rest keeps what it gave')
    .argument('<run>', 'id of the run')
    .requiredOption('--from <node>', 'the node from which all runs again')
    .option('--plan', 'only say what would run again, and why')
    .action(async (run: string, _: unknown, command: Command) => {
      const { rerun } = await import('../actions/rerun.ts');
      finish(await rerun(context, run, command.optsWithGlobals<RerunOptions>()));
    });
}
