/**
 * Stamps: a fingerprint of the inputs of a generated file, stored beside it, so that it is generated again only if they
 * change.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * @param {string} file
 * @returns {Promise<string>} SHA-256 hash of its content, in hex
 */
export async function sha256OfFile(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * @param {string} entry absolute path of a file or a folder; a missing one counts as empty
 * @param {(file: string) => boolean} accepts
 * @returns {Promise<string[]>}
 */
async function filesOf(entry, accepts) {
  const info = await stat(entry).catch(() => undefined);
  if (info === undefined) return [];
  if (info.isFile()) return [entry];
  const found = await readdir(entry, { recursive: true, withFileTypes: true });
  return found.flatMap((item) => (item.isFile() ? [path.join(item.parentPath, item.name)] : [])).filter(accepts);
}

/**
 * Returns a fingerprint of names and contents. Times are ignored, so that a checkout without changes makes nothing
 * stale.
 * @param {string} base folder that names are relative to
 * @param {readonly string[]} entries files and folders, relative to `base`
 * @param {(file: string) => boolean} [accepts] which files of the folders to include
 * @returns {Promise<string>} hex
 */
export async function fingerprint(base, entries, accepts = () => true) {
  const lists = await Promise.all(entries.map((entry) => filesOf(path.join(base, entry), accepts)));
  const hash = createHash('sha256');
  for (const file of lists.flat().sort()) {
    const content = await readFile(file);
    hash.update(`${path.relative(base, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * @param {string} file
 * @returns {Promise<string | undefined>}
 */
export async function readStamp(file) {
  return await readFile(file, 'utf8').catch(() => undefined);
}

/**
 * @param {string} file
 * @param {string} value
 */
export async function writeStamp(file, value) {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, value);
}
