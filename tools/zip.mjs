/**
 * Unpacks zip archives using only Node, because a fresh machine has no `unzip`. For archives with a verified checksum:
 * names are trusted and contents are not checked again. Zip64 and encryption are not supported.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { ToolError } from './tool-error.mjs';

const endRecordSize = 22;
const directoryEntrySize = 46;
const localHeaderSize = 30;
const methodStored = 0;
const fileTypeMask = 0o170000;
const symlinkType = 0o120000;

/**
 * @typedef {object} ZipEntry
 * @property {string} name with `/`; a folder ends with one
 * @property {number} mode as in `stat`
 * @property {number} method
 * @property {number} compressedSize bytes
 * @property {number} offset offset of its local header
 */

/**
 * @param {import('node:fs/promises').FileHandle} archive
 * @param {number} position
 * @param {number} length bytes
 */
async function readAt(archive, position, length) {
  const { buffer, bytesRead } = await archive.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw new ToolError('The zip archive ends too early.');
  return buffer;
}

/**
 * @param {Buffer} directory
 * @param {number} at start of the entry
 * @returns {ZipEntry & { next: number }}
 */
function parseEntry(directory, at) {
  const nameLength = directory.readUInt16LE(at + 28);
  const trailing = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  const nameStart = at + directoryEntrySize;
  return {
    name: directory.toString('utf8', nameStart, nameStart + nameLength),
    mode: directory.readUInt32LE(at + 38) >>> 16,
    method: directory.readUInt16LE(at + 10),
    compressedSize: directory.readUInt32LE(at + 20),
    offset: directory.readUInt32LE(at + 42),
    next: nameStart + nameLength + trailing,
  };
}

/**
 * @param {import('node:fs/promises').FileHandle} archive
 * @returns {Promise<ZipEntry[]>}
 */
async function readDirectory(archive) {
  const { size } = await archive.stat();
  const end = await readAt(archive, size - endRecordSize, endRecordSize);
  if (end.toString('latin1', 0, 4) !== 'PK\u0005\u0006')
    throw new ToolError('The file is not a supported zip archive.');
  const directory = await readAt(archive, end.readUInt32LE(16), end.readUInt32LE(12));
  const entries = [];
  for (let at = 0; at < directory.length; ) {
    const entry = parseEntry(directory, at);
    entries.push(entry);
    at = entry.next;
  }
  return entries;
}

/**
 * @param {{ archive: import('node:fs/promises').FileHandle, archivePath: string }} source
 * @param {ZipEntry} entry
 * @param {string} target
 */
async function writeEntry({ archive, archivePath }, entry, target) {
  const header = await readAt(archive, entry.offset, localHeaderSize);
  const start = entry.offset + localHeaderSize + header.readUInt16LE(26) + header.readUInt16LE(28);
  if ((entry.mode & fileTypeMask) === symlinkType) {
    await symlink((await readAt(archive, start, entry.compressedSize)).toString('utf8'), target);
    return;
  }
  const output = createWriteStream(target, { mode: entry.mode & 0o777 });
  if (entry.compressedSize === 0) return void (await pipeline([], output));
  const content = createReadStream(archivePath, { start, end: start + entry.compressedSize - 1 });
  if (entry.method === methodStored) await pipeline(content, output);
  else await pipeline(content, createInflateRaw(), output);
}

/**
 * @param {string} archivePath
 * @param {string} folder destination; created if it is missing
 * @param {(name: string) => boolean} accepts which entries to unpack, by their name in the archive
 */
export async function unpackZip(archivePath, folder, accepts) {
  const archive = await open(archivePath, 'r');
  try {
    for (const entry of await readDirectory(archive)) {
      if (!accepts(entry.name) || entry.name.endsWith('/')) continue;
      const target = path.join(folder, entry.name);
      await mkdir(path.dirname(target), { recursive: true });
      await writeEntry({ archive, archivePath }, entry, target);
    }
  } finally {
    await archive.close();
  }
}
