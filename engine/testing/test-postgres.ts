/**
 * Starts PostgreSQL for tests: Debian's server in a temporary folder, or the server in `MILLRACE_TEST_POSTGRES`.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

export interface TestPostgres {
  /** Creates an empty database. Returns its URL with the name and password of its owner. */
  createDatabase(): Promise<string>;
  /** Kills the server (`SIGKILL`) and starts it again. Undefined for a server that the tests did not start. */
  readonly outage?: PostgresOutage;
}

export interface PostgresOutage {
  /** Ends every process of the server at once. Resolves when they have ended. */
  kill(): Promise<void>;
  /** Resolves when the server accepts connections on its former port. */
  start(): Promise<void>;
}

/** Describes why tests that need PostgreSQL are skipped. */
export interface PostgresMissing {
  readonly missing: string;
}

let shared: Promise<TestPostgres | PostgresMissing> | undefined;

/** Returns the server that all test files in this process share. Tests must not stop it. */
export function sharedPostgres(): Promise<Pick<TestPostgres, 'createDatabase'> | PostgresMissing> {
  shared ??= startPostgres({ isDurable: false });
  return shared;
}

/** Returns whether the server could not be started or found. */
export function isMissing(postgres: object): postgres is PostgresMissing {
  return 'missing' in postgres;
}

/**
 * Starts a server that only the caller uses. It stops and its folder is deleted when this process ends.
 * @param options.isDurable whether commits survive `kill` (`fsync`)
 */
export async function startPostgres(options: { readonly isDurable: boolean }): Promise<TestPostgres | PostgresMissing> {
  const url = process.env['MILLRACE_TEST_POSTGRES'];
  if (url !== undefined && url !== '') return { createDatabase: () => createDatabase(url) };
  const programs = findPrograms();
  if (programs === undefined)
    return { missing: 'PostgreSQL 15 or newer is not in /usr/lib/postgresql. Set MILLRACE_TEST_POSTGRES to a URL.' };
  const user = findUser();
  if (user === undefined) return { missing: 'root cannot run PostgreSQL, and the user "postgres" does not exist.' };
  return await startServer({ programs, user }, options.isDurable);
}

const oldestVersion = 15;
const debianFolder = '/usr/lib/postgresql';

/** Returns the folder of the newest installed version. */
function findPrograms(): string | undefined {
  try {
    const versions = readdirSync(debianFolder)
      .map(Number)
      .filter((version) => version >= oldestVersion);
    return versions.length === 0 ? undefined : path.join(debianFolder, String(Math.max(...versions)), 'bin');
  } catch {
    return undefined;
  }
}

interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the user who runs the server. PostgreSQL refuses to run as root. */
function findUser(): SystemUser | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? uid };
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('postgres:'));
  const [, , userId, groupId] = line?.split(':') ?? [];
  return userId === undefined ? undefined : { uid: Number(userId), gid: Number(groupId) };
}

interface Installation {
  readonly programs: string;
  readonly user: SystemUser;
}

async function startServer({ programs, user }: Installation, isDurable: boolean): Promise<TestPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-postgres-'));
  const data = path.join(folder, 'data');
  const password = randomBytes(12).toString('hex');
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, password);
  for (const entry of [folder, passwordFile]) chownSync(entry, user.uid, user.gid);
  const control = path.join(programs, 'pg_ctl');
  stopWithThisProcess({ control, data, folder, user });
  const options = { ...user, cwd: folder };
  const init = ['-D', data, '-U', 'millrace', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '-N'];
  await run(path.join(programs, 'initdb'), [...init, '--locale=C.UTF-8'], options);
  const port = await freePort();
  const settings = [`-p ${port}`, '-h 127.0.0.1', `-c fsync=${isDurable ? 'on' : 'off'}`, '-c max_connections=200'];
  async function start(): Promise<void> {
    // An empty list of sockets, because paths of sockets may have 107 bytes only.
    const parts = [...settings, `-c unix_socket_directories=''`].join(' ');
    await run(control, ['-D', data, '-l', path.join(folder, 'log'), '-w', '-t', '60', '-o', parts, 'start'], options);
  }
  await start();
  const url = `postgres://millrace:${password}@127.0.0.1:${port}/postgres`;
  return { createDatabase: () => createDatabase(url), outage: { start, kill: () => killServer(data) } };
}

/** Stops the server and deletes its folder when this process ends in any way. */
function stopWithThisProcess(server: { control: string; data: string; folder: string; user: SystemUser }): void {
  const { control, data, folder, user } = server;
  const script = 'cat >/dev/null; "$1" -D "$2" -m immediate stop; rm -rf "$3"';
  const guard = spawn('sh', ['-c', script, 'sh', control, data, folder], {
    ...user,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as Socket).unref();
}

async function killServer(data: string): Promise<void> {
  const [first] = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
  const main = Number(first);
  const children = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').trim().split(' ').map(Number);
  const all = [main, ...children].filter((pid) => pid > 0);
  for (const pid of all) signal(pid, 'SIGKILL');
  while (all.some((pid) => signal(pid, 0) && !isZombie(pid))) await new Promise((done) => setTimeout(done, 20));
  // The server refuses to start while the process in this file exists, even as a zombie.
  rmSync(path.join(data, 'postmaster.pid'));
}

/** Returns false if the process does not exist. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

/** A container without an init process does not collect ended processes. */
function isZombie(pid: number): boolean {
  try {
    return / [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

async function createDatabase(serverUrl: string): Promise<string> {
  const name = `millrace_test_${process.pid}_${randomInt(2 ** 40)}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
