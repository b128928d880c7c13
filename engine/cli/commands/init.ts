/**
 * `millrace init [DIR]` and `millrace init-base`: the folders that agents and packs live in.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';

/** Adds `init` and `init-base` to the program. */
export function addInitCommands(program: Command, context: CliContext): void {
  program
    .command('init')
    .description('make a folder a workspace for agents; what is there stays')
    .argument('[dir]', 'the folder; else the current one', '.')
    .action(async (dir: string, _: unknown, command: Command) => {
      const { init } = await import('../actions/init.ts');
      await init(context, dir, command.optsWithGlobals<GlobalOptions>());
    });
  program
    .command('init-base')
    .description('look the base folder over and put back packs that came with the program')
    .action(async (_: unknown, command: Command) => {
      const { initBaseFolder } = await import('../actions/init.ts');
      await initBaseFolder(context, command.optsWithGlobals<GlobalOptions>());
    });
}
