/**
 * Installs the packages of `package-lock.json`, only when they are not there yet.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runNpm } from './child-process.mjs';
import { packageFile, root } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { readStamp, sha256OfFile, writeStamp } from './stamp.mjs';

const lockFile = path.join(root, 'package-lock.json');
/** Inside `node_modules`, so that it goes when they go. */
const stampFile = packageFile('.millrace-stamp');

/** @typedef {{ version?: string, optional?: boolean, link?: boolean }} LockEntry */

/**
 * @param {string} file
 * @returns {Promise<Record<string, LockEntry>>} by path in the tree of packages
 */
async function readLock(file) {
  return JSON.parse(await readFile(file, 'utf8')).packages;
}

/**
 * Whether what npm says it installed is what the lock demands. Optional packages of other systems may be missing.
 * @param {Record<string, LockEntry>} wanted
 * @param {Record<string, LockEntry>} installed
 */
export function isInstalled(wanted, installed) {
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '') return true;
    const found = installed[place];
    return found === undefined ? entry.optional === true : found.version === entry.version;
  });
}

/** Packages that somebody installed by hand count as well: npm notes down what it did. */
async function isInstalledByHand() {
  try {
    return isInstalled(await readLock(lockFile), await readLock(packageFile('.package-lock.json')));
  } catch {
    return false;
  }
}

export async function arePackagesCurrent() {
  return (await readStamp(stampFile)) === (await sha256OfFile(lockFile));
}

/** @throws {ToolError} with npm's output when it fails */
export async function installPackages() {
  if (!(await isInstalledByHand())) {
    await withProgress('Installing packages', () =>
      runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root }),
    );
  }
  await writeStamp(stampFile, await sha256OfFile(lockFile));
}
