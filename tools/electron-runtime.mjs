/**
 * Finds the Electron to run: one set by the user, or else the one pinned in package.json, which is downloaded if
 * necessary, or else the fallback of `electron-fallback.mjs`.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runCaptured } from './child-process.mjs';
import { canFallBack, fallbackDir, makeFallback } from './electron-fallback.mjs';
import { cacheDir, packageFile, root } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { readStamp, writeStamp } from './stamp.mjs';
import { ToolError } from './tool-error.mjs';

/** Version and time of a failed download, so that the next start does not wait for the same error. */
const refusalFile = path.join(cacheDir, 'electron-download-refused.json');
const refusalHoldsMs = 24 * 60 * 60 * 1000;
const downloadLimitMs = 15 * 60 * 1000;

/**
 * @typedef {object} ElectronRuntime
 * @property {string} dist absolute path of its folder
 * @property {string} executable absolute path
 * @property {string} version
 * @property {'given' | 'pinned' | 'fallback'} source
 */

/** Returns the path of the executable in the folder of a runtime. */
function executableName() {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

/**
 * @param {string} dist
 * @param {ElectronRuntime['source']} source
 * @returns {Promise<ElectronRuntime | undefined>} undefined if the folder does not contain a complete runtime
 */
async function runtimeAt(dist, source) {
  const executable = path.join(dist, executableName());
  const version = await readFile(path.join(dist, 'version'), 'utf8').catch(() => undefined);
  if (version === undefined || !existsSync(executable)) return undefined;
  return { dist, executable, version: version.trim().replace(/^v/, ''), source };
}

async function pinnedVersion() {
  /** @type {{ version: string }} */
  const { version } = JSON.parse(await readFile(packageFile('electron/package.json'), 'utf8'));
  return version;
}

/** @param {string} version */
async function wasRefusedLately(version) {
  const text = await readStamp(refusalFile);
  if (text === undefined) return false;
  const refusal = JSON.parse(text);
  return refusal.version === version && Date.now() - refusal.at < refusalHoldsMs;
}

/**
 * Runs the installer of the pinned version, which has a cache per user and verifies checksums.
 * @param {string} version
 * @returns {Promise<string | undefined>} why it failed; undefined on success
 */
async function download(version) {
  const installer = packageFile('electron/install.js');
  const { code, output } = await withProgress(`Downloading Electron ${version}`, () =>
    runCaptured(process.execPath, [installer], { cwd: root, limitMs: downloadLimitMs }),
  );
  if (code === 0) return undefined;
  await writeStamp(refusalFile, JSON.stringify({ version, at: Date.now() }));
  return output.trim();
}

/** @returns {Promise<ElectronRuntime | undefined>} */
async function givenRuntime() {
  const given = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (!given) return undefined;
  const runtime = await runtimeAt(path.resolve(given), 'given');
  if (runtime) return runtime;
  throw new ToolError(
    `ELECTRON_OVERRIDE_DIST_PATH is ${given}, but that folder contains no Electron (${executableName()}).`,
  );
}

/**
 * Finds the pinned version. Its installer writes `path.txt` last; if that file is missing, unpacking was interrupted.
 * @returns {Promise<ElectronRuntime | undefined>}
 */
async function pinnedRuntime() {
  return existsSync(packageFile('electron/path.txt')) ? runtimeAt(packageFile('electron/dist'), 'pinned') : undefined;
}

/** @returns {Promise<ElectronRuntime | undefined>} the available runtime, without network access */
export async function findElectron() {
  const given = await givenRuntime();
  if (given) return given;
  const version = await pinnedVersion();
  const pinned = await pinnedRuntime();
  if (pinned?.version === version) return pinned;
  const mayFallBack = canFallBack() && (await wasRefusedLately(version));
  return mayFallBack ? runtimeAt(fallbackDir, 'fallback') : undefined;
}

/**
 * @returns {Promise<ElectronRuntime>}
 * @throws {ToolError} if there is none for this machine
 */
export async function ensureElectron() {
  const found = await findElectron();
  if (found) return found;
  const version = await pinnedVersion();
  if (!canFallBack() || !(await wasRefusedLately(version))) {
    const reason = await download(version);
    if (reason !== undefined && !canFallBack()) throw new ToolError(noRuntimeMessage(version, reason));
  }
  if ((await findElectron()) === undefined) await makeFallback();
  const made = await findElectron();
  if (made) return made;
  throw new ToolError(`${fallbackDir} contains no complete Electron. Delete the folder and try again.`);
}

/**
 * @param {string} version
 * @param {string} reason
 */
function noRuntimeMessage(version, reason) {
  return [
    `Electron ${version} could not be downloaded:`,
    reason,
    'Set ELECTRON_MIRROR to a mirror that this machine can reach, or ELECTRON_OVERRIDE_DIST_PATH to a folder that contains',
    'an unpacked Electron.',
  ].join('\n');
}
