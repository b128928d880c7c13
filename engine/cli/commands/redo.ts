/**
 * `millrace redo RUN`: runs the definition of an earlier run again, as its file is now.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `redo` to the program. */
export function addRedoCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('redo')
    .description('run the flow of an earlier run again, as its file is now, with the same inputs')
    .argument('<run>', 'id of the run')
    .action(async (run: string, _: unknown, command: Command) => {
      const { redo } = await import('../actions/redo.ts');
      finish(await redo(context, run, command.optsWithGlobals<GlobalOptions>()));
    });
}
