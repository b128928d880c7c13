/**
 * `millrace check-keys`: which keys of model providers are set.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';

/** Adds `check-keys` to the program. */
export function addCheckKeysCommand(program: Command, context: CliContext): void {
  program
    .command('check-keys')
    .description('say which variables with keys of model providers are set; never their values')
    .action(async (_: unknown, command: Command) => {
      const { checkKeys } = await import('../actions/check-keys.ts');
      checkKeys(context, command.optsWithGlobals<GlobalOptions>());
    });
}
