/**
 * `millrace schema KIND`: the JSON Schema of a kind of file, for editors.
 */
import { Argument, type Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';

/** Adds `schema` to the program. */
export function addSchemaCommand(program: Command, context: CliContext): void {
  program
    .command('schema')
    .description('print the JSON Schema of a kind of file, for editors')
    .addArgument(new Argument('<kind>', 'which kind').choices(['flow', 'pack']))
    .action(async (kind: 'flow' | 'pack', _: unknown, command: Command) => {
      const { printSchema } = await import('../actions/schema.ts');
      await printSchema(context, kind, command.optsWithGlobals<GlobalOptions>());
    });
}
