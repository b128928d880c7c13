/**
 * What a pack of a workspace is when a link leads to it. The author of the workspace chose the link, so the pack gets only the rights of
 * the place it leads to.
 */
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { isMissing } from '../files/file-error.ts';
import { type PackFolders, type PackOrigin, packShelves } from './pack-folders.ts';
import { isPackName } from './pack-manifest.ts';

/** A pack's folder, found by its name. */
export interface PackFound {
  readonly namespace: string;
  readonly name: string;
  readonly origin: PackOrigin;
  /** Absolute. */
  readonly folder: string;
  /** It is a pack of the workspace, but a link leads from there to a folder that is not. */
  readonly leadsOut?: true;
}

/**
 * Follows the links of a pack of the workspace: one that leads to another pack is that pack, and one that leads out of the workspace says so.
 * Links in the base folder are the person's own, and stay as they are.
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
  // A workspace can be somebody's home, and hold the base folder.
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

/** Whether a path is the folder or lies in it; both absolute. */
export function isBelow(folder: string, path: string): boolean {
  const from = relative(folder, path);
  return from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}
