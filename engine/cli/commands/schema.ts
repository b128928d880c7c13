/**
 * `millrace schema KIND`: the JSON Schema of a kind of file, for editors.
 */
import { Argument, type Command } from 'commander';
import { flowJsonSchema } from '../../isomorphic.ts';
import { builtinRegistry } from '../builtin-registry.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';

/** Adds `schema` to the program. */
export function addSchemaCommand(program: Command, { terminal }: CliContext): void {
  program
    .command('schema')
    .description('print the JSON Schema of a kind of file, for editors')
    .addArgument(new Argument('<kind>', 'which kind').choices(['flow']))
    .action((_kind: string, _: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const schema = flowJsonSchema(builtinRegistry);
      terminal.out(`${JSON.stringify(schema, undefined, json === true ? undefined : 2)}\n`);
    });
}
