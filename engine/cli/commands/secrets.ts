/**
 * Defines `millrace secrets …`: values that flows send and that are never shown.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';

/** Adds `secrets` with its subcommands to the program. */
export function addSecretsCommand(program: Command, context: CliContext): void {
  const secrets = program.command('secrets').description('values that flows name as {{secret.NAME}}; never shown');
  secrets
    .command('list')
    .description('names, where each comes from, and which hosts it may go to')
    .action(async (_: unknown, command: Command) => {
      const { listSecrets } = await import('../actions/secrets.ts');
      await listSecrets(context, command.optsWithGlobals<GlobalOptions>());
    });
  secrets
    .command('set')
    .description('keep a value in .millrace/.env of the workspace; it is read from stdin')
    .argument('<name>', 'capital letters, digits and _, such as API_TOKEN')
    .action(async (name: string, _: unknown, command: Command) => {
      const { setSecret } = await import('../actions/secrets.ts');
      await setSecret(context, name, command.optsWithGlobals<GlobalOptions>());
    });
  secrets
    .command('remove')
    .description('take a value out of .millrace/.env')
    .argument('<name>', 'its name')
    .action(async (name: string, _: unknown, command: Command) => {
      const { removeSecret } = await import('../actions/secrets.ts');
      await removeSecret(context, name, command.optsWithGlobals<GlobalOptions>());
    });
  secrets
    .command('allow')
    .description(
      'let a flow of a pack, or of a workspace that is not trusted, use the secrets it names, until its text changes',
    )
    .argument('<flow>', 'path of the flow file')
    .action(async (flow: string, _: unknown, command: Command) => {
      const { allowSecrets } = await import('../actions/secrets.ts');
      await allowSecrets(context, flow, command.optsWithGlobals<GlobalOptions>());
    });
  secrets
    .command('allow-host')
    .description('let a secret go to a host from this workspace, and from then on to no other that was not allowed')
    .argument('<name>', 'its name')
    .argument('<host>', 'such as api.example.com, or *.example.com for all below it')
    .action(async (name: string, host: string, _: unknown, command: Command) => {
      const { allowSecretHost } = await import('../actions/secrets.ts');
      await allowSecretHost(context, { name, host }, command.optsWithGlobals<GlobalOptions>());
    });
}
