/**
 * What of a folder belongs to the pack in it, and a fingerprint of that.
 */
import { createHash, type Hash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { beyondLimit, type PackLimits, packLimits, shownSize } from './pack-limits.ts';
import { manifestName, withoutInstalledRecord } from './pack-manifest.ts';

/** Folders and files that programs leave behind; no pack has them. */
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
  /** Relative to the pack's folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * The files of a pack, in the order of their paths' UTF-16 units, which is the same on every system.
 * @param folder absolute
 * @param others links, pipes and devices: refused, or left out, for whoever only looks at what is there
 * @throws EngineError `pack.unsafe-folder` for such others | `pack.too-large`; the system's error
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
    if (depth > limits.maxDepth) throw beyondLimit(folder, `its folders lie more than ${limits.maxDepth} deep`);
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
 * Copies the files of a pack, without links and without what does not belong to it.
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
 * A fingerprint of a pack: equal for equal paths with equal content, whatever times and rights.
 * @throws EngineError `pack.unsafe-folder` | `pack.too-large`; the system's error
 */
export async function hashPack(folder: string): Promise<string> {
  const whole = createHash('sha256');
  for (const { path } of await listPackFiles(folder)) addFile(whole, path, await readFile(join(folder, path)));
  return whole.digest('hex');
}

/**
 * The hash by which locks and team files name what is in a pack: the same for its archive, its repository and its installed
 * folder, because the record that installing adds to the manifest is left out. SHA-256, hexadecimal, of a line
 * `path NUL sha256-of-the-file LF` for each file in the order of their paths.
 * @param isPart which files count; all if absent
 * @throws as `hashPack`
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
    message: `${path} ${what}, which a pack cannot hold. Put the file itself there, or take it out of the pack.`,
    details: { path },
  });
}
