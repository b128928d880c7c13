/**
 * `millrace pack DIR`: a folder → an archive.
 */
import type { Command } from 'commander';
import type { PackOptions } from '../actions/pack-folder.ts';
import type { CliContext } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `pack` to the program. */
export function addPackCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('pack')
    .description("write the archive of a pack's folder")
    .argument('<dir>', 'the folder')
    .option('-o, --output <dir>', 'where the archive goes; else the current folder')
    .option('--yes', 'write a pack.toml without asking when there is none')
    .action(async (dir: string, _: unknown, command: Command) => {
      const { packOneFolder } = await import('../actions/pack-folder.ts');
      finish(await packOneFolder(context, dir, command.optsWithGlobals<PackOptions>()));
    });
}
