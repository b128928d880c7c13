/** Where things lie, absolute. */
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
/** What can be made again: runtimes, test results, stamps. */
export const cacheDir = path.join(root, '.cache');
/** What the build writes. */
export const outDir = path.join(root, 'out');
/** The command line program, as built. */
export const cliPath = path.join(outDir, 'cli', 'cli.cjs');
export const exampleWorkspace = path.join(root, 'resources', 'workspace');

/**
 * Under `npm run` the current folder is the repository's; npm keeps the user's own in `INIT_CWD`.
 * @param {string} given as the user wrote it
 */
export function fromUsersFolder(given) {
  return path.resolve(process.env['INIT_CWD'] ?? process.cwd(), given);
}

/** @param {string} file in the tree of packages, with `/` */
export function packageFile(file) {
  return path.join(root, 'node_modules', ...file.split('/'));
}
