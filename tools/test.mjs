/** `npm test`: everything that can be tested, from a bare clone on. The last line says how much passed and failed. */
import { bootstrap, bootstrapElectron } from './bootstrap.mjs';
import { checks } from './check.mjs';
import { e2eTests } from './e2e.mjs';
import { ensureElectron } from './electron-runtime.mjs';
import { packProgram } from './package.mjs';
import { conclude, runPart, runParts } from './part-result.mjs';
import { ensureVirtualDisplay } from './system-libraries.mjs';
import { modernLeg, unitTests } from './unit-tests.mjs';

/** @typedef {import('./part-result.mjs').Part} Part */

/** @type {Part} */
const setUp = {
  name: 'set-up',
  run: async () => {
    await bootstrapElectron({ build: false });
    await ensureVirtualDisplay();
    return { passed: 1, failed: 0, output: '' };
  },
};

/** @type {Part} */
const build = {
  name: 'build',
  run: async () => {
    await bootstrap({ electron: false, build: true });
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

/** @returns {Promise<number>} exit code */
export async function main() {
  const prepared = await runPart(setUp);
  if (prepared.failed > 0) return conclude([prepared]);
  return conclude([
    prepared,
    await runPart(build),
    ...(await runParts([unitTests, ...checks, pack, ...modernLeg()], 2)),
    await runPart(e2eTests),
  ]);
}
