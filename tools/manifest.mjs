/**
 * `node tools/run.mjs manifest [OPTIONS]`: writes the signed list of packages in a folder, which programs request to
 * check for updates. Uses only Node, so that it works without installed packages. `docs/updates.md` describes its use.
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fromUsersFolder, root } from './paths.mjs';
import { say } from './progress.mjs';
import { ToolError } from './tool-error.mjs';

const usage = `Usage: node tools/run.mjs manifest [--folder DIR] [--out DIR] [--channel stable|beta] [--notes URL]
         [--base-url URL] [--version VERSION] [--key FILE]
       node tools/run.mjs manifest new-key FILE
The key is a private Ed25519 key (PEM), in FILE or in the variable MILLRACE_UPDATE_KEY.`;

/**
 * Kinds of packages by the end of their names, and the architecture in the name. On macOS the system's own updater uses
 * the zip.
 * @type {readonly (readonly [kind: string, name: RegExp])[]}
 */
const kinds = [
  ['deb', /_(amd64|arm64|armhf)\.deb$/],
  ['rpm', /\.(x86_64|aarch64)\.rpm$/],
  ['AppImage', /-(x86_64|x64|arm64)\.AppImage$/],
  ['tar.gz', /-linux-(x64|arm64)\.tar\.gz$/],
  ['nsis', /-win-(x64|arm64)\.exe$/],
  ['zip', /-win-(x64|arm64)\.zip$/],
  ['dmg', /-mac-(universal|x64|arm64)\.zip$/],
];

/** @type {Readonly<Record<string, string>>} */
const arches = { amd64: 'x64', x86_64: 'x64', armhf: 'arm', aarch64: 'arm64' };

/** @param {string} file */
async function sha512Of(file) {
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Returns the packages of a version in a folder. Other files are ignored.
 * @param {string} folder
 * @param {string} version npm version
 * @param {string} baseUrl URL of the folder; empty if the packages are beside the list
 */
async function packagesIn(folder, version, baseUrl) {
  const packages = [];
  for (const name of (await readdir(folder)).sort()) {
    const [kind, pattern] = kinds.find(([, one]) => one.test(name)) ?? [];
    const isOfVersion = [version, version.replace('-', '~')].some((one) =>
      new RegExp(`[-_]${escaped(one)}[-_.]`).test(name),
    );
    if (kind === undefined || pattern === undefined || !isOfVersion) continue;
    const [, machine = ''] = pattern.exec(name) ?? [];
    const file = path.join(folder, name);
    const { size } = await stat(file);
    const url = baseUrl === '' ? encodeURIComponent(name) : new URL(encodeURIComponent(name), withSlash(baseUrl)).href;
    packages.push({ kind, arch: arches[machine] ?? machine, url, size, sha512: await sha512Of(file) });
  }
  return packages;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.+*?^$()[\]{}|\\]/g, '\\$&');
}

/** @param {string} url */
function withSlash(url) {
  return url.endsWith('/') ? url : `${url}/`;
}

/**
 * @typedef {object} ManifestOptions
 * @property {string} folder folder with the packages
 * @property {string} out where to write the list
 * @property {string} version npm version
 * @property {string} channel
 * @property {string} notes URL of the release notes
 * @property {string} baseUrl future URL of the packages; empty if they are beside the list
 * @property {string} key private Ed25519 key in PEM format
 */

/**
 * Writes `latest.json`; a copy as `VERSION.json`, which programs request to return to that version; and the signature
 * of each, with `.sig` appended to its name.
 * @param {ManifestOptions} options
 * @returns {Promise<string[]>} the kinds of packages in the list, such as `deb x64`
 * @throws {ToolError} if the key is not such a key, or the folder has no package of the version
 */
export async function writeManifest({ folder, out, version, channel, notes, baseUrl, key }) {
  const privateKey = readKey(key);
  if (!['stable', 'beta'].includes(channel)) throw new ToolError(`Unknown channel "${channel}".\n${usage}`);
  if (!notes.startsWith('https://')) throw new ToolError(`--notes must be an https address.\n${usage}`);
  const packages = await packagesIn(folder, version, baseUrl);
  if (packages.length === 0) throw new ToolError(`${folder} contains no package of version ${version}.`);
  const manifest = { format: 1, version, channel, date: new Date().toISOString(), notes, packages };
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const signature = `${sign(null, bytes, privateKey).toString('base64')}\n`;
  for (const name of ['latest.json', `${version}.json`]) {
    await writeFile(path.join(out, name), bytes);
    await writeFile(path.join(out, `${name}.sig`), signature);
  }
  return packages.map(({ kind, arch }) => `${kind} ${arch}`);
}

/** @param {string} text */
function readKey(text) {
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below.
  }
  throw new ToolError(
    'The key is not an Ed25519 private key in PEM format. Create one with: node tools/run.mjs manifest new-key FILE',
  );
}

/**
 * @param {string} file path for the private key, readable only by its owner; an existing key is kept
 * @returns {Promise<string>} the public key in PEM format
 */
export async function makeKey(file) {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(file, pem, { mode: 0o600, flag: 'wx' });
  return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
}

/**
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function main(args) {
  if (args[0] === 'new-key' && args[1] !== undefined) {
    const publicKey = await makeKey(fromUsersFolder(args[1]));
    say(`Keep ${args[1]} secret. Add this to "keys" in resources/updates.json:\n${JSON.stringify(publicKey)}`);
    return 0;
  }
  const options = readOptions(args);
  const keyFile = options.key;
  const key =
    keyFile === undefined ? process.env['MILLRACE_UPDATE_KEY'] : await readFile(fromUsersFolder(keyFile), 'utf8');
  if (!key) throw new ToolError(`No key was specified.\n${usage}`);
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const folder = fromUsersFolder(options.folder ?? path.join(root, 'dist'));
  const listed = await writeManifest({
    folder,
    out: options.out === undefined ? folder : fromUsersFolder(options.out),
    version: options.version ?? version,
    channel: options.channel ?? 'stable',
    notes: options.notes ?? '',
    baseUrl: options['base-url'] ?? '',
    key,
  });
  say(`latest.json contains: ${listed.join(', ')}.`);
  return 0;
}

/** @param {string[]} args */
function readOptions(args) {
  const text = /** @type {const} */ ({ type: 'string' });
  try {
    const options = { folder: text, out: text, channel: text, notes: text, 'base-url': text, version: text, key: text };
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new ToolError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}
