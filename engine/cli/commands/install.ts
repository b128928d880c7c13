/**
 * `millrace install URI`: gets a pack.
 */
import type { Command } from 'commander';
import type { InstallFlags } from '../actions/install-pack.ts';
import type { CliContext } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `install` to the program. */
export function addInstallCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('install')
    .description('install a pack; a pack is code')
    .argument('<uri>', 'namespace@name, an address of an archive or of a git repository, or an .aipack file')
    .option('--force', 'also when a newer version is there')
    .action(async (uri: string, _: unknown, command: Command) => {
      const { install } = await import('../actions/install-pack.ts');
      finish(await install(context, uri, command.optsWithGlobals<InstallFlags>()));
    });
}
