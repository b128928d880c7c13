/**
 * Stamps: a fingerprint of what something was made from, kept beside it, so that it is made again only when that changes.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * @param {string} file
 * @returns {Promise<string>} hex SHA-256 of its content
 */
export async function sha256OfFile(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * @param {string} entry a file or a folder, absolute; one that does not exist counts as empty
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
 * A fingerprint of names and contents. Contents, not times: a checkout that changes nothing makes nothing stale.
 * @param {string} base what names are relative to
 * @param {readonly string[]} entries files and folders, relative to `base`
 * @param {(file: string) => boolean} [accepts] which files of the folders count
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
