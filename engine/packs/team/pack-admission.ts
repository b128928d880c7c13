/**
 * Decides whether an agent's pack may run on this machine, if a team restricts packs.
 */
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { AgentLocation, PackPlace } from '../../runtime/kernel/capabilities/capabilities.ts';
import { installedShelf } from '../pack/pack-folders.ts';
import type { TeamSource } from './find-team.ts';
import { packRulesOf } from './team-rules.ts';

/**
 * Creates the check, which throws EngineError `pack.not-allowed` for an agent of an installed pack that is not allowed.
 * Bundled packs, and packs that were not installed, are always allowed. The code is loaded only if a team restricts
 * packs.
 */
export function createPackAdmission(baseFolder: string, team: TeamSource): (place: AgentLocation) => Promise<void> {
  return async ({ pack }) => {
    const { admit } = packRulesOf(team());
    if (admit === undefined || pack === undefined) return;
    const installed = await installedAt(pack, installedShelf(baseFolder));
    if (installed === undefined) return;
    const [{ isOwnBuiltin }, { hashContent }, { readPackManifest }] = await Promise.all([
      import('../pack/builtin-packs.ts'),
      import('../pack/pack-contents.ts'),
      import('../pack/pack-manifest.ts'),
    ]);
    const { identity, folder } = installed;
    if (await isOwnBuiltin(baseFolder, { identity, folder })) return;
    const [{ version }, sha256] = await Promise.all([readPackManifest(folder), hashContent(folder)]);
    admit({ ref: identity, version, sha256 });
  };
}

/** Returns the installed pack that contains a folder, even if a symbolic link with another name points there. */
async function installedAt(
  { folder, namespace, name }: PackPlace,
  shelf: string,
): Promise<{ readonly identity: string; readonly folder: string } | undefined> {
  const [real, realShelf] = await Promise.all([folder, shelf].map((path) => realpath(path).catch(() => path)));
  if (real?.startsWith(`${realShelf}${sep}`)) {
    const [realNamespace = '', realName = ''] = relative(realShelf ?? '', real).split(sep);
    return { identity: `${realNamespace}@${realName}`, folder: join(shelf, realNamespace, realName) };
  }
  return folder.startsWith(`${shelf}${sep}`) ? { identity: `${namespace}@${name}`, folder } : undefined;
}
