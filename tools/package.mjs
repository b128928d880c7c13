/**
 * `npm run package [-- --dir or KINDS]`: packs the program with electron-builder into `dist/`, as a folder, and creates
 * the archives, packages and installers of this system from it: all that can be created here, or the named kinds.
 */
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bootstrapElectron } from './bootstrap.mjs';
import { runOrFail } from './child-process.mjs';
import { hasDebianName, makeDeb } from './deb.mjs';
import { licensesDir, materialsFile } from './licenses.mjs';
import { packageFile, root } from './paths.mjs';
import { say, withProgress } from './progress.mjs';
import { hasRpmName, makeRpm } from './rpm.mjs';
import { findOnPath } from './system-packages.mjs';
import { ToolError } from './tool-error.mjs';

const archiveLimitMs = 15 * 60 * 1000;

/**
 * @typedef {object} System
 * @property {string} flag flag of electron-builder
 * @property {string} folder folder of the packed program, without the architecture
 * @property {string} executable in that folder
 * @property {readonly string[]} kinds the released kinds
 * @property {string} [machine] electron-builder flag for the architecture of releases; by default that of this machine
 */

/** @type {Partial<Record<NodeJS.Platform, System>>} */
const systems = {
  linux: { flag: '--linux', folder: 'linux', executable: 'millrace', kinds: ['tar.gz', 'deb', 'rpm', 'AppImage'] },
  darwin: {
    flag: '--mac',
    folder: 'mac',
    executable: 'Millrace.app/Contents/MacOS/Millrace',
    kinds: ['dmg', 'zip'],
    machine: '--universal',
  },
  win32: { flag: '--win', folder: 'win', executable: 'Millrace.exe', kinds: ['zip', 'nsis'] },
};

/** Kinds that electron-builder creates with programs that it downloads first. */
const downloading = ['AppImage', 'dmg', 'nsis'];

function currentSystem() {
  const system = systems[process.platform];
  if (system) return system;
  throw new ToolError(`Millrace cannot be packed on ${process.platform}.`);
}

/**
 * @returns {{ folder: string, executable: string }} path of the packed program; `executable` is relative to `folder`
 */
export function packagedProgram() {
  const { folder, executable } = currentSystem();
  const arch = process.arch === 'x64' ? '' : `-${process.arch}`;
  const suffix = process.platform === 'darwin' ? '' : '-unpacked';
  return { folder: path.join(root, 'dist', `${folder}${arch}${suffix}`), executable };
}

/**
 * Returns the arguments that select an Electron. electron-builder downloads the pinned version itself; any other one is
 * used without network access.
 * @param {import('./electron-runtime.mjs').ElectronRuntime} electron
 */
function runtimeArguments({ source, dist, version }) {
  return source === 'pinned' ? [] : [`-c.electronDist=${dist}`, `-c.electronVersion=${version}`];
}

/**
 * Returns the environment of electron-builder. Without the pinned runtime, its other downloads are not available
 * either, so a local archiver is used.
 * @param {import('./electron-runtime.mjs').ElectronRuntime} electron
 * @param {boolean} isSmall
 */
async function packerEnvironment({ source }, isSmall) {
  const env = { ...process.env };
  if (!isSmall) env['ELECTRON_BUILDER_COMPRESSION_LEVEL'] ??= '1';
  if (source !== 'pinned') env['ELECTRON_BUILDER_7ZIP_PATH'] ??= await findOnPath('7za');
  return env;
}

/**
 * @typedef {object} Packing
 * @property {readonly string[]} [kinds] archives and installers that electron-builder creates from the folder
 * @property {boolean} [isSmall] minimizes their size, which takes minutes
 * @property {readonly string[]} [more] further arguments of electron-builder
 */

/**
 * Packs the current build.
 * @param {import('./electron-runtime.mjs').ElectronRuntime} electron
 * @param {Packing} packing
 * @returns {Promise<string>} electron-builder's output
 * @throws {ToolError} with that output if it fails
 */
