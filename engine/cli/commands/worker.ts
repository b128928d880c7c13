/**
 * Defines `millrace worker`, which executes runs for Restate.
 */
import { type Command, InvalidArgumentError } from 'commander';
import type { WorkerFlags } from '../actions/worker.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';
import { historyOption, parseCount, takeWorkspaces } from './run.ts';

/** Adds `worker` to the program. */
export function addWorkerCommand(program: Command, context: CliContext, finish: Finish): void {
  const worker = program
    .command('worker')
    .description('Execute the runs of workspaces for Restate, until the process is ended')
    .requiredOption('--on <url>', 'Restate server: restate://HOST:8080/WORKSPACE?admin=9070')
    .addOption(historyOption().makeOptionMandatory())
    .option('--listen <host:port>', 'Address to listen on; port 0 selects a free port', parseAddress, {
      host: '127.0.0.1',
      port: 9080,
    })
    .option('--address <uri>', 'URI at which Restate reaches this worker (default: the address it listens on)')
    .option('--max-runs <n>', 'Maximum number of runs in progress; runs that only wait do not count', parseCount, 100)
    .option('--metrics-port <port>', 'Port for /health and /metrics', parsePort)
    .option('--identity-key <key>', 'Public key of Restate; requests that it has not signed are rejected')
    .option('--keep-days <n>', 'Delete runs that ended more than N days ago (default: keep all)', parseCount)
    .action(async (flags: WorkerFlags, command: Command) => {
      const { runWorker } = await import('../actions/worker.ts');
      finish(await runWorker(context, { ...command.optsWithGlobals<GlobalOptions>(), ...flags }));
    });
  takeWorkspaces(program, worker);
}

const highestPort = 65_535;

/** @throws InvalidArgumentError, which commander reports for the option */
function parsePort(text: string): number {
  const port = Number(text);
  if (text !== '' && Number.isSafeInteger(port) && port >= 0 && port <= highestPort) return port;
  throw new InvalidArgumentError(`It must be a port, 0 to ${highestPort}.`);
}

function parseAddress(text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (host === undefined || port === undefined) throw new InvalidArgumentError('It must have the form HOST:PORT.');
  return { host: host.replace(/^\[|\]$/g, ''), port: parsePort(port) };
}
