/**
 * Determines the locations of packs and their data.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PackPlace } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { PackRef } from './pack-ref.ts';

/** Absolute paths of the two folders that are searched for packs. */
export interface PackFolders {
  /** The user's base folder, shared by all workspaces; usually `~/.aipack-base`. */
  readonly baseFolder: string;
  readonly workspace: string;
}

export type PackOrigin = 'workspace-custom' | 'base-custom' | 'installed';

/** A folder that contains packs as `namespace/name`. */
export interface PackShelf {
  readonly origin: PackOrigin;
  readonly folder: string;
}

/** Returns all folders with packs. If several contain the same pack, the first one takes precedence. */
export function packShelves({ baseFolder, workspace }: PackFolders): readonly PackShelf[] {
  return [
    { origin: 'workspace-custom', folder: join(workspace, '.aipack', 'pack', 'custom') },
    { origin: 'base-custom', folder: join(baseFolder, 'pack', 'custom') },
    { origin: 'installed', folder: installedShelf(baseFolder) },
  ];
}

export function installedShelf(baseFolder: string): string {
  return join(baseFolder, 'pack', 'installed');
}

/** Returns the folder for downloads and for packs that are being unpacked, on the same disk as the installed packs. */
export function downloadFolder(baseFolder: string): string {
  return join(baseFolder, 'pack', '.download');
}

/** Returns the folders where a pack may store data. */
export function supportFolders(
  { baseFolder, workspace }: PackFolders,
  { namespace, name }: Pick<PackRef, 'namespace' | 'name'>,
): Pick<PackPlace, 'baseSupportFolder' | 'workspaceSupportFolder'> {
  const below = ['support', 'pack', namespace, name];
  return {
    baseSupportFolder: join(baseFolder, ...below),
    workspaceSupportFolder: join(workspace, '.aipack', ...below),
  };
}

/**
 * Returns the absolute path of the base folder: `MILLRACE_HOME` if it is set, otherwise `.aipack-base` in the home
 * folder.
 */
export function baseFolderOf(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env['MILLRACE_HOME'] || join(homedir(), '.aipack-base'));
}
