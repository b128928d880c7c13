/**
 * Whether the pack that an agent lies in may be run on this machine, when a team says which packs are allowed.
 */
import { sep } from 'node:path';
import type { AgentPlace } from '../kernel/capabilities.ts';
import { installedShelf } from '../pack/pack-folders.ts';
import type { TeamSource } from '../team/find-team.ts';
import { packRulesOf } from '../team/team-rules.ts';

/**
 * Makes the check: it throws EngineError `pack.not-allowed` for an agent of an installed pack that is not allowed. Packs that came with the
 * program, and those that were not installed, are let through. What does the work is loaded only where a team restricts.
 */
export function createPackAdmission(baseFolder: string, team: TeamSource): (place: AgentPlace) => Promise<void> {
  const shelf = `${installedShelf(baseFolder)}${sep}`;
  return async ({ pack }) => {
    if (pack === undefined || !pack.folder.startsWith(shelf)) return;
    const { admit } = packRulesOf(team());
    if (admit === undefined) return;
    const [{ isOwnBuiltin }, { hashContent }, { readPackManifest }] = await Promise.all([
      import('../pack/builtin-packs.ts'),
      import('../pack/pack-contents.ts'),
      import('../pack/pack-manifest.ts'),
    ]);
    const { folder } = pack;
    const identity = `${pack.namespace}@${pack.name}`;
    if (await isOwnBuiltin(baseFolder, { identity, folder })) return;
    const [{ version }, sha256] = await Promise.all([readPackManifest(folder), hashContent(folder)]);
    admit({ ref: identity, version, sha256 });
  };
}
