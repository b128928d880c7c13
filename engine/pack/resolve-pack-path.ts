/**
 * What a reference means as a path of a file.
 */
import { join } from 'node:path';
import { type PackFolders, supportFolders } from './pack-folders.ts';
import { findPack } from './pack-locator.ts';
import { parsePackRef } from './pack-ref.ts';

/**
 * The absolute path that a reference means to functions for files: in the pack's folder, or with `$base` and `$workspace`
 * in the folders where it keeps data, whether there is such a pack or not. What lies there is not asked; whoever reads or
 * writes it checks where links lead.
 * @throws EngineError `pack.bad-ref` (also for `..`) | `pack.not-found`
 */
export async function resolvePackPath(text: string, folders: PackFolders): Promise<string> {
  const ref = parsePackRef(text);
  if (ref.scope === null) return join((await findPack(text, folders)).folder, ref.subPath);
  const { baseSupportFolder, workspaceSupportFolder } = supportFolders(folders, ref);
  return join(ref.scope === 'base' ? baseSupportFolder : workspaceSupportFolder, ref.subPath);
}
