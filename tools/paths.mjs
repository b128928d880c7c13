/** Absolute paths of files and folders. */
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
/** Files that can be created again: runtimes, test results, stamps. */
export const cacheDir = path.join(root, '.cache');
/** Output of the build. */
export const outDir = path.join(root, 'out');
/** The built documentation. */
export const siteFolder = path.join(outDir, 'docs');
/** The built command line program. */
export const cliPath = path.join(outDir, 'cli', 'cli.cjs');
export const exampleWorkspace = path.join(root, 'resources', 'workspace');

/**
 * Resolves a path relative to the user's folder. Under `npm run`, the current folder is that of the repository, and npm
 * keeps the user's folder in `INIT_CWD`.
 * @param {string} given path as entered by the user
 */
export function fromUsersFolder(given) {
  return path.resolve(process.env['INIT_CWD'] ?? process.cwd(), given);
}

/** @param {string} file path in the package tree, with `/` */
export function packageFile(file) {
  return path.join(root, 'node_modules', ...file.split('/'));
}
