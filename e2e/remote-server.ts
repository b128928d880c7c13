/**
 * Starts PostgreSQL and workers that record runs in it, as separate processes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundleChildProgram, type ChildProgram } from '../engine/testing/child-program.ts';
import { isMissing, type PostgresOutage, startPostgres } from '../engine/testing/test-postgres.ts';

export interface RemoteWorker {
  /** Starts a flow in the worker's folder. Resolves to the run's id. */
  run(flow: string): Promise<string>;
  /** Ends the process at once, as a power failure would. */
  kill(): Promise<void>;
}

export interface RemoteServer {
  readonly url: URL;
  /** Starts a worker of a workspace. It continues the runs of a former worker in the same folder. */
  startWorker(workspace: string, folder: string): RemoteWorker;
  /** Stops the server and starts it again; undefined for a server that the test did not start. */
  readonly outage: PostgresOutage | undefined;
  /** Ends everything. */
  close(): Promise<void>;
}

/** Returns the reason if PostgreSQL cannot be started here. */
export async function startRemoteServer(): Promise<RemoteServer | string> {
  const postgres = await startPostgres({ isDurable: false });
  if (isMissing(postgres)) return postgres.missing;
  const url = new URL(await postgres.createDatabase());
  const entry = new URL('../engine/testing/remote-worker-child.ts', import.meta.url);
  const program = await bundleChildProgram(fileURLToPath(entry));
  const workers: RemoteWorker[] = [];
  return {
    url,
    outage: postgres.outage,
    startWorker(workspace, folder) {
      const worker = startWorker(program, [url.href, workspace, folder]);
      workers.push(worker);
      return worker;
    },
    async close() {
      for (const worker of workers) await worker.kill();
      program.remove();
    },
  };
}

function startWorker({ file }: ChildProgram, args: readonly string[]): RemoteWorker {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(flow) {
      child.stdin.write(`${flow}\n`);
      const { value } = await lines.next();
      return String(value);
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
