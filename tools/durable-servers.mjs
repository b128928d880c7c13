/**
 * The servers for runs on many machines: Restate, fetched from the package registry like Electron, and PostgreSQL from
 * the system. Tests find them where this file puts them (`engine/testing/test-restate.ts`, `test-postgres.ts`).
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { runNpm } from './child-process.mjs';
import { ensureModernNode } from './modern-node.mjs';
import { cacheDir } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { sha256OfFile } from './stamp.mjs';
import { ensurePackages, findOnPath } from './system-packages.mjs';
import { ToolError } from './tool-error.mjs';

const restateVersion = '1.7.12';
const restatePackage = `@restatedev/restate-server-linux-x64@${restateVersion}`;
const restateSha256 = '8597e9511a4aeb4f082c33a9f4cc62132ea1fe21289811a6e52ae3d2261a031f';
const restateDir = path.join(cacheDir, `restate-${restateVersion}`);
const restateFile = 'node_modules/@restatedev/restate-server-linux-x64/bin/restate-server';

const oldestPostgres = 15;
const debianFolder = '/usr/lib/postgresql';

/**
 * Returns the server of Restate without network access: the one in `MILLRACE_TEST_RESTATE`, or else the pinned version.
 * @returns {string | undefined} absolute path of the executable
 */
export function findRestate() {
  const given = process.env['MILLRACE_TEST_RESTATE'];
  if (given) return path.resolve(given);
  const executable = path.join(restateDir, restateFile);
  return existsSync(executable) ? executable : undefined;
}

/**
 * Finds or fetches the server of Restate.
 * @returns {Promise<string>} absolute path of the executable
 * @throws {ToolError} if there is none for this machine, or the download failed
 */
export async function ensureRestate() {
  const found = findRestate();
  if (found !== undefined) return found;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new ToolError(
      `Restate is fetched only on Linux (x64). Set MILLRACE_TEST_RESTATE to the restate-server ${restateVersion} of this machine.`,
    );
  }
  await fetchRestate();
  return path.join(restateDir, restateFile);
}

/** The folder gets its final name only when its content is complete and verified. */
async function fetchRestate() {
  const partial = `${restateDir}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', partial, restatePackage];
  await withProgress(`Fetching Restate ${restateVersion}`, () => runNpm(args, { cwd: partial }));
  const actual = await sha256OfFile(path.join(partial, restateFile));
  if (actual !== restateSha256) {
    throw new ToolError(`${restatePackage} does not contain the expected program: its SHA-256 is ${actual}.`);
  }
  await rename(partial, restateDir);
}

/**
 * Finds the programs of PostgreSQL. As root on Debian and related systems, installs them if they are missing.
 * @returns {Promise<string>} absolute path of the folder with `postgres` and `initdb`
 * @throws {ToolError} with the command that installs them
 */
export async function ensurePostgres() {
  const found = await findPostgres();
  if (found !== undefined) return found;
  const lack = { what: `PostgreSQL ${oldestPostgres} or newer`, packages: [['postgresql']] };
  await ensurePackages(async () => ((await findPostgres()) === undefined ? [lack] : []));
  return /** @type {string} */ (await findPostgres());
}

/**
 * Returns the programs of PostgreSQL. Debian keeps several versions outside the path; the newest is used.
 * @returns {Promise<string | undefined>} absolute path of their folder
 */
export async function findPostgres() {
  const names = await readdir(debianFolder).catch(() => []);
  const versions = names.map(Number).filter((version) => version >= oldestPostgres);
  if (versions.length > 0) return path.join(debianFolder, String(Math.max(...versions)), 'bin');
  const program = await findOnPath('initdb');
  return program === undefined ? undefined : path.dirname(program);
}

/**
 * Prepares the servers for tests. Tests that lack one skip themselves.
 * @returns {Promise<import('./left-out.mjs').LeftOut[]>} what cannot be tested on this machine, and why
 */
export async function prepareDurableServers() {
  const leftOut = [];
  const hasPostgres = process.env['MILLRACE_TEST_POSTGRES'] !== undefined;
  for (const { what, prepare } of [
    { what: 'tests with PostgreSQL', prepare: hasPostgres ? async () => {} : ensurePostgres },
    { what: 'tests with Restate', prepare: ensureRestate },
    { what: 'tests with workers', prepare: ensureModernNode },
  ]) {
    try {
      await prepare();
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      leftOut.push({ what, why: error.message });
    }
  }
  return leftOut;
}
