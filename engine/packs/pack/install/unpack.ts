/**
 * Copies a pack into the workspace, where it can be edited.
 */
import { readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../../base/engine-error.ts';
import { isTaken } from '../../../world/files/folders/move-path.ts';
import type { TrashWorld } from '../../../world/files/trash.ts';
import { resolveInWorkspace } from '../../../world/files/workspace-path.ts';
import { copyPack, hashContent } from '../pack-contents.ts';
import { installedShelf, type PackFolders } from '../pack-folders.ts';
import { manifestName, type PackManifest, readPackManifest, withoutInstalledRecord } from '../pack-manifest.ts';
import { identityOf, type PackRef, parsePackRef } from '../pack-ref.ts';
import { compareVersions } from '../pack-version.ts';
import type { PackCandidate } from './installer.ts';
import { findLatest, repositoryOf } from './pack-repository.ts';
import { fetchPack, type SourceOptions } from './pack-source.ts';
import { inWorkFolder, swapInto } from './pack-swap.ts';

export interface UnpackOptions extends PackFolders, SourceOptions, TrashWorld {
  /** Whether to replace an existing copy, which goes to the trash. */
  readonly force?: boolean;
  /** Throws if the pack must not be used here. */
  readonly admit?: (pack: PackCandidate) => void;
}

export interface UnpackReport {
  /** Reference of the pack, as `namespace@name`. */
  readonly ref: string;
  readonly version: string;
  /** Absolute path of the copy. */
  readonly folder: string;
  readonly from: 'installed' | 'repository';
}

/**
 * Copies a pack to `.aipack/pack/custom/` in the workspace, where it takes precedence over the installed one. Uses a
 * newer version if the pack's repository has one; an unreachable repository is ignored.
 * @param ref `namespace@name`
 * @throws EngineError `files.outside` if links lead the copy out of the workspace | `pack.exists` without `force` |
 * `pack.bad-ref` | `pack.not-found` and others of `installPack`
 */
export async function unpackPack(ref: string, options: UnpackOptions): Promise<UnpackReport> {
  const pack = parsePackRef(ref);
  const parent = join(options.workspace, '.aipack', 'pack');
  const target = join(parent, 'custom', pack.namespace, pack.name);
  // Symbolic links in it came with the workspace and must not determine where in the user's files a pack is written.
  await resolveInWorkspace(options.workspace, join(parent, '.download'));
  await resolveInWorkspace(options.workspace, dirname(target));
  if (options.force !== true && (await isTaken(target))) throw exists(identityOf(pack), target);
  const downloads = join(parent, '.download');
  try {
    return await inWorkFolder(downloads, async (workFolder) => {
      const staged = join(workFolder, 'staged');
      const { version, from } = await copyNewest(pack, { staged, workFolder }, options);
      options.admit?.({ ref: identityOf(pack), version, sha256: await hashContent(staged) });
      await dropRecord(staged);
      await swapInto(staged, target, { ...options, workFolder });
      return { ref: identityOf(pack), version, folder: target, from };
    });
  } finally {
    // A workspace is usually a repository, so only the pack is left there. This fails while the folder is in use.
    await rmdir(downloads).catch(() => undefined);
  }
}

interface UnpackFolders {
  readonly staged: string;
  readonly workFolder: string;
}

async function copyNewest(
  pack: PackRef,
  { staged, workFolder }: UnpackFolders,
  options: UnpackOptions,
): Promise<Pick<UnpackReport, 'version' | 'from'>> {
  const folder = join(installedShelf(options.baseFolder), pack.namespace, pack.name);
  const installed = (await isTaken(folder)) ? await readPackManifest(folder) : undefined;
  if (installed !== undefined && !(await isOutdated(installed, options))) {
    await copyPack(folder, staged);
    return { version: installed.version, from: 'installed' };
  }
  const { namespace, name } = pack;
  const repository = repositoryOf(installed, options.repository) ?? options.repository;
  const settings = repository === undefined ? options : { ...options, repository };
  const fetched = await fetchPack({ kind: 'repo', namespace, name }, workFolder, settings);
  await fetched.writeTo(staged);
  return { version: fetched.manifest.version, from: 'repository' };
}

/**
 * Returns whether the repository has a newer version. A pack from another source is not requested by name, because an
 * unrelated pack may have that name in the repository.
 */
async function isOutdated(installed: PackManifest, options: UnpackOptions): Promise<boolean> {
  const repository = repositoryOf(installed, options.repository);
  if (repository === undefined) return false;
  try {
    const { version } = await findLatest(repository, installed, options);
    return compareVersions(version, installed.version) > 0;
  } catch (error) {
    options.signal.throwIfAborted();
    if (EngineError.is(error)) return false;
    throw error;
  }
}

async function dropRecord(folder: string): Promise<void> {
  const file = join(folder, manifestName);
  await writeFile(file, withoutInstalledRecord(await readFile(file, 'utf8')));
}

function exists(ref: string, folder: string): EngineError {
  return new EngineError({
    code: 'pack.exists',
    message: `${ref} is already unpacked in ${folder}. Use --force to move that copy to the trash and replace it.`,
    details: { folder },
  });
}
