/**
 * Steps of the workflows that need more than one command:
 *
 * - `node tools/release.mjs tag NAME` fails unless the tag matches the version.
 * - `node tools/release.mjs electron` fails unless the pinned Electron can be used.
 * - `node tools/release.mjs sums SYSTEM` fails unless `dist/` contains all packages of the system, such as `linux-x64`.
 *   It adds the system to the name of the bill of materials, and writes the checksums to `sums-SYSTEM.txt`.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureElectron } from './electron-runtime.mjs';
import { materialsFile } from './licenses.mjs';
import { root } from './paths.mjs';

/**
 * Ends of the names of released files, by system.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const packagesOf = {
  linux: ['.deb', '.rpm', '.AppImage', '.tar.gz'],
  macos: ['.dmg', '.zip'],
  windows: ['.exe', '.zip'],
};

const released = [...new Set(Object.values(packagesOf).flat()), '.cdx.json'];

/**
 * @param {string} tag
 * @param {string} version version in package.json
 * @returns {string | undefined} why the tag does not match the version
 */
export function tagProblem(tag, version) {
  if (tag === `v${version}`) return undefined;
  return `The tag ${tag} does not match the version in package.json, ${version}. Use the tag v${version}.`;
}

/**
 * Writes one line for each package in a folder, in the format of `sha256sum -c`.
 * @param {string} folder
 * @param {string} file name in that folder
 * @returns {Promise<string>} the lines
 * @throws Error if the folder contains no packages
 */
export async function writeSums(folder, file) {
  const names = (await readdir(folder)).filter((name) => released.some((end) => name.endsWith(end))).sort();
  if (names.length === 0) throw new Error(`${folder} contains no packages.`);
  const lines = [];
  for (const name of names) {
    const sum = createHash('sha256').update(await readFile(path.join(folder, name)));
    lines.push(`${sum.digest('hex')}  ${name}\n`);
  }
  await writeFile(path.join(folder, file), lines.join(''));
  return lines.join('');
}

/**
 * @param {readonly string[]} names files in `dist/`
 * @param {string} system such as `linux-x64`
 * @returns {string[]} ends of the names of missing files; all if the system is unknown
 */
export function missingPackages(names, system) {
  const wanted = [...(packagesOf[system.split('-')[0] ?? ''] ?? released), '.cdx.json'];
  return wanted.filter((end) => !names.some((name) => name.endsWith(end)));
}

/** @param {string} system such as `linux-x64` */
async function sumsOf(system) {
  const folder = path.join(root, 'dist');
  const missing = missingPackages(await readdir(folder), system);
  if (missing.length > 0) throw new Error(`Not built for ${system}: ${missing.join(', ')}.`);
  // All systems' files end up in one folder.
  await rename(path.join(folder, materialsFile), path.join(folder, materialsFile.replace('.', `-${system}.`)));
  return writeSums(folder, `sums-${system}.txt`);
}

async function checkElectron() {
  const { source, version } = await ensureElectron();
  if (source !== 'pinned') throw new Error(`Electron ${version} is not the version pinned in package.json.`);
}

/** @param {readonly string[]} args */
async function main([what, name = '']) {
  if (what === 'tag') {
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    const problem = tagProblem(name, version);
    if (problem !== undefined) throw new Error(problem);
  } else if (what === 'sums') {
    process.stdout.write(await sumsOf(name));
  } else if (what === 'electron') {
    await checkElectron();
  } else {
    throw new Error('Usage: node tools/release.mjs tag NAME, electron, or sums SYSTEM');
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
