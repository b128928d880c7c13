/** `npm run -s millrace -- ARGUMENTS`: the command line program of a clone, built when it is stale. */
import { bootstrap } from './bootstrap.mjs';
import { runForeground } from './child-process.mjs';
import { cliPath } from './paths.mjs';

/**
 * Nothing but the program itself writes to stdout.
 * @param {string[]} args
 * @returns {Promise<number>} the program's exit code
 */
export async function main(args) {
  await bootstrap({ electron: false, build: ['cli'] });
  return runForeground(process.execPath, [cliPath, ...args]);
}
