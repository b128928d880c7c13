/**
 * Defines the commands about files: `millrace validate`, `format`, `convert` and `schema`.
 */
import { Argument, type Command } from 'commander';
import type { FormatOptions } from '../actions/format-files.ts';
import type { SchemaKind } from '../actions/schema.ts';
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

/** Adds `convert` to the program. */
export function addConvertCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('convert')
    .description('print a step flow as a flow with nodes and edges, and say what that cannot hold')
    .argument('<file>', 'a file with steps')
    .action(async (file: string, _: unknown, command: Command) => {
      const { convertFile } = await import('../actions/convert-file.ts');
      finish(await convertFile(context, file, command.optsWithGlobals<GlobalOptions>()));
    });
}

/** Adds `schema` to the program. */
export function addSchemaCommand(program: Command, context: CliContext): void {
  program
    .command('schema')
    .description('print the JSON Schema of a kind of file, for editors, or of the inputs of a flow, for its callers')
    .addArgument(new Argument('<kind>', 'of what').choices(['flow', 'steps', 'dialogue', 'pack', 'inputs']))
    .argument('[file]', 'the flow file, for inputs')
    .action(async (kind: SchemaKind, file: string | undefined, _: unknown, command: Command) => {
      const { printSchema } = await import('../actions/schema.ts');
      await printSchema(context, { kind, file }, command.optsWithGlobals<GlobalOptions>());
    });
}
