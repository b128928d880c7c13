/**
 * `millrace uninstall REF`: takes an installed pack away.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `uninstall` to the program. */
export function addUninstallCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('uninstall')
    .description('move an installed pack to the trash')
    .argument('<ref>', 'namespace@name')
    .action(async (ref: string, _: unknown, command: Command) => {
      const { uninstall } = await import('../actions/uninstall-pack.ts');
      finish(await uninstall(context, ref, command.optsWithGlobals<GlobalOptions>()));
    });
}
