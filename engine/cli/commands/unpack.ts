/**
 * `millrace unpack REF`: a pack → a copy in the workspace, to be changed there.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `unpack` to the program. */
export function addUnpackCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('unpack')
    .description('copy a pack into the workspace, where you may change it')
    .argument('<ref>', 'namespace@name')
    .option('--force', 'replace a copy that is there; it goes to the trash')
    .action(async (ref: string, _: unknown, command: Command) => {
      const { unpack } = await import('../actions/unpack-pack.ts');
      finish(await unpack(context, ref, command.optsWithGlobals<GlobalOptions & { force?: true }>()));
    });
}
