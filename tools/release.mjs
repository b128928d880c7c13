/**
 * Steps of `.github/workflows/release.yml` that need more than one command: `node tools/release.mjs tag NAME` fails
 * unless the tag matches the version, and `node tools/release.mjs sums FILE` writes the checksums of the files in
 * `dist/`.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './paths.mjs';

/** Released files, by the end of their names. */
const released = ['.deb', '.rpm', '.AppImage', '.tar.gz', '.zip', '.dmg', '.exe', '.cdx.json'];

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

/** @param {readonly string[]} args */
async function main([what, name = '']) {
  if (what === 'tag') {
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    const problem = tagProblem(name, version);
    if (problem !== undefined) throw new Error(problem);
  } else if (what === 'sums') {
    process.stdout.write(await writeSums(path.join(root, 'dist'), name));
  } else {
    throw new Error('Usage: node tools/release.mjs tag NAME, or sums FILE');
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
