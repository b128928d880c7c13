/**
 * Where packs and their data lie.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PackPlace } from '../kernel/capabilities.ts';
import type { PackRef } from './pack-ref.ts';

/** The two folders that packs are looked for in, absolute. */
export interface PackFolders {
  /** Of the person, shared by all their workspaces; usually `~/.aipack-base`. */
  readonly baseFolder: string;
  readonly workspace: string;
}

export type PackOrigin = 'workspace-custom' | 'base-custom' | 'installed';

/** A folder of packs, which lie in it as `namespace/name`. */
export interface PackShelf {
  readonly origin: PackOrigin;
  readonly folder: string;
}

/** All places of packs, the first that has a pack wins. */
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

/** For downloads and for packs that are being unpacked; on the disk of the installed ones. */
export function downloadFolder(baseFolder: string): string {
  return join(baseFolder, 'pack', '.download');
}

/** Where a pack may keep data. */
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

/** The folder that `MILLRACE_HOME` names, else `.aipack-base` in the home folder; absolute. */
export function baseFolderOf(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(env['MILLRACE_HOME'] || join(homedir(), '.aipack-base'));
}
