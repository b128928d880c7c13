/**
 * The system packages that Electron and the tests need on Linux in addition to Node. As root on Debian and similar
 * systems, missing packages are installed; otherwise the command is printed.
 */
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { runCaptured, runOrFail } from './child-process.mjs';
import { say, withProgress } from './progress.mjs';
import { ToolError } from './tool-error.mjs';

/**
 * @typedef {readonly (readonly string[])[]} Choices for each requirement, the names of its package on different systems
 */

/**
 * @typedef {object} Lack something that is missing
 * @property {string} what for the message
 * @property {Choices} packages packages that provide it
 */

/**
 * Debian packages with dependencies on all libraries that Electron links. Newer releases renamed some, so each line is
 * a choice: the first name known to the system is used.
 */
const libraryPackages = [['libgtk-3-0t64', 'libgtk-3-0'], ['libnss3'], ['libasound2t64', 'libasound2'], ['libgbm1']];

/** Programs that some commands start. */
const programs = {
  Xvfb: { what: 'the virtual display for tests (Xvfb)', packages: [['xvfb']] },
  '7za': { what: 'the archiver for packing (7za)', packages: [['p7zip-full']] },
  git: { what: 'git, which the tests use', packages: [['git']] },
  cwebp: { what: 'the encoder of pictures (cwebp, img2webp)', packages: [['webp']] },
};
/** @typedef {keyof typeof programs} Program */

/** Maximum number of missing libraries to list. */
const namedLibraries = 3;
const aptOptions = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'];

/**
 * @param {string} program
 * @returns {Promise<string | undefined>} its absolute path; undefined if it is not installed
 */
export async function findOnPath(program) {
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.resolve(folder, program);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}

/** @param {string} program */
async function isOnPath(program) {
  return (await findOnPath(program)) !== undefined;
}

/**
 * @param {string} lddOutput
 * @returns {string[]} names of libraries that are not installed
 */
export function missingLibraries(lddOutput) {
  return [...lddOutput.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
}

/** @param {string} executable */
async function missingLibrariesOf(executable) {
  if (!(await isOnPath('ldd'))) return [];
  return missingLibraries((await runCaptured('ldd', [executable])).output);
}

/** @param {string} name */
async function isKnownToApt(name) {
  const { output } = await runCaptured('apt-cache', ['policy', name], { env: { ...process.env, LC_ALL: 'C' } });
  return /Candidate: (?!\(none\))/.test(output);
}

/**
 * @param {Choices} choices
 * @returns {string[]} the names used by most systems
 */
function plainNames(choices) {
  return choices.map((names) => names.at(-1) ?? '');
}

/**
 * @param {Choices} choices
 * @returns {Promise<string[] | undefined>} undefined if the package lists contain no name of a choice
 */
async function chooseKnown(choices) {
  const chosen = [];
  for (const names of choices) {
    const known = await Promise.all(names.map(isKnownToApt));
    const name = names[known.indexOf(true)];
    if (name === undefined) return undefined;
    chosen.push(name);
  }
  return chosen;
}

/** @param {readonly string[]} names */
function aptInstall(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return runCaptured('apt-get', ['install', ...aptOptions, ...names], { env });
}

/**
 * @param {Choices} choices
 * @throws {ToolError} with the output of apt-get
 */
async function install(choices) {
  const known = await chooseKnown(choices);
  if (known && (await aptInstall(known)).code === 0) return;
  // The package lists are missing, or outdated and refer to files that the servers no longer have.
  await runOrFail('apt-get', ['update', '-q']);
  const { code, output } = await aptInstall((await chooseKnown(choices)) ?? plainNames(choices));
  if (code !== 0) throw new ToolError(`apt-get could not install the missing packages:\n${output.trim()}`);
}

/**
 * @param {readonly string[]} libraries
 * @returns {string} a text that lists some of them
 */
export function describeLibraries(libraries) {
  const named = libraries.slice(0, namedLibraries).join(', ');
  const more = libraries.length - namedLibraries;
  return `libraries that Electron needs (${more > 0 ? `${named} and ${more} more` : named})`;
}

/**
 * @param {string} executable executable of an Electron
 * @param {readonly Program[]} needed
 * @returns {Promise<Lack[]>}
 */
async function findLacks(executable, needed) {
  const libraries = await missingLibrariesOf(executable);
  const lacks = libraries.length > 0 ? [{ what: describeLibraries(libraries), packages: libraryPackages }] : [];
  for (const program of needed) if (!(await isOnPath(program))) lacks.push(programs[program]);
  return lacks;
}

/**
 * @param {readonly Lack[]} lacks
 * @throws {ToolError} with the command to run if they cannot be installed here
 */
async function installOrExplain(lacks) {
  const what = lacks.map((lack) => lack.what).join('; ');
  const choices = lacks.flatMap((lack) => lack.packages);
  const hasApt = await isOnPath('apt-get');
  const names = ((hasApt && (await chooseKnown(choices))) || plainNames(choices)).join(' ');
  if (hasApt && process.getuid?.() === 0) {
    say(`Missing on this system: ${what}. Installing ${names}.`);
    await withProgress('Installing system packages', () => install(choices));
    return;
  }
  const command = `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names}`;
  const advice = hasApt
    ? `To install it:\n  ${command}`
    : `Install it with the package manager of your system. Its packages in Debian: ${names}.`;
  throw new ToolError(`Missing on this system: ${what}. ${advice}`);
}

/**
 * Installs the shared libraries that an Electron links, and programs, all at once.
 * @param {string} executable executable of an Electron
 * @param {readonly Program[]} needed
 * @throws {ToolError} with the command to run if they cannot be installed here
 */
export async function ensureSystemPackages(executable, needed) {
  if (process.platform !== 'linux') return;
  await ensurePackages(() => findLacks(executable, needed));
}

/**
 * Installs what is missing.
 * @param {() => Promise<Lack[]>} findMissing
 * @throws {ToolError} with the command to run if it cannot be installed here
 */
export async function ensurePackages(findMissing) {
  const lacks = await findMissing();
  if (lacks.length === 0) return;
  await installOrExplain(lacks);
  const left = await findMissing();
  if (left.length === 0) return;
  const what = left.map((lack) => lack.what).join('; ');
  throw new ToolError(`Still missing on this system: ${what}. Install the packages that contain it.`);
}
