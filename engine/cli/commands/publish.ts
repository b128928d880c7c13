/**
 * Defines the commands that publish flows at addresses, and manage the keys of their callers.
 */
import { type Command, Option } from 'commander';
import type { CreateKeyFlags, PublishFlags } from '../actions/publish.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { parseCount } from './run.ts';

const yes = ['--yes', 'Do not ask; needed without a terminal'] as const;

/** Adds `publish` to the program. */
export function addPublishCommand(program: Command, context: CliContext): void {
  program
    .command('publish')
    .description('List the flows with an address, or publish a flow, so that other programs can call it')
    .argument('[flow]', 'Path of the flow, relative to the workspace')
    .option('--off', 'Remove the address of the flow')
    .option('--name <name>', 'Name in the address (default: from the file)')
    .option('--runs-at-once <n>', 'Maximum number of unfinished runs (default: 2)', parseCount)
    .option('--per-hour <n>', 'Maximum number of runs that start within an hour (default: 60)', parseCount)
    .addOption(
      new Option('--page <who>', 'Who can use the form page of the flow (default: key)').choices([
        'off',
        'key',
        'anyone',
      ]),
    )
    .option(...yes)
    .action(async (flow: string | undefined, flags: PublishFlags, command: Command) => {
      const { publish } = await import('../actions/publish.ts');
      await publish(context, { ...command.optsWithGlobals<GlobalOptions>(), ...flags, flow });
    });
}

/** Adds `keys` with its subcommands to the program. */
export function addKeysCommand(program: Command, context: CliContext): void {
  const keys = program
    .command('keys')
    .description('List the API keys with which other programs call published flows')
    .action(async (_: unknown, command: Command) => {
      const { listKeys } = await import('../actions/publish.ts');
      await listKeys(context, command.optsWithGlobals<GlobalOptions>());
    });
  keys
    .command('create')
    .description('Create a key, and print it once')
    .argument('<name>', 'What the key is for; shown as the one who started a run')
    .requiredOption('--flow <name...>', 'Names of the published flows that it may call')
    .option(...yes)
    .action(async (name: string, flags: CreateKeyFlags, command: Command) => {
      const { createKey } = await import('../actions/publish.ts');
      await createKey(context, name, { ...command.optsWithGlobals<GlobalOptions>(), ...flags });
    });
  keys
    .command('revoke')
    .description('Revoke a key')
    .argument('<id>', 'ID of the key, as millrace keys lists it')
    .action(async (id: string, _: unknown, command: Command) => {
      const { revokeKey } = await import('../actions/publish.ts');
      await revokeKey(context, id, command.optsWithGlobals<GlobalOptions>());
    });
}
