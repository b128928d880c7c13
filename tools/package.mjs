/**
 * `npm run package [-- --dir]`: packs the program with electron-builder into `dist/`, as a folder and, without `--dir`,
 * as the archive that electron-builder.yml names for this system, on Linux as a Debian package too.
 */
import path from 'node:path';
import { bootstrapElectron } from './bootstrap.mjs';
import { runOrFail } from './child-process.mjs';
import { hasDebianName, makeDeb } from './deb.mjs';
import { packageFile, root } from './paths.mjs';
import { say, withProgress } from './progress.mjs';
import { findOnPath } from './system-packages.mjs';
import { ToolError } from './tool-error.mjs';

const archiveLimitMs = 15 * 60 * 1000;

/** @type {Partial<Record<NodeJS.Platform, { flag: string, archive: string, folder: string, executable: string }>>} */
const systems = {
  linux: { flag: '--linux', archive: 'tar.gz', folder: 'linux', executable: 'millrace' },
  darwin: { flag: '--mac', archive: 'zip', folder: 'mac', executable: 'Millrace.app/Contents/MacOS/Millrace' },
  win32: { flag: '--win', archive: 'zip', folder: 'win', executable: 'Millrace.exe' },
};

function currentSystem() {
  const system = systems[process.platform];
  if (system) return system;
  throw new ToolError(`Millrace cannot be packed on ${process.platform}.`);
}

/** @returns {{ folder: string, executable: string }} where the packed program lies; `executable` relative to `folder` */
export function packagedProgram() {
  const { folder, executable } = currentSystem();
  const arch = process.arch === 'x64' ? '' : `-${process.arch}`;
  const suffix = process.platform === 'darwin' ? '' : '-unpacked';
  return { folder: path.join(root, 'dist', `${folder}${arch}${suffix}`), executable };
}

/**
 * The released program has the pinned Electron, which electron-builder gets by itself. With another one at hand, that
 * is used, and nothing is tried over the network.
 * @param {import('./electron-runtime.mjs').ElectronRuntime} electron
 */
function runtimeArguments({ source, dist, version }) {
  if (source === 'pinned') return [];
  const hook = path.join(import.meta.dirname, 'remove-default-app.mjs');
  return [`-c.electronDist=${dist}`, `-c.electronVersion=${version}`, `-c.afterPack=${hook}`];
}

/**
 * Without the pinned runtime there is no way to electron-builder's other downloads either, so a local archiver serves.
 * Such archives are for trying out and are packed fast; released ones are packed small.
 * @param {import('./electron-runtime.mjs').ElectronRuntime} electron
 */
async function packerEnvironment({ source }) {
  const env = { ...process.env };
  if (source === 'pinned') return env;
  env['ELECTRON_BUILDER_COMPRESSION_LEVEL'] ??= '1';
  env['ELECTRON_BUILDER_7ZIP_PATH'] ??= await findOnPath('7za');
  return env;
}

/**
 * Packs what is built.
 * @param {import('./electron-runtime.mjs').ElectronRuntime} electron
 * @param {{ withArchive: boolean }} options
 * @returns {Promise<string>} electron-builder's output
 * @throws {ToolError} with that output when it fails
 */
export async function packProgram(electron, { withArchive }) {
  const { flag, archive } = currentSystem();
  const targets = withArchive ? ['dir', archive] : ['dir'];
  const args = [flag, ...targets, `--${process.arch}`, '--publish', 'never', ...runtimeArguments(electron)];
  const builder = packageFile('electron-builder/cli.js');
  const env = await packerEnvironment(electron);
  return runOrFail(process.execPath, [builder, ...args], { cwd: root, env, limitMs: archiveLimitMs });
}

/**
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function main(args) {
  if (args.some((arg) => arg !== '--dir')) throw new ToolError('npm run package takes "-- --dir" or nothing.');
  const withArchive = args.length === 0;
  const electron = await bootstrapElectron({ build: true, programs: withArchive ? ['7za'] : [] });
  await withProgress('Packing', () => packProgram(electron, { withArchive }));
  if (withArchive && process.platform === 'linux') await packDeb(electron);
  say(`Packed with Electron ${electron.version}: ${path.join(root, 'dist')}`);
  return 0;
}

/**
 * Systems without `dpkg-deb` do without the package.
 * @param {import('./electron-runtime.mjs').ElectronRuntime} electron
 */
async function packDeb({ source }) {
  const { arch } = process;
  if (!hasDebianName(arch) || (await findOnPath('dpkg-deb')) === undefined) {
    say('No Debian package: that needs dpkg-deb, and a machine that Debian runs on.');
    return;
  }
  const outDir = path.join(root, 'dist');
  const options = { program: packagedProgram().folder, outDir, arch, isSmall: source === 'pinned' };
  await withProgress('Packing for Debian', () => makeDeb(options));
}
