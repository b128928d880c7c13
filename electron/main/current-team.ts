/**
 * What the team sets whose file holds on this machine.
 */
import type { Team } from '../../engine/team/find-team.ts';

/** Undefined = there is none. What reads team files is loaded only now: few starts ask. */
export async function currentTeam(): Promise<Team | undefined> {
  const [{ createTeamSource }, { baseFolderOf }] = await Promise.all([
    import('../../engine/team/find-team.ts'),
    import('../../engine/pack/pack-folders.ts'),
  ]);
  const { env } = process;
  return createTeamSource({ env, baseFolder: baseFolderOf(env) })();
}
