/**
 * Defines the commands that run and list triggers.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseUrl } from '../../base/parse-url.ts';
import type { ServeFlags } from '../actions/serve.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';
import { parseCount, takeWorkspaces } from './run.ts';

/** Adds `serve` to the program. */
export function addServeCommand(program: Command, context: CliContext, finish: Finish): void {
  const serve = program
    .command('serve')
    .description('Run the triggers of workspaces and answer HTTP requests, until the process is ended')
    .option('--enable <flow...>', 'Switch on the triggers of these flows first, or confirm them after a change')
    .option('--enable-all', 'Switch on all triggers first')
    .option(
      '--max-per-flow <n>',
      'Maximum number of unfinished runs per flow that triggers have started',
      parseCount,
      10,
    )
    .addOption(
      new Option('--port <n>', 'Port on 127.0.0.1 for webhooks and published flows (default: 7420; 0: any free port)')
        .argParser(parsePort)
        .env('MILLRACE_PORT'),
    )
    .option('--public-address <url>', 'Address of the reverse proxy in front of the service', parseOrigin)
    .option(
      '--allow-origin <origin...>',
      'Other sites with pages that may call the service (default: none)',
      parseOrigins,
    )
    .option('--drain <seconds>', 'When the process is asked to end, wait this long for active runs', parseCount, 30)
    .action(async (flags: ServeFlags, command: Command) => {
      const { serveTriggers } = await import('../actions/serve.ts');
      const needsPort = command.getOptionValueSource('port') === 'cli';
      finish(await serveTriggers(context, { ...command.optsWithGlobals<GlobalOptions>(), ...flags, needsPort }));
    });
  takeWorkspaces(program, serve);
  const actions = {
    install: 'Start the service with your session: a user service of systemd for the workspaces',
    uninstall: 'Stop the service, and remove it from systemd',
    status: 'Show whether the service is installed and active',
  } as const;
  for (const [name, description] of Object.entries(actions)) {
    serve
      .command(name)
      .description(description)
      .action(async (_: unknown, command: Command) => {
        const { manageService } = await import('../actions/serve-unit.ts');
        finish(await manageService(context, name as keyof typeof actions, command.optsWithGlobals<ServeFlags>()));
      });
  }
}

/** Returns a TCP port. @throws InvalidArgumentError */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a port: a number from 0 to 65535.');
}

/** Returns an address without a path: the service does not know a path under which a proxy offers it. */
export function parseOrigin(text: string): URL {
  const url = parseUrl(text);
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url;
  throw new InvalidArgumentError('It must be an address without a path, such as https://flows.example.com.');
}

/** Adds an origin to those of earlier options. @throws InvalidArgumentError */
export function parseOrigins(text: string, former: readonly string[] = []): readonly string[] {
  return [...former, parseOrigin(text).origin];
}

/** Adds `triggers` to the program. */
export function addTriggersCommand(program: Command, context: CliContext): void {
  program
    .command('triggers')
    .description('List triggers with their next times, and what they have started')
    .argument('[flow]', 'Only the triggers of this flow')
    .option('--off', 'Switch off the triggers of the flow')
    .action(async (flow: string | undefined, flags: { readonly off?: true }, command: Command) => {
      const { showTriggers } = await import('../actions/triggers.ts');
      await showTriggers(context, { ...command.optsWithGlobals<GlobalOptions>(), ...flags, flow });
    });
}
