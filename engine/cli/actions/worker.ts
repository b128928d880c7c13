/**
 * Implements `worker`.
 */
import path from 'node:path';
import { openHistory } from '../../host/durable/open-history.ts';
import { parseRestateUrl, type RestatePlace } from '../../host/durable/restate-url.ts';
import type { Worker, WorkerOptions, WorkerWorkspace } from '../../host/durable/worker.ts';
import { untilSignal } from '../cancel-on-signals.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';

/** Options of `worker`. */
export interface WorkerFlags extends Omit<GlobalOptions, 'workspace'>, Pick<WorkerOptions, 'listen' | 'maxRuns'> {
  readonly on: string;
  readonly history: string;
  readonly workspace?: string | readonly string[];
  readonly address?: string;
  readonly metricsPort?: number;
  readonly identityKey?: string;
  readonly keepDays?: number;
}

/**
 * Works until the first signal, then until the running steps have ended. The second signal ends the process at once.
 * @returns the exit code
 * @throws EngineError `cli.usage` | `worker.*` | `restate.*` | `store.*`
 */
export async function runWorker(context: CliContext, flags: WorkerFlags): Promise<number> {
  const { terminal, builtInPacks } = context;
  const restate = parseRestateUrl(flags.on);
  if (flags.store !== undefined) throw usageError('Workers record runs only in --history. Remove --store.');
  const { startWorker, refuseOldNode } = await import('../../host/durable/worker.ts');
  refuseOldNode();
  // A signal during the start takes effect after it.
  const ended = untilSignal(context);
  const workspaces = await openWorkspaces(context, flags, restate);
  try {
    const { listen, maxRuns, address, metricsPort, identityKey, keepDays, trust } = flags;
    if (identityKey === undefined && !isLoopback(listen.host)) terminal.err(unsigned(listen.host));
    const worker = await startWorker({
      ...{ restate, workspaces, listen, maxRuns },
      ...(address === undefined ? {} : { address }),
      ...(metricsPort === undefined ? {} : { metricsPort }),
      ...(identityKey === undefined ? {} : { identityKey }),
      ...(keepDays === undefined ? {} : { keepDays }),
      ...(trust === undefined ? {} : { isTrusted: trust }),
      ...(builtInPacks === undefined ? {} : { builtInPacks }),
      onNote: ({ message }) => terminal.err(`note: ${message}`),
    });
    report(context, flags, { worker, workspaces });
    await ended;
    terminal.err('Shutting down when the running steps have ended. Press Ctrl-C again to quit immediately.');
    await worker.drain();
  } finally {
    for (const { history } of workspaces) await history.close();
  }
  return exitCode.ok;
}

interface Started {
  readonly worker: Worker;
  readonly workspaces: readonly WorkerWorkspace[];
}

function report({ terminal }: CliContext, { json }: WorkerFlags, { worker, workspaces }: Started): void {
  const { address, statusAddress } = worker;
  const names = workspaces.map(({ history }) => history.workspace);
  if (json === true) {
    const ready = { address, ...(statusAddress === undefined ? {} : { statusAddress }), workspaces: names };
    terminal.json(`${JSON.stringify(ready)}\n`);
    return;
  }
  terminal.err(`The worker is ready on ${address.host}:${address.port} for ${names.join(', ')}.`);
  if (statusAddress !== undefined)
    terminal.err(`Health and metrics: http://${statusAddress.host}:${statusAddress.port}/metrics`);
}

async function openWorkspaces(
  context: CliContext,
  { workspace, history: url }: WorkerFlags,
  restate: RestatePlace,
): Promise<readonly WorkerWorkspace[]> {
  const named = workspace === undefined ? [undefined] : typeof workspace === 'string' ? [workspace] : workspace;
  const folders = named.map((one) => resolveWorkspace(context, one === undefined ? {} : { workspace: one }));
  if (restate.workspace !== undefined && folders.length > 1)
    throw usageError('With several workspaces, --on must not name one. Each has the name of its folder.');
  const opened: WorkerWorkspace[] = [];
  for (const folder of folders) {
    const name = restate.workspace ?? path.basename(folder);
    if (opened.some(({ history }) => history.workspace === name))
      throw usageError(`Two workspaces have the name ${name}. Start a worker for each, and name it in --on.`);
    opened.push({ folder, history: await openHistory({ url, workspace: name }) });
  }
  return opened;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function unsigned(host: string): string {
  return `Warning: anyone who can reach ${host} can start runs with this worker's permissions. Set --identity-key to the public key of Restate, or restrict access in the network.`;
}
