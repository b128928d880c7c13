/**
 * Resolves workspace packs that are symbolic links. The workspace's author chose the link, so the pack gets only the
 * permissions of its target.
 */
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { isMissing } from '../../../world/files/file-error.ts';
import { type PackFolders, type PackOrigin, packShelves } from '../pack-folders.ts';
import { isPackName } from '../pack-manifest.ts';

/** A pack's folder, found by its name. */
export interface PackFound {
  readonly namespace: string;
  readonly name: string;
  readonly origin: PackOrigin;
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Set if the pack belongs to the workspace, but is a symbolic link to a folder outside it. */
  readonly leadsOut?: true;
}

/**
 * Resolves a workspace pack's symbolic links. A link to another pack becomes that pack, and a link out of the workspace
 * is marked. Links in the base folder belong to the user and are kept.
 */
export async function followPackLinks(pack: PackFound, folders: PackFolders): Promise<PackFound> {
  if (pack.origin !== 'workspace-custom') return pack;
  const { workspace, baseFolder } = folders;
  const shelves = packShelves(folders);
  const [real, realWorkspace, realBase, ...realShelves] = await Promise.all(
    [pack.folder, workspace, baseFolder, ...shelves.map(({ folder }) => folder)].map(realOf),
  );
  if (real === undefined || realWorkspace === undefined) return { ...pack, leadsOut: true };
  for (const [index, { origin, folder }] of shelves.entries()) {
    const shelf = realShelves[index];
    const isOutside = origin === 'workspace-custom' && (shelf === undefined || !isBelow(realWorkspace, shelf));
    if (shelf === undefined || isOutside || !isBelow(shelf, real)) continue;
    const [namespace = '', name = '', ...more] = relative(shelf, real).split(sep);
    if (more.length > 0 || !isPackName(namespace) || !isPackName(name)) continue;
    return { namespace, name, origin, folder: join(folder, namespace, name) };
  }
  // A workspace can be a home folder that contains the base folder.
  const isInBase = realBase !== undefined && isBelow(realBase, real);
  return isBelow(realWorkspace, real) && !isInBase ? pack : { ...pack, leadsOut: true };
}

async function realOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns whether a path is the folder or inside it; both are absolute. */
export function isBelow(folder: string, path: string): boolean {
  const from = relative(folder, path);
  return from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}
