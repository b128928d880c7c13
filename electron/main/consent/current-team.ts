/**
 * Reads the settings of the team file that is active on this machine.
 */
import type { Team } from '../../../engine/packs/team/find-team.ts';

/**
 * Returns undefined without a team. The module that reads team files is loaded on demand, because few starts need it.
 */
export async function currentTeam(): Promise<Team | undefined> {
  const [{ createTeamSource }, { baseFolderOf }] = await Promise.all([
    import('../../../engine/packs/team/find-team.ts'),
    import('../../../engine/packs/pack/pack-folders.ts'),
  ]);
  const { env } = process;
  return createTeamSource({ env, baseFolder: baseFolderOf(env) })();
}
