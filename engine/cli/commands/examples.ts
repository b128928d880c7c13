/**
 * Defines `millrace examples …`: the gallery of examples that come with the program.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';

/** Adds `examples` with its subcommands to the program. */
export function addExamplesCommand(program: Command, context: CliContext): void {
  const examples = program.command('examples').description('List and copy complete examples that run without a key');
  examples
    .command('list', { isDefault: true })
    .description('List all examples: what each is for, and what it shows')
    .action(async (_: unknown, command: Command) => {
      const { listExamples } = await import('../actions/examples.ts');
      await listExamples(context, command.optsWithGlobals<GlobalOptions>());
    });
  examples
    .command('copy')
    .description('Copy an example into a folder of the workspace; an existing copy is not changed')
    .argument('<id>', 'ID of the example, which is also the name of the folder')
    .action(async (id: string, _: unknown, command: Command) => {
      const { copyExample } = await import('../actions/examples.ts');
      await copyExample(context, id, command.optsWithGlobals<GlobalOptions>());
    });
}
