/** `npm run -s millrace -- ARGUMENTS`: runs the command line program of a clone, and builds it if it is stale. */
import { bootstrap } from './bootstrap.mjs';
import { runForeground } from './child-process.mjs';
import { cliPath } from './paths.mjs';

/**
 * Builds the command line and the form pages that it serves if they are stale, and runs it. Only the program itself writes to stdout.
 * @param {string[]} args
 * @returns {Promise<number>} the program's exit code
 */
export async function main(args) {
  await bootstrap({ electron: false, build: ['cli', 'form-page'] });
  return runForeground(process.execPath, [cliPath, ...args]);
}
