/**
 * Determines which files of a folder belong to its pack, and hashes them.
 */
import { createHash, type Hash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { beyondLimit, type PackLimits, packLimits, shownSize } from '../../world/archive/pack-limits.ts';
import { manifestName, withoutInstalledRecord } from './pack-manifest.ts';

/** Folders and files that programs leave behind. They are never part of a pack. */
const skippedFolders: ReadonlySet<string> = new Set([
  '.aipack',
  '.build',
  '.git',
  '.millrace',
  '__pycache__',
  'node_modules',
  'target',
]);
const skippedFiles = /^(?:\.DS_Store|Thumbs\.db|.*\.swp)$/;

/** A file of a pack. */
interface PackFile {
  /** Path relative to the pack's folder, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * Lists the files of a pack, sorted by the UTF-16 code units of their paths, which is the same order on every system.
 * @param folder absolute
 * @param others whether links, pipes and devices are rejected, or skipped for callers that only inspect the folder
 * @throws EngineError `pack.unsafe-folder` for links, pipes and devices | `pack.too-large`; the system's error
 */
export async function listPackFiles(
  folder: string,
  limits: PackLimits = packLimits,
  others: 'refused' | 'left out' = 'refused',
): Promise<PackFile[]> {
  const files: PackFile[] = [];
  let total = 0;
  let level = [''];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.maxDepth) throw beyondLimit(folder, `its folders are nested more than ${limits.maxDepth} deep`);
    const below: string[] = [];
    for (const prefix of level) {
      const { folders, found } = await readLevel(folder, prefix, others);
      below.push(...folders);
      files.push(...found);
      total += found.reduce((sum, { bytes }) => sum + bytes, 0);
      if (files.length > limits.maxFiles) throw beyondLimit(folder, `it has more than ${limits.maxFiles} files`);
      if (total > limits.maxTotalBytes)
        throw beyondLimit(folder, `it is larger than ${shownSize(limits.maxTotalBytes)}`);
    }
    level = below;
  }
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

async function readLevel(
  folder: string,
  prefix: string,
  others: 'refused' | 'left out',
): Promise<{ folders: string[]; found: PackFile[] }> {
  const folders: string[] = [];
  const found: PackFile[] = [];
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true })) {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name)) folders.push(`${path}/`);
    } else if (!entry.isFile()) {
      if (others === 'refused' && !skippedFolders.has(entry.name))
        throw unsafeFolder(join(folder, path), entry.isSymbolicLink());
    } else if (!skippedFiles.test(entry.name)) {
      found.push({ path, bytes: (await stat(join(folder, path))).size });
    }
  }
  return { folders, found };
}

/**
 * Copies a pack's files, except symbolic links and files that do not belong to the pack.
 * @param target a folder that is empty or does not exist
 * @throws EngineError `pack.unsafe-folder` | `pack.too-large`; the system's error
 */
export async function copyPack(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const { path } of await listPackFiles(source)) {
    await mkdir(dirname(join(target, path)), { recursive: true });
    await copyFile(join(source, path), join(target, path));
  }
}

/**
 * Returns a fingerprint of a pack: equal for equal paths with equal content, regardless of times and permissions.
 * @throws EngineError `pack.unsafe-folder` | `pack.too-large`; the system's error
 */
export async function hashPack(folder: string): Promise<string> {
  const whole = createHash('sha256');
  for (const { path } of await listPackFiles(folder)) addFile(whole, path, await readFile(join(folder, path)));
  return whole.digest('hex');
}

/**
 * Returns the content hash of a pack that locks and team files use. It is the same for a pack's archive, repository and
 * installed folder, because it excludes the record that the installer adds to the manifest. It is the SHA-256, in
 * hexadecimal, of a line `path NUL sha256-of-the-file LF` for each file in path order.
 * @param isPart which files are included; all if absent
 * @throws the errors of `hashPack`
 */
export async function hashContent(folder: string, isPart: (file: PackFile) => boolean = () => true): Promise<string> {
  const whole = createHash('sha256');
  for (const { path } of (await listPackFiles(folder)).filter(isPart)) {
    const content = await readFile(join(folder, path));
    addFile(whole, path, path === manifestName ? plainManifest(content) : content);
  }
  return whole.digest('hex');
}

function plainManifest(content: Buffer): string {
  return `${withoutInstalledRecord(content.toString('utf8')).trimEnd()}\n`;
}

function addFile(whole: Hash, path: string, content: string | Buffer): void {
  whole.update(`${path}\0${createHash('sha256').update(content).digest('hex')}\n`);
}

function unsafeFolder(path: string, isLink: boolean): EngineError {
  const what = isLink ? 'is a link' : 'is neither a file nor a folder';
  return new EngineError({
    code: 'pack.unsafe-folder',
    message: `${path} ${what}, which a pack cannot contain. Replace it with the file itself, or remove it from the pack.`,
    details: { path },
  });
}
