/**
 * Builds the program into `out/`, its documentation, and the library for other programs, in seven parts. Each part records what it was
 * built from and is built again only if that changed.
 */
import { existsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import { runOrFail } from './child-process.mjs';
import { shipCompiledCode } from './compiled-code.mjs';
import { rootPages } from './docs/contents.mjs';
import { licensesDir, licensesFile, writeLicenses } from './licenses.mjs';
import { cliPath, outDir, packageFile, root } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { fingerprint, readStamp, writeStamp } from './stamp.mjs';

/**
 * @typedef {object} Declarations
 * @property {string} compiler settings of the compiler that writes them
 * @property {string} bundler settings of the build that joins them in one file
 * @property {string} folder where the compiler writes them, under `out/`
 */

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {readonly string[]} sources in addition to its config and the package lock
 * @property {readonly string[]} outputs folders under `out/` that it owns
 * @property {Declarations} [declarations] if the part includes type declarations
 * @property {string} [script] builds the part instead of Vite
 */

/** Creates the program of the workers that run scripts, which is included in these parts. */
const luaWorker = 'tools/lua-worker-plugin.ts';

/** @type {readonly Part[]} */
const parts = [
  {
    name: 'node',
    sources: ['engine', 'electron/ipc', 'electron/main', 'electron/engine-host', 'electron/cli-host', luaWorker],
    outputs: ['main', 'node'],
  },
  {
    name: 'cli',
    sources: ['engine', 'vite.node.config.ts', luaWorker, 'tools/quick-start-plugin.ts', 'tools/compiled-code.mjs'],
    outputs: ['cli'],
  },
  { name: 'preload', sources: ['electron/preload', 'electron/ipc'], outputs: ['preload'] },
  { name: 'renderer', sources: ['renderer', 'electron/ipc', 'engine'], outputs: ['renderer'] },
  {
    name: 'form-page',
    sources: ['renderer/form-page', 'renderer/ui', 'engine/host/http/page-data.ts'],
    outputs: ['form-page'],
  },
  {
    name: 'docs',
    sources: ['docs', 'tools/docs', 'renderer/ui/tokens.css', 'renderer/ui/high-contrast.css', ...rootPages],
    outputs: ['docs'],
    script: 'tools/docs/build.mjs',
  },
  {
    name: 'library',
    sources: ['engine', 'vite.node.config.ts', luaWorker],
    outputs: ['library'],
    declarations: {
      compiler: 'tsconfig.library.json',
      bundler: 'vite.library-types.config.ts',
      folder: 'library/types',
    },
  },
];

/** @param {string} file */
function isBuilt(file) {
  return !/\.test\.tsx?$/.test(file);
}

/** @param {Part} part */
function stampFile(part) {
  return path.join(outDir, `${part.name}.stamp`);
}

/** @param {Part} part */
function configFile(part) {
  return part.script ?? `vite.${part.name}.config.ts`;
}

/** @param {Part} part */
function fingerprintOf(part) {
  const settings = [configFile(part), 'tsconfig.json', 'package.json', 'package-lock.json'];
  const declarations = part.declarations === undefined ? [] : [part.declarations.compiler, part.declarations.bundler];
  return fingerprint(root, [...part.sources, ...settings, ...declarations], isBuilt);
}

/**
 * @param {Part} part
 * @returns {Promise<boolean>}
 */
async function isStale(part) {
  return (await readStamp(stampFile(part))) !== (await fingerprintOf(part));
}

/** @param {Part} part */
async function buildPart(part) {
  const madeFrom = await fingerprintOf(part);
  await rm(stampFile(part), { force: true });
  await Promise.all(part.outputs.map((folder) => rm(path.join(outDir, folder), { recursive: true, force: true })));
  if (part.script === undefined) await runVite(configFile(part));
  else await runOrFail(process.execPath, [part.script], { cwd: root });
  if (part.name === 'cli') {
    await chmod(cliPath, 0o755);
    await shipCompiledCode(cliPath);
  }
  if (part.declarations !== undefined) await buildDeclarations(part.declarations);
  await writeStamp(stampFile(part), madeFrom);
}

/** @param {string} config */
async function runVite(config) {
  const vite = packageFile('vite/bin/vite.js');
  await runOrFail(process.execPath, [vite, 'build', '--config', config, '--logLevel', 'warn'], { cwd: root });
}

/** @param {Declarations} declarations */
async function buildDeclarations({ compiler, bundler, folder }) {
  await runOrFail(process.execPath, [packageFile('typescript/bin/tsc'), '-p', compiler], { cwd: root });
  await runVite(bundler);
  await rm(path.join(outDir, folder), { recursive: true });
}

/** Parts of the packed program. Licenses are listed for all of them together. */
const packedParts = ['node', 'cli', 'preload', 'renderer', 'form-page', 'docs'];

/** Names of all parts. */
export const allParts = parts.map(({ name }) => name);

/**
 * @param {readonly string[]} names
 * @returns {Promise<Part[]>} the parts that have to be built
 */
async function staleParts(names) {
  const wanted = parts.filter(({ name }) => names.includes(name));
  const stale = await Promise.all(wanted.map(isStale));
  return wanted.filter((_, index) => stale[index]);
}

/** @param {readonly string[]} names names of parts */
export async function isBuildCurrent(names) {
  return (await staleParts(names)).length === 0;
}

/**
 * Builds stale parts.
 * @param {readonly string[]} names names of the requested parts
 * @returns {Promise<string[]>} the names of the parts that were built
 * @throws {ToolError} with the output of the part that failed
 */
export async function buildStale(names) {
  const stale = await staleParts(names);
  if (stale.length > 0) await withProgress('Building', () => Promise.all(stale.map(buildPart)));
  // Only if all packed parts are built.
  const isWhole = packedParts.every((name) => names.includes(name));
  const isThere = existsSync(path.join(licensesDir, licensesFile));
  if (isWhole && (stale.length > 0 || !isThere)) await writeLicenses();
  return stale.map((part) => part.name);
}
