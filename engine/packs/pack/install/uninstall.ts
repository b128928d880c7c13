/**
 * Uninstalls packs.
 */
import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../../base/engine-error.ts';
import { isTaken } from '../../../world/files/folders/move-path.ts';
import { moveToTrash, type TrashWorld } from '../../../world/files/trash.ts';
import { installedShelf, type PackFolders } from '../pack-folders.ts';
import { lookUpPack } from '../pack-locator.ts';
import { identityOf, parsePackRef } from '../pack-ref.ts';
import { changePacksLock } from '../packs-lock.ts';
import type { PackFound } from './linked-pack.ts';

interface UninstallReport {
  /** Reference of the pack, as `namespace@name`. */
  readonly ref: string;
  /** Absolute path of the folder where it was installed. */
  readonly folder: string;
  /** Another pack with the same name, which will be found from now on. */
  readonly stillThere?: PackFound;
  /** Why the workspace's lock still contains it. */
  readonly lockProblem?: string;
}

interface UninstallOptions extends PackFolders, TrashWorld {
  /** Absent if the workspace has no pack lock. */
  readonly lock?: { readonly workspace: string };
}

/**
 * Moves an installed pack to the trash and removes it from the workspace's lock. The pack's data is kept.
 * @param ref `namespace@name`
 * @throws EngineError `pack.bad-ref` | `pack.not-found` | `pack.not-installed` for a pack in another location (named in
 * the message) | `files.no-trash`
 */
export async function uninstallPack(ref: string, options: UninstallOptions): Promise<UninstallReport> {
  const pack = parsePackRef(ref);
  const identity = identityOf(pack);
  const folder = join(installedShelf(options.baseFolder), pack.namespace, pack.name);
  if (!(await isTaken(folder))) throw notInstalled(identity, await lookUpPack(pack, options));
  await moveToTrash(folder, options);
  // Fails if other packs are inside.
  await rmdir(dirname(folder)).catch(() => undefined);
  const stillThere = await lookUpPack(pack, options);
  return {
    ref: identity,
    folder,
    ...(stillThere === undefined ? {} : { stillThere }),
    ...(await dropFromLock(identity, options)),
  };
}

/** Removes a pack from the lock. The pack itself is already removed, whatever happens here. */
async function dropFromLock(ref: string, options: UninstallOptions): Promise<Pick<UninstallReport, 'lockProblem'>> {
  if (options.lock === undefined) return {};
  const signal = new AbortController().signal;
  try {
    await changePacksLock(
      { ...options, signal },
      (packs) => (packs.has(ref) ? new Map([...packs].filter(([name]) => name !== ref)) : packs),
      ref,
    );
    return {};
  } catch (error) {
    return { lockProblem: error instanceof Error ? error.message : String(error) };
  }
}

function notInstalled(ref: string, found: PackFound | undefined): EngineError {
  if (found === undefined) {
    return new EngineError({ code: 'pack.not-found', message: `Pack ${ref} does not exist.`, details: { ref } });
  }
  const whose = found.origin === 'base-custom' ? 'one of your own packs' : 'a pack of this workspace';
  return new EngineError({
    code: 'pack.not-installed',
    message: `${ref} is ${whose} and was not installed. To remove it, delete its folder: ${found.folder}`,
    details: { ref, folder: found.folder },
  });
}
