/** `npm test`: everything that can be tested, from a bare clone on. The last line says how much passed and failed. */
import { bootstrap, bootstrapElectron } from './bootstrap.mjs';
import { checks } from './check.mjs';
import { e2eTests } from './e2e.mjs';
import { ensureElectron } from './electron-runtime.mjs';
import { packProgram } from './package.mjs';
import { conclude, runPart, runParts } from './part-result.mjs';
import { allParts } from './program-build.mjs';
import { say } from './progress.mjs';
import { modernLeg, unitTests } from './unit-tests.mjs';

/** @typedef {import('./part-result.mjs').Part} Part */

/** @type {Part} */
const setUp = {
  name: 'set-up',
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
    const output = await packProgram(await ensureElectron(), { withArchive: true });
    return { passed: 1, failed: 0, output };
  },
};

/**
 * Of parts that need each other's outcome, those after a failed one are left out: they would only repeat it.
 * @returns {Promise<number>} exit code
 */
export async function main() {
  const prepared = await runPart(setUp);
  if (prepared.failed > 0) return conclude([prepared]);
  const built = await runPart(build);
  const packing = built.failed > 0 ? [] : [pack];
  const results = await runParts([unitTests, ...checks, ...packing, ...modernLeg()], 2);
  const isPacked = results.some(({ name, failed }) => name === pack.name && failed === 0);
  if (isPacked) results.push(await runPart(e2eTests));
  else say(`Left out: ${e2eTests.name}, because there is no such program.`);
  return conclude([prepared, built, ...results]);
}
