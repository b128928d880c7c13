/** Runs the unit tests, under the current Node and under the Node generation of Electron. */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { runCaptured } from './child-process.mjs';
import { leftOutOfVitest } from './left-out.mjs';
import { withMemoryFolder } from './memory-folder.mjs';
import { ensureModernNode, modernNodeProblem } from './modern-node.mjs';
import { failWhenUnexplained } from './part-result.mjs';
import { cacheDir, packageFile, root } from './paths.mjs';
import { countVitest, failuresOfVitest } from './test-reports.mjs';

/**
 * Runs Vitest on all cores. By default it leaves one core unused, which is half of two.
 * @param {string} nodePath
 * @param {{ report: string, places: readonly string[] }} options name of the report, and files and folders with the
 *   tests to run; all if empty
 */
async function runVitest(nodePath, { report, places }) {
  // Vitest ignores missing paths as long as others exist.
  const missing = places.find((place) => !existsSync(path.join(root, place)));
  if (missing !== undefined) throw new Error(`${missing} does not exist, so its tests cannot run.`);
  const file = path.join(cacheDir, 'test-reports', report);
  await rm(file, { force: true });
  // Only failures are printed.
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

/** @type {import('./part-result.mjs').Part} */
export const unitTests = {
  name: `unit tests, Node ${process.versions.node}`,
  run: () => runVitest(process.execPath, { report: 'unit.json', places: [] }),
};

/**
 * Tests of code that depends on Node itself: its SQLite, files, processes, workers and `fetch`, and the built command
 * line. The page's code runs only in Chromium, and the rest hardly depends on the version of Node. Running all tests
 * twice would double the time.
 */
const nodePlaces = [
  'engine/history/store/',
  'engine/host/executor/chaos.test.ts',
  'engine/host/executor/http-files.test.ts',
  'engine/host/executor/prompt-over-http.test.ts',
  'engine/host/reads/schema-files.test.ts',
  'engine/host/wiring/commands.test.ts',
  'engine/host/workspace/file-service.test.ts',
  'engine/host/wiring/product-modules.test.ts',
  'engine/host/wiring/secrets.test.ts',
  'engine/world/lua/vm/',
  'engine/world/files/',
  'engine/world/search/',
  'engine/world/web/',
  'engine/cli/code-cache.test.ts',
  'engine/cli/compiled-start.test.ts',
  'engine/cli/run-command.test.ts',
  'electron/',
];

/** Tests in those places that cover only text, limits and our own rules, which do not depend on the version of Node. */
const sameInAnyNode = [
  'engine/world/files/list-folder.test.ts',
  'engine/world/lua/vm/values.test.ts',
  'engine/world/lua/vm/prelude.test.ts',
  'electron/main/drafts/compact-log.test.ts',
  'electron/main/drafts/join-steps.test.ts',
];

/**
 * @returns {Promise<string[]>} test files
 * @throws Error if one of the paths does not exist
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
  if (idle !== undefined) throw new Error(`${idle} does not exist, so its tests cannot be skipped.`);
  return all.filter((file) => !sameInAnyNode.some((start) => file.startsWith(start)));
}

/** @type {import('./part-result.mjs').Part} */
const modernUnitTests = {
  name: 'unit tests, Node with its own SQLite',
  run: async () => runVitest(await ensureModernNode(), { report: 'unit-modern.json', places: await modernPlaces() }),
};

/**
 * Returns the unit tests under a Node that includes SQLite.
 * @returns {{ parts: import('./part-result.mjs').Part[], leftOut: import('./left-out.mjs').LeftOut[] }}
 */
export function modernLeg() {
  if (modernNodeProblem === undefined) return { parts: [modernUnitTests], leftOut: [] };
  return { parts: [], leftOut: [{ what: modernUnitTests.name, why: modernNodeProblem }] };
}
