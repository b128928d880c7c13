/**
 * `millrace list [FILTER]`: the packs there are.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `list` to the program. */
export function addListCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('list')
    .description('list the packs of the workspace, your own and installed ones')
    .argument('[filter]', 'namespace@, @name, namespace@name, or a part of a name')
    .action(async (filter: string | undefined, _: unknown, command: Command) => {
      const { listPacks } = await import('../actions/list-packs.ts');
      finish(await listPacks(context, filter, command.optsWithGlobals<GlobalOptions>()));
    });
}
