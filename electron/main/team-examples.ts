/**
 * The examples that a team gives to its people.
 */
import { statSync } from 'node:fs';
import path from 'node:path';

/**
 * The folder with the examples of the team whose file holds on this machine, absolute; undefined = it gives none. What reads team
 * files is loaded only now: no start but the first asks.
 */
export async function teamExamples(): Promise<string | undefined> {
  const [{ createTeamSource }, { baseFolderOf }] = await Promise.all([
    import('../../engine/team/find-team.ts'),
    import('../../engine/pack/pack-folders.ts'),
  ]);
  const { env } = process;
  const team = createTeamSource({ env, baseFolder: baseFolderOf(env) })();
  const examples = team?.rules.examples;
  if (team === undefined || examples === undefined) return undefined;
  const folder = path.join(team.resources, examples);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : undefined;
}
