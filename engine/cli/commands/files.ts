/**
 * Defines the commands about files: `millrace validate`, `format`, `convert`, `diff`, `import` and `schema`.
 */
import { Argument, type Command } from 'commander';
import type { FormatOptions } from '../actions/format-files.ts';
import type { ImportOptions } from '../actions/import-file.ts';
import type { SchemaKind } from '../actions/schema.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `validate` to the program. */
export function addValidateCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('validate')
    .description('Check flow files, agent files and catalogs without running them')
    .argument('<files...>', 'Flow files, agent files (*.aip) and catalogs (*.dialogue.yaml)')
    .action(async (files: readonly string[], _: unknown, command: Command) => {
      const { validateFiles } = await import('../actions/validate-files.ts');
      finish(await validateFiles(context, files, command.optsWithGlobals<GlobalOptions>()));
    });
}

/** Adds `format` to the program. */
export function addFormatCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('format')
    .description('Format the indentation and spacing of flow files; nothing else changes')
    .argument('<files...>', 'Flow files')
    .option('--check', 'Write nothing; exit with 1 if a file would change')
    .action(async (files: readonly string[], _: unknown, command: Command) => {
      const { formatFiles } = await import('../actions/format-files.ts');
      finish(await formatFiles(context, files, command.optsWithGlobals<FormatOptions>()));
    });
}

/** Adds `diff` to the program. */
export function addDiffCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('diff')
    .description('Print what differs between two versions of a flow: nodes, edges and settings instead of lines')
    .argument('<before>', 'Flow file')
    .argument('<after>', 'Flow file')
    .action(async (before: string, after: string, _: unknown, command: Command) => {
      const { diffFiles } = await import('../actions/diff-files.ts');
      finish(await diffFiles(context, { before, after }, command.optsWithGlobals<GlobalOptions>()));
    });
}

/** Adds `convert` to the program. */
export function addConvertCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('convert')
    .description('Print a step flow as a flow with nodes and edges, and report what cannot be converted')
    .argument('<file>', 'File with steps')
    .action(async (file: string, _: unknown, command: Command) => {
      const { convertFile } = await import('../actions/convert-file.ts');
      finish(await convertFile(context, file, command.optsWithGlobals<GlobalOptions>()));
    });
}

/** Adds `import` to the program. */
export function addImportCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('import')
    .description(
      'Write flows from an n8n workflow, a Rivet project or a Flowise agentflow, or flows with tests from a promptfoo configuration, and report what is missing',
    )
    .argument('<file>', 'Exported file (*.json, *.rivet-project, promptfooconfig.yaml)')
    .option('--out <name>', 'New flow file (default: the name of the file, in the current folder)')
    .action(async (file: string, _: unknown, command: Command) => {
      const { importFile } = await import('../actions/import-file.ts');
      finish(await importFile(context, file, command.optsWithGlobals<ImportOptions>()));
    });
}

/** Adds `schema` to the program. */
export function addSchemaCommand(program: Command, context: CliContext): void {
  program
    .command('schema')
    .description("Print the JSON Schema of a file format, for editors, or of a flow's inputs")
    .addArgument(
      new Argument('<kind>', 'What the schema describes').choices([
        ...['flow', 'steps', 'dialogue', 'test', 'pack', 'inputs'],
      ]),
    )
    .argument('[file]', 'Flow file, only for inputs')
    .action(async (kind: SchemaKind, file: string | undefined, _: unknown, command: Command) => {
      const { printSchema } = await import('../actions/schema.ts');
      await printSchema(context, { kind, file }, command.optsWithGlobals<GlobalOptions>());
    });
}
