/**
 * The examples that a team gives to its people.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { currentTeam } from './current-team.ts';

/**
 * The folder with the examples of the team whose file holds on this machine, absolute; undefined = it gives none.
 */
export async function teamExamples(): Promise<string | undefined> {
  const team = await currentTeam();
  const examples = team?.rules.examples;
  if (team === undefined || examples === undefined) return undefined;
  const folder = path.join(team.resources, examples);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : undefined;
}
