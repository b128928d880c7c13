/**
 * Installs the packages of `package-lock.json` if they are not installed yet.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runNpm } from './child-process.mjs';
import { packageFile, root } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { readStamp, sha256OfFile, writeStamp } from './stamp.mjs';

const lockFile = path.join(root, 'package-lock.json');
/** Inside `node_modules`, so that it is deleted together with the packages. */
const stampFile = packageFile('.millrace-stamp');

/** @typedef {{ version?: string, optional?: boolean, link?: boolean }} LockEntry */

/**
 * @param {string} file
 * @returns {Promise<Record<string, LockEntry>>} by path in the package tree
 */
async function readLock(file) {
  return JSON.parse(await readFile(file, 'utf8')).packages;
}

/**
 * Returns whether the packages installed by npm match the lock file. Optional packages for other systems may be
 * missing.
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

/** Returns whether the packages were installed manually. npm records what it installed. */
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

/** @throws {ToolError} with npm's output if it fails */
export async function installPackages() {
  if (!(await isInstalledByHand())) {
    await withProgress('Installing packages', () =>
      runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root }),
    );
  }
  await writeStamp(stampFile, await sha256OfFile(lockFile));
}
