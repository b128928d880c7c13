/**
 * The Debian packages that the end-to-end tests install: the packed program, and the same with a lower version.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { hasDebianName, makeDeb } from './deb.mjs';
import { cacheDir } from './paths.mjs';
import { findOnPath } from './system-packages.mjs';

const folder = path.join(cacheDir, 'e2e-debs');
const olderVersion = '0.0.1';

/** @returns {Promise<string | undefined>} why packages cannot be installed here */
async function installingProblem() {
  if (process.platform !== 'linux') return 'it is for Linux';
  if (process.getuid?.() !== 0) return 'installing it takes root';
  for (const program of ['dpkg-deb', 'apt-get', 'flock', 'setpriv']) {
    if ((await findOnPath(program)) === undefined) return `there is no ${program}`;
  }
  return undefined;
}

/**
 * Makes the packages, quickly rather than small.
 * @param {string} program the packed folder
 * @returns {Promise<{ older: string, current: string } | { problem: string }>} the files, or why there are none
 */
export async function makeTrialDebs(program) {
  const { arch } = process;
  const problem = await installingProblem();
  if (problem !== undefined) return { problem };
  if (!hasDebianName(arch)) return { problem: `Debian does not run on ${arch}` };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const packing = { program, outDir: folder, arch, isSmall: false };
  return { older: await makeDeb({ ...packing, version: olderVersion }), current: await makeDeb(packing) };
}
