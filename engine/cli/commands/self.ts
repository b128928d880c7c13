/**
 * `millrace self`: which program this is.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';

/** Adds `self` to the program. */
export function addSelfCommand(program: Command, context: CliContext): void {
  program
    .command('self')
    .description('say which version this is, and where it and its folders are')
    .action(async (_: unknown, command: Command) => {
      const { tellSelf } = await import('../actions/self.ts');
      tellSelf(context, command.optsWithGlobals<GlobalOptions>());
    });
}
