/**
 * Prepares a clone so that the program can run: packages, Electron, system libraries, a build. Existing parts are kept,
 * so the second start has nothing to do.
 */
import path from 'node:path';
import { ensureElectron, findElectron } from './electron-runtime.mjs';
import { withLock } from './lock.mjs';
import { arePackagesCurrent, installPackages } from './packages.mjs';
import { cacheDir } from './paths.mjs';
import { allParts, buildStale, isBuildCurrent } from './program-build.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

/**
 * @typedef {object} Needs requirements in addition to the packages
 * @property {boolean} electron
 * @property {readonly string[]} build names of parts of the program
 */

/**
 * @param {Needs} needs
 * @returns {Promise<boolean>} whether there is nothing to do
 */
async function isPrepared(needs) {
  if (!(await arePackagesCurrent())) return false;
  if (!(await isBuildCurrent(needs.build))) return false;
  return !needs.electron || (await findElectron()) !== undefined;
}

/** @param {Needs} needs */
async function prepare(needs) {
  if (!(await arePackagesCurrent())) await installPackages();
  const [built] = await Promise.all([buildStale(needs.build), needs.electron ? ensureElectron() : undefined]);
  return built;
}

/**
 * Returns a filter for the programs that a command needs. electron-builder includes an archiver, which is downloaded
 * from the same place as the pinned Electron.
 * @param {import('./electron-runtime.mjs').ElectronRuntime} electron
 */
function isNeededWith({ source }) {
  /** @param {import('./system-packages.mjs').Program} program */
  return (program) => program !== '7za' || source !== 'pinned';
}

/**
 * @param {Needs} needs
 * @returns {Promise<string[]>} the parts of the program that had to be built
 * @throws {ToolError} if something is missing, with how to get it
 */
export async function bootstrap(needs) {
  if (await isPrepared(needs)) return [];
  return withLock(path.join(cacheDir, 'bootstrap.lock'), () => prepare(needs));
}

/**
 * Prepares commands that open windows.
 * @param {{ build: boolean, programs?: readonly import('./system-packages.mjs').Program[] }} needs required programs of
 * the system
 * @returns {Promise<import('./electron-runtime.mjs').ElectronRuntime>} with everything it needs from the system
 * @throws {ToolError} if something is missing, with how to get it
 */
export async function bootstrapElectron({ build, programs = [] }) {
  await bootstrap({ electron: true, build: build ? allParts : [] });
  const electron = await ensureElectron();
  await ensureSystemPackages(electron.executable, programs.filter(isNeededWith(electron)));
  return electron;
}
