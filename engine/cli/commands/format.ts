/**
 * `millrace format FILE…`: makes the layout of flow files even.
 */
import type { Command } from 'commander';
import type { FormatOptions } from '../actions/format-files.ts';
import type { CliContext } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `format` to the program. */
export function addFormatCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('format')
    .description('make indentation and blanks of flow files even; nothing else changes')
    .argument('<files...>', 'flow files')
    .option('--check', 'write nothing; exit with 1 when a file would change')
    .action(async (files: readonly string[], _: unknown, command: Command) => {
      const { formatFiles } = await import('../actions/format-files.ts');
      finish(await formatFiles(context, files, command.optsWithGlobals<FormatOptions>()));
    });
}
