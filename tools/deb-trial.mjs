/**
 * The Debian packages that the end-to-end tests install: the packed program, and the same with a lower version.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { runCaptured } from './child-process.mjs';
import { hasDebianName, makeDeb, trialField } from './deb.mjs';
import { cacheDir } from './paths.mjs';
import { findOnPath } from './system-packages.mjs';

const folder = path.join(cacheDir, 'e2e-debs');
const olderVersion = '0.0.1';

/** @returns {Promise<string | undefined>} why packages cannot be installed here */
async function installingProblem() {
  if (process.platform !== 'linux') return 'it requires Linux';
  if (process.getuid?.() !== 0) return 'installation requires root';
  for (const program of ['dpkg-deb', 'apt-get', 'flock', 'setpriv']) {
    if ((await findOnPath(program)) === undefined) return `${program} is not installed`;
  }
  return undefined;
}

/**
 * Creates the packages, optimized for speed instead of size.
 * @param {string} program the packed folder
 * @returns {Promise<{ older: string, current: string } | { problem: string }>} the files, or why there are none
 */
export async function makeTrialDebs(program) {
  const { arch } = process;
  const problem = await installingProblem();
  if (problem !== undefined) return { problem };
  if (!hasDebianName(arch)) return { problem: `Debian does not support ${arch}` };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const packing = { program, outDir: folder, arch, isSmall: false, isTrial: true };
  return { older: await makeDeb({ ...packing, version: olderVersion }), current: await makeDeb(packing) };
}

/** Held while such a package is installed, so that two test runs do not interfere. */
const lockFile = '/run/lock/millrace-deb-test';

/**
 * Returns whether the package is an installation made by tests, in any state in which an interrupted one was left. A
 * user's installation has neither that field nor that version.
 * @param {string} status output of `dpkg --status`
 */
export function isTrialInstallation(status) {
  return new RegExp(`^(${trialField}: |Version: ${olderVersion.replaceAll('.', '\\.')}$)`, 'm').test(status);
}

/** Completes a half-finished installation that was killed, then removes the package with its settings. */
const removing = ['dpkg --configure millrace', 'dpkg --purge --force-remove-reinstreq millrace'].join('; ');

/**
 * Removes a package that tests have left installed, unless another run is testing at the moment. That run removes the
 * package itself.
 * @returns {Promise<void>}
 */
export async function removeTrial() {
  if ((await installingProblem()) !== undefined) return;
  const { code, output } = await runCaptured('dpkg', ['--status', 'millrace']);
  if (code !== 0 || !isTrialInstallation(output)) return;
  await runCaptured('flock', ['--nonblock', lockFile, 'sh', '-c', removing], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
