/**
 * Starts Restate and PostgreSQL on this machine, for one user at a time: in a folder of the caller, on ports of the
 * loopback interface. They end with this process.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runCaptured, runOrFail, startChild } from './child-process.mjs';
import { ensurePostgres, ensureRestate } from './durable-servers.mjs';
import { ToolError } from './tool-error.mjs';

const address = '127.0.0.1';
const startLimitMs = 60_000;
const lookMs = 100;

/**
 * @typedef {object} Server
 * @property {string} url for users
 * @property {import('node:child_process').ChildProcess} child
 * @property {NodeJS.Signals} stopSignal the signal that stops it without waiting for its clients
 */

/**
 * @param {number} wanted
 * @returns {Promise<number>} the port if it is free, or else another one
 */
async function freePort(wanted) {
  const server = net.createServer();
  /** @type {(port: number) => Promise<number>} */
  const claim = async (port) => {
    server.listen(port, address);
    await once(server, 'listening');
    const { port: taken } = /** @type {net.AddressInfo} */ (server.address());
    server.close();
    await once(server, 'close');
    return taken;
  };
  return claim(wanted).catch(() => claim(0));
}

/**
 * Waits until a server is ready.
 * @param {string} name
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => Promise<boolean>} isReady
 */
async function whenReady(name, child, isReady) {
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => (errors = (errors + text).slice(-4_000)));
  const until = Date.now() + startLimitMs;
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new ToolError(`${name} ended:\n${errors.trim()}`);
    if (Date.now() > until)
      throw new ToolError(`${name} did not start within ${startLimitMs / 1000} s:\n${errors.trim()}`);
    await wait(lookMs);
  }
}

/**
 * @param {string} folder
 * @returns {Promise<Server>}
 */
export async function startRestate(folder) {
  const executable = await ensureRestate();
  const [ingress, admin, fabric] = [await freePort(8080), await freePort(9070), await freePort(5122)];
  const env = {
    ...process.env,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_ADDRESS: `${address}:${fabric}`,
    RESTATE_INGRESS__BIND_ADDRESS: `${address}:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `${address}:${admin}`,
    // Each partition writes a log of its own, so one per core is the cheapest.
    RESTATE_DEFAULT_NUM_PARTITIONS: '2',
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '128MiB',
    RESTATE_LOG_FILTER: 'warn',
  };
  const data = path.join(folder, 'restate');
  await mkdir(data, { mode: 0o700 });
  const args = ['--base-dir', data, '--node-name', 'millrace', '--no-logo'];
  const child = startChild(executable, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  await whenReady('Restate', child, async () => {
    const pages = [`http://${address}:${admin}/health`, `http://${address}:${ingress}/restate/health`];
    const answers = await Promise.all(pages.map((page) => fetch(page)));
    return answers.every(({ ok }) => ok);
  });
  return { url: `restate://${address}:${ingress}?admin=${admin}`, child, stopSignal: 'SIGINT' };
}

/** PostgreSQL refuses to run as root, so root starts it as the user that Debian's package has created. */
async function postgresUser() {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => runCaptured('id', [flag, 'postgres'])));
  if (uid?.code === 0 && gid?.code === 0) return { uid: Number(uid.output), gid: Number(gid.output) };
  throw new ToolError(
    'PostgreSQL cannot run as root, and the user "postgres" does not exist. Run this as another user.',
  );
}

/**
 * @param {string} parent
 * @returns {Promise<Server>}
 */
export async function startPostgres(parent) {
  const programs = await ensurePostgres();
  const user = await postgresUser();
  const folder = path.join(parent, 'postgres');
  const [data, passwordFile] = [path.join(folder, 'data'), path.join(folder, 'password')];
  const password = randomBytes(12).toString('hex');
  await mkdir(folder);
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user.uid !== undefined) {
    await chmod(parent, 0o711);
    for (const entry of [folder, passwordFile]) await chown(entry, user.uid, user.gid);
  }
  const own = { ...user, cwd: folder };
  const init = ['-D', data, '-U', 'millrace', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '-N'];
  await runOrFail(path.join(programs, 'initdb'), [...init, '--locale=C'], own);
  const port = await freePort(5432);
  const child = startChild(path.join(programs, 'postgres'), ['-D', data, '-h', address, '-p', `${port}`, '-k', ''], {
    ...own,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const client = ['-h', address, '-p', `${port}`, '-U', 'millrace'];
  await whenReady('PostgreSQL', child, async () => {
    return (await runCaptured(path.join(programs, 'pg_isready'), client, own)).code === 0;
  });
  const env = { ...process.env, PGPASSWORD: password };
  await runOrFail(path.join(programs, 'createdb'), [...client, 'millrace'], { ...own, env });
  return { url: `postgres://millrace:${password}@${address}:${port}/millrace`, child, stopSignal: 'SIGINT' };
}
