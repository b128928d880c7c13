/**
 * Packs a folder into an archive.
 */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ZipFile } from 'yazl';
import { checkEntry } from '../../../world/archive/archive-entry.ts';
import { beyondLimit, packLimits, shownSize } from '../../../world/archive/pack-limits.ts';
import { writeFileAtomically } from '../../../world/files/atomic-write.ts';
import { hashContent, listPackFiles } from '../pack-contents.ts';
import { type PackManifest, readPackManifest } from '../pack-manifest.ts';

interface PackedArchive {
  /** Absolute path of the archive. */
  readonly file: string;
  readonly manifest: PackManifest;
  readonly files: number;
  readonly archiveBytes: number;
  /** Hash of the content; see `hashContent`. */
  readonly sha256: string;
}

/**
 * Returns a fixed local time, because archives store local times. Real times would make archives with equal content
 * differ.
 */
const fixedTime = (): Date => new Date(1985, 0, 1);
const fixedMode = 0o100644;

/**
 * Writes a pack's archive, `namespace@name-vVERSION.aipack`. Equal content results in identical bytes, regardless of
 * when and where it is packed.
 * @param folder absolute path of the pack
 * @param outFolder destination of the archive; created if missing
 * @throws EngineError `pack.no-manifest` (`details.folder`; the program may offer to write one) | `pack.bad-manifest` |
 * `pack.unsafe-folder` | `pack.unsafe-archive` for names that other systems could not unpack | `pack.too-large`
 */
export async function packFolder(folder: string, outFolder: string): Promise<PackedArchive> {
  const manifest = await readPackManifest(folder);
  const name = `${manifest.namespace}@${manifest.name}-v${manifest.version}.aipack`;
  // An archive that was created in the folder earlier is not part of the pack.
  const files = (await listPackFiles(folder)).filter(({ path }) => !isOwnArchive(path, manifest));
  const zip = new ZipFile();
  for (const { path, bytes } of files) {
    checkEntry(path, fixedMode, folder);
    if (bytes > packLimits.maxFileBytes) {
      throw beyondLimit(folder, `${JSON.stringify(path)} is larger than ${shownSize(packLimits.maxFileBytes)}`);
    }
    const content = await readFile(join(folder, path));
    zip.addBuffer(content, path, { mtime: fixedTime(), mode: fixedMode, compressionLevel: 9, forceDosTimestamp: true });
  }
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  const content = Buffer.concat(chunks);
  const file = resolve(outFolder, name);
  await writeFileAtomically(file, content);
  const sha256 = await hashContent(folder, ({ path }) => !isOwnArchive(path, manifest));
  return { file, manifest, files: files.length, archiveBytes: content.length, sha256 };
}

function isOwnArchive(path: string, { namespace, name }: PackManifest): boolean {
  return path.startsWith(`${namespace}@${name}-v`) && path.endsWith('.aipack') && !path.includes('/');
}
