/**
 * Steps of `.github/workflows/release.yml` that are more than a command: `node tools/release.mjs tag NAME` fails unless a
 * tag names the version, `node tools/release.mjs sums FILE` writes the checksums of what lies in `dist/`.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './paths.mjs';

/** What is given to people, by the ends of their names. */
const released = ['.deb', '.rpm', '.AppImage', '.tar.gz', '.zip', '.dmg', '.exe', '.cdx.json'];

/**
 * @param {string} tag
 * @param {string} version of package.json
 * @returns {string | undefined} why the tag is not one of that version
 */
export function tagProblem(tag, version) {
  if (tag === `v${version}`) return undefined;
  return `The tag ${tag} does not name the version of package.json, ${version}: it should be v${version}.`;
}

/**
 * Writes a line for each package of a folder, as `sha256sum -c` reads it.
 * @param {string} folder
 * @param {string} file name in that folder
 * @returns {Promise<string>} the lines
 * @throws Error when there is no package
 */
export async function writeSums(folder, file) {
  const names = (await readdir(folder)).filter((name) => released.some((end) => name.endsWith(end))).sort();
  if (names.length === 0) throw new Error(`There is no package in ${folder}.`);
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
