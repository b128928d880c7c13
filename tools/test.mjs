/** `npm test`: runs all tests, starting from a fresh clone. The last line shows how many passed and failed. */
import { countsCheck } from './bench-check.mjs';
import { bootstrap, bootstrapElectron } from './bootstrap.mjs';
import { checks } from './check.mjs';
import { prepareDurableServers } from './durable-servers.mjs';
import { e2eTests } from './e2e.mjs';
import { ensureElectron } from './electron-runtime.mjs';
import { packProgram } from './package.mjs';
import { conclude, runPart, runWaiting } from './part-result.mjs';
import { allParts } from './program-build.mjs';
import { modernLeg, unitTests } from './unit-tests.mjs';

/** @typedef {import('./part-result.mjs').Part} Part */

/** @type {Part} */
const setUp = {
  name: 'set-up',
  showsSteps: true,
  run: async () => {
    await bootstrap({ electron: false, build: [] });
    return { passed: 1, failed: 0, output: '', leftOut: await prepareDurableServers() };
  },
};

/** @type {Part} */
const electron = {
  name: 'Electron',
  showsSteps: true,
  run: async () => {
    await bootstrapElectron({ build: false, programs: ['Xvfb', '7za', 'git'] });
    return { passed: 1, failed: 0, output: '' };
  },
};

/** @type {Part} */
const build = {
  name: 'build',
  showsSteps: true,
  run: async () => {
    await bootstrap({ electron: false, build: allParts });
    return { passed: 1, failed: 0, output: '' };
  },
};

/** @type {Part} */
const pack = {
  name: 'package',
  run: async () => {
    const output = await packProgram(await ensureElectron(), { kinds: ['tar.gz'] });
    return { passed: 1, failed: 0, output };
  },
};

/**
 * Runs the parts that lead to the packed program and its tests, one after the other. Parts after a failed one are
 * skipped, because they would only repeat the failure.
 * @returns {Promise<{ results: import('./part-result.mjs').PartResult[], leftOut: import('./left-out.mjs').LeftOut[]
 * }>}
 */
async function runProgramParts() {
  const results = [];
  const parts = [electron, build, countsCheck, pack, e2eTests];
  for (const part of parts) {
    const result = await runPart(part);
    results.push(result);
    if (result.failed > 0) break;
  }
  const why = `"${results.at(-1)?.name}" failed`;
  return { results, leftOut: parts.slice(results.length).map(({ name }) => ({ what: name, why })) };
}

/**
 * Runs everything and prints the result. End-to-end tests mostly wait and unit tests mostly compute, so running both at
 * a time keeps all cores busy. Unit tests start while Electron is still being downloaded, because they do not need it.
 * @returns {Promise<number>} exit code
 */
export async function main() {
  const prepared = await runPart(setUp);
  if (prepared.failed > 0) return conclude([prepared]);
  const modern = modernLeg();
  const sources = [unitTests, ...modern.parts, ...checks];
  const [made, others] = await Promise.all([
    runProgramParts().then(async (program) => ({ ...program, others: await runWaiting(sources) })),
    runWaiting(sources),
  ]);
  return conclude([prepared, ...made.results, ...made.others, ...others], [...modern.leftOut, ...made.leftOut]);
}
