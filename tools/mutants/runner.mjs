/**
 * One process of a mutation run: holds a Vitest, and runs the test files that its parent names with one mutant on.
 */
import path from 'node:path';
import process from 'node:process';
import { createVitest } from 'vitest/node';

/** @typedef {{ files: readonly string[], mutant: number }} Order */

const config = path.join(import.meta.dirname, 'mutants.config.ts');
/** @type {import('vitest/node').TestModule[]} */
let ended = [];
/** @type {import('vitest/node').Reporter} */
const reporter = { onTestModuleEnd: (module) => void ended.push(module) };
const vitest = await createVitest('test', { config, watch: false, reporters: [reporter] });
const known = await vitest.globTestSpecifications();

process.on('message', async (/** @type {Order} */ { files, mutant }) => {
  process.env['MILLRACE_MUTANT'] = String(mutant);
  ended = [];
  const wanted = files.flatMap((file) => known.filter(({ moduleId }) => moduleId === file));
  const { unhandledErrors } = await vitest.runTestSpecifications(wanted);
  const failed = ended.find((module) => !module.ok());
  const isKilled = failed !== undefined || unhandledErrors.length > 0;
  process.send?.({ isKilled, by: failed?.relativeModuleId });
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
