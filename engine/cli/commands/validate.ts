/**
 * `millrace validate FILE…`: says what is wrong with flow and agent files, all of it at once.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `validate` to the program. */
export function addValidateCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('validate')
    .description('check flow and agent files without running them')
    .argument('<files...>', 'flow files, and agent files (*.aip)')
    .action(async (files: readonly string[], _: unknown, command: Command) => {
      const { validateFiles } = await import('../actions/validate-files.ts');
      finish(await validateFiles(context, files, command.optsWithGlobals<GlobalOptions>()));
    });
}