export async function packProgram(electron, { kinds = [], isSmall = false, more = [] }) {
  const { flag } = currentSystem();
  const machine = more.length === 0 ? [`--${process.arch}`] : more;
  const args = [flag, 'dir', ...kinds, ...machine, '--publish', 'never', ...runtimeArguments(electron)];
  const builder = packageFile('electron-builder/cli.js');
  const env = await packerEnvironment(electron, isSmall);
  return runOrFail(process.execPath, [builder, ...args], { cwd: root, env, limitMs: archiveLimitMs });
}

/**
 * @param {string} kind
 * @param {import('./electron-runtime.mjs').ElectronRuntime} electron
 * @returns {Promise<string | undefined>} why this machine cannot create it
 */
async function problemOf(kind, { source }) {
  const { arch } = process;
  if (kind === 'deb') {
    const canBe = hasDebianName(arch) && (await findOnPath('dpkg-deb')) !== undefined;
    return canBe ? undefined : 'it requires dpkg-deb and an architecture that Debian supports';
  }
  if (kind === 'rpm') {
    const canBe = hasRpmName(arch) && (await findOnPath('rpmbuild')) !== undefined;
    return canBe ? undefined : 'it requires rpmbuild and an architecture that Fedora supports';
  }
  if (source === 'pinned' || !downloading.includes(kind)) return undefined;
  return 'electron-builder has to download programs for it, and this machine could not download Electron either';
}

/**
 * Creates a released kind from the packed folder.
 * @param {string} kind
 * @param {import('./electron-runtime.mjs').ElectronRuntime} electron
 * @param {boolean} isSmall
 */
async function makeKind(kind, electron, isSmall) {
  const { machine } = currentSystem();
  const { folder: program } = packagedProgram();
  const { arch } = process;
  const outDir = path.join(root, 'dist');
  if (kind === 'deb' && hasDebianName(arch)) return makeDeb({ program, outDir, arch, isSmall });
  if (kind === 'rpm' && hasRpmName(arch)) return makeRpm({ program, outDir, arch, isSmall });
  if (machine !== undefined) return packProgram(electron, { kinds: [kind], isSmall, more: [machine] });
  return fromFolder(kind, () => {
    const more = [`--${arch}`, '--prepackaged', program];
    return packProgram(electron, { kinds: [kind], isSmall, more });
  });
}

/**
 * Records the kind in the folder while the package is created from it, and then restores the folder.
 * @param {string} kind
 * @param {() => Promise<string>} make
 */
async function fromFolder(kind, make) {
  const file = path.join(packagedProgram().folder, 'resources', 'package-type');
  const former = await readFile(file);
  await writeFile(file, kind);
  return make().finally(() => writeFile(file, former));
}

/**
 * @param {readonly string[]} args
 * @returns {{ named: string[], isSmall: boolean, isFolder: boolean }}
 */
function readArguments(args) {
  const kinds = [...currentSystem().kinds, 'zip'];
  const unknown = args.find((arg) => arg !== '--dir' && arg !== '--small' && !kinds.includes(arg));
  if (unknown !== undefined) {
    throw new ToolError(`npm run package accepts "--dir", "--small" or some of ${kinds.join(', ')}, not "${unknown}".`);
  }
  const named = args.filter((arg) => kinds.includes(arg));
  return { named, isSmall: args.includes('--small'), isFolder: args.includes('--dir') };
}

/**
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function main(args) {
  const { named, isFolder, ...wish } = readArguments(args);
  const electron = await bootstrapElectron({ build: true, programs: isFolder ? [] : ['7za'] });
  const isSmall = wish.isSmall || electron.source === 'pinned';
  const kinds = isFolder ? [] : named.length > 0 ? named : currentSystem().kinds;
  await withProgress('Packing', () => packProgram(electron, {}));
  for (const kind of kinds) {
    const problem = await problemOf(kind, electron);
    if (problem === undefined) await withProgress(`Packing as ${kind}`, () => makeKind(kind, electron, isSmall));
    else if (named.length > 0) throw new ToolError(`${kind} was not created: ${problem}.`);
    else say(`${kind} was not created: ${problem}.`);
  }
  if (!isFolder) await cp(path.join(licensesDir, materialsFile), path.join(root, 'dist', materialsFile));
  say(`Packed with Electron ${electron.version}: ${path.join(root, 'dist')}`);
  return 0;
}
