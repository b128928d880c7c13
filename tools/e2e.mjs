/** `npm run e2e [-- PLAYWRIGHT ARGUMENTS]`: packs the program and drives it like a user. */
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { bootstrapElectron } from './bootstrap.mjs';
import { runCaptured, runForeground } from './child-process.mjs';
import { makeTrialDebs, removeTrial } from './deb-trial.mjs';
import { withVirtualDisplay } from './display.mjs';
import { leftOutOfPlaywright, thoroughTestsIn } from './left-out.mjs';
import { withMemoryFolder } from './memory-folder.mjs';
import { packagedProgram, packProgram } from './package.mjs';
import { failWhenUnexplained } from './part-result.mjs';
import { cacheDir, packageFile, root } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { countPlaywright, failuresOfPlaywright } from './test-reports.mjs';

const playwright = packageFile('@playwright/test/cli.js');
const testableFolder = path.join(cacheDir, 'e2e-program');
const reportFile = path.join(cacheDir, 'test-reports', 'e2e.json');

/**
 * Creates a copy of the packed program that tests can drive. Playwright attaches through Node's inspector, which is
 * disabled in the released program; the copy differs only in this fuse.
 * @returns {Promise<string>} its executable
 */
export async function makeTestable() {
  const { folder, executable } = packagedProgram();
  await rm(testableFolder, { recursive: true, force: true });
  await cp(folder, testableFolder, { recursive: true, verbatimSymlinks: true });
  const copy = path.join(testableFolder, executable);
  // A CommonJS package that exists only after the packages were installed.
  const { flipFuses, FuseV1Options, FuseVersion } = (await import('@electron/fuses')).default;
  await flipFuses(copy, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    // Macs with Apple silicon refuse to start a program that was changed after it was signed.
    resetAdHocDarwinSignature: process.platform === 'darwin' && process.arch === 'arm64',
  });
  return copy;
}

/**
 * Returns the environment for the tests and the program that they start.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} executable
 */
export function testEnvironment(env, executable) {
  const released = packagedProgram();
  return {
    ...env,
    MILLRACE_EXECUTABLE: executable,
    MILLRACE_RELEASED_EXECUTABLE: path.join(released.folder, released.executable),
    MILLRACE_ALLOW_DEBUGGING: '1',
  };
}

/**
 * Adds the Debian packages for the test that installs them, or why they cannot be installed here.
 * @param {NodeJS.ProcessEnv} env
 */
async function withDebs(env) {
  const debs = await makeTrialDebs(packagedProgram().folder);
  if ('problem' in debs) return { ...env, MILLRACE_DEB_PROBLEM: debs.problem };
  return { ...env, MILLRACE_OLDER_DEB: debs.older, MILLRACE_DEB: debs.current };
}

/** More programs at a time would only compete for the disk. */
const mostDisplays = 4;

/**
 * Runs the work with a virtual display for each core, listed in `MILLRACE_DISPLAYS`. The same number of programs is
 * tested at a time. Their folders are in memory.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work
 * @param {readonly string[]} [displays] existing displays
 * @returns {Promise<T>}
 */
function withDisplays(work, displays = []) {
  return withVirtualDisplay((env) => {
    const all = env['DISPLAY'] ? [...displays, env['DISPLAY']] : displays;
    const wanted = process.platform === 'linux' ? Math.min(availableParallelism(), mostDisplays) : 0;
    if (all.length < wanted) return withDisplays(work, all);
    return withMemoryFolder(wanted === 0 ? env : { ...env, MILLRACE_DISPLAYS: all.join(' ') }, work);
  });
}

/**
 * Runs the work as `withDisplays` does, then removes a Debian package that the tests have left installed, even if they
 * were killed.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withInstalling(work) {
  try {
    return await withDisplays(work);
  } finally {
    await removeTrial();
  }
}

/**
 * Excludes tests that examine in more detail what others, or tests of the page, already cover. Each of them starts the
 * program, which takes most of the time of all tests. They run with more than one round of tests, and with `npm run
 * e2e`.
 * @returns {Promise<{ args: string[], leftOut: import('./left-out.mjs').LeftOut[] }>} arguments for Playwright, and the
 * excluded tests
 */
async function withoutThorough() {
  if (Number(process.env['MILLRACE_TEST_ROUNDS'] || 1) > 1) return { args: [], leftOut: [] };
  const why = 'it is tagged @thorough; to run it, use `npm run e2e` or MILLRACE_TEST_ROUNDS=2';
  const names = (await readdir(path.join(root, 'e2e'))).filter((name) => name.endsWith('.spec.ts')).sort();
  const leftOut = names.map(async (name) =>
    thoroughTestsIn(`e2e/${name}`, await readFile(path.join(root, 'e2e', name), 'utf8'), why),
  );
  return { args: ['--grep-invert', '@thorough'], leftOut: (await Promise.all(leftOut)).flat() };
}

/** @type {import('./part-result.mjs').Part} */
export const e2eTests = {
  name: 'end-to-end tests of the packed program',
  run: async () => {
    await rm(reportFile, { force: true });
    const executable = await makeTestable();
    const { args, leftOut } = await withoutThorough();
    const { code, output } = await withInstalling(async (env) =>
      runCaptured(process.execPath, [playwright, 'test', '--reporter=dot,json', ...args], {
        cwd: root,
        env: { ...(await withDebs(testEnvironment(env, executable))), PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
      }),
    );
    const text = await readFile(reportFile, 'utf8').catch(() => undefined);
    if (text === undefined) throw new Error(`Playwright wrote no report:\n${output}`);
    const found = JSON.parse(text);
    const counts = failWhenUnexplained(countPlaywright(found), code);
    const failures = failuresOfPlaywright(found);
    return { ...counts, output, failures, leftOut: [...leftOut, ...leftOutOfPlaywright(found)] };
  },
};

/**
 * Packs the program and runs the tests.
 * @param {string[]} args arguments for Playwright
 * @param {readonly import('./system-packages.mjs').Program[]} [programs] programs of the system that the tests start
 * @returns {Promise<number>} exit code
 */
export async function runSpecs(args, programs = []) {
  const electron = await bootstrapElectron({ build: true, programs: ['Xvfb', 'git', ...programs] });
  await withProgress('Packing', () => packProgram(electron, {}));
  const executable = await makeTestable();
  const isAboutDebs = args.length === 0 || args.some((arg) => arg.includes('debian'));
  return withInstalling(async (env) => {
    const forTests = testEnvironment(env, executable);
    return runForeground(process.execPath, [playwright, 'test', ...args], {
      cwd: root,
      env: isAboutDebs ? await withDebs(forTests) : forTests,
    });
  });
}

/**
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function main(args) {
  return runSpecs(args);
}
