/**
 * Defines `millrace secrets …`: values that flows send and that are never shown.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';

/** Adds `secrets` with its subcommands to the program. */
export function addSecretsCommand(program: Command, context: CliContext): void {
  const secrets = program
    .command('secrets')
    .description('Manage the secrets that flows refer to as {{secret.NAME}}; values are never shown');
  secrets
    .command('list')
    .description('List the names of secrets, their sources, and their allowed hosts')
    .action(async (_: unknown, command: Command) => {
      const { listSecrets } = await import('../actions/secrets.ts');
      await listSecrets(context, command.optsWithGlobals<GlobalOptions>());
    });
  secrets
    .command('set')
    .description('Read a value from stdin and store it in .millrace/.env in the workspace')
    .argument('<name>', 'Name of the secret: capital letters, digits and _, such as API_TOKEN')
    .action(async (name: string, _: unknown, command: Command) => {
      const { setSecret } = await import('../actions/secrets.ts');
      await setSecret(context, name, command.optsWithGlobals<GlobalOptions>());
    });
  secrets
    .command('remove')
    .description('Remove a value from .millrace/.env')
    .argument('<name>', 'Name of the secret')
    .action(async (name: string, _: unknown, command: Command) => {
      const { removeSecret } = await import('../actions/secrets.ts');
      await removeSecret(context, name, command.optsWithGlobals<GlobalOptions>());
    });
  secrets
    .command('allow')
    .description('Let a flow in a pack or an untrusted workspace use the secrets it names, until its text changes')
    .argument('<flow>', 'Path of the flow file')
    .action(async (flow: string, _: unknown, command: Command) => {
      const { allowSecrets } = await import('../actions/secrets.ts');
      await allowSecrets(context, flow, command.optsWithGlobals<GlobalOptions>());
    });
  secrets
    .command('allow-host')
    .description('Allow a host for a secret in this workspace; the secret can then only be sent to allowed hosts')
    .argument('<name>', 'Name of the secret')
    .argument('<host>', 'Host, such as api.example.com, or *.example.com for all its subdomains')
    .action(async (name: string, host: string, _: unknown, command: Command) => {
      const { allowSecretHost } = await import('../actions/secrets.ts');
      await allowSecretHost(context, { name, host }, command.optsWithGlobals<GlobalOptions>());
    });
}
