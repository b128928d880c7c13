/**
 * `millrace update [REF]`: newer versions of installed packs.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `update` to the program. */
export function addUpdateCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('update')
    .description('install newer versions of packs, from where each came from')
    .argument('[ref]', 'namespace@name; else all')
    .action(async (ref: string | undefined, _: unknown, command: Command) => {
      const { update } = await import('../actions/update-packs.ts');
      finish(await update(context, ref, command.optsWithGlobals<GlobalOptions>()));
    });
}
