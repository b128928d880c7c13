/**
 * The one that knows which team file holds on this machine, and what it says at the moment.
 */
import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemTrouble } from '../base/system-trouble.ts';
import { isMissing } from '../files/file-error.ts';
import type { Diagnostic } from '../flowspec/diagnostic.ts';
import { closedTeam, maxTeamFileLength, parseTeamFile, type TeamFile } from './team-file.ts';

export interface Team extends TeamFile {
  /** Absolute. */
  readonly file: string;
  /** Who put it there: the person, by a variable; a team's package, for this person; or whoever administers the machine. */
  readonly origin: 'variable' | 'package' | 'system';
  /** Absolute; `packs/` and the examples that came with it lie there. */
  readonly resources: string;
  /** Whom to name when something is refused: the team and its file. */
  readonly lockedBy: string;
}

/** Reads the team file that holds; undefined = there is none. Never throws: one that cannot be read closes what it could restrict. */
export type TeamSource = () => Team | undefined;

export interface TeamPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly baseFolder: string;
  /** The file of the machine, absolute; for tests. */
  readonly systemFile?: string | undefined;
}

/** The file of the whole machine; undefined where none is looked for. */
function systemTeamFile(): string | undefined {
  const { platform } = process;
  if (platform === 'darwin') return '/Library/Application Support/Millrace/team.yaml';
  return platform === 'linux' ? '/etc/millrace/team.yaml' : undefined;
}

/** What a team's package put into the base folder, absolute. */
export function teamFolderOf(baseFolder: string): string {
  return join(baseFolder, 'millrace', 'team');
}

/** What was there before, while a new one takes its place: a program that is killed just then leaves the team in force. */
export function formerTeamFolder(baseFolder: string): string {
  return `${teamFolderOf(baseFolder)}.former`;
}

/** Makes the reader. It looks at the file with each call, and reads it again when it has changed. */
export function createTeamSource(places: TeamPlaces): TeamSource {
  let last: { readonly mark: string; readonly team: Team } | undefined;
  return () => {
    const found = findFile(places);
    if (found === undefined) return undefined;
    const mark = markOf(found);
    if (last?.mark !== mark) last = { mark, team: readTeam(found) };
    return last.team;
  };
}

type Found = Pick<Team, 'file' | 'origin' | 'resources'>;

function findFile({ env, baseFolder, systemFile = systemTeamFile() }: TeamPlaces): Found | undefined {
  const named = env['MILLRACE_TEAM_FILE'];
  if (named) return { file: resolve(named), origin: 'variable', resources: dirname(resolve(named)) };
  for (const folder of [teamFolderOf(baseFolder), formerTeamFolder(baseFolder)]) {
    const packaged = join(folder, 'team.yaml');
    if (isThere(packaged)) return { file: packaged, origin: 'package', resources: folder };
  }
  if (systemFile === undefined || !isThere(systemFile)) return undefined;
  return { file: systemFile, origin: 'system', resources: resourcesOf(systemFile) };
}

/** Where packages of the system put what is no setting. */
function resourcesOf(systemFile: string): string {
  return systemFile.startsWith('/etc/') ? '/usr/share/millrace/team' : join(dirname(systemFile), 'team');
}

/** A link that leads nowhere is there, and cannot be read. */
function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Whether it is there cannot be known, so that it counts as one that cannot be read.
    return !isMissing(error);
  }
}

function markOf({ file, origin }: Found): string {
  const state = stateOf(file);
  const parts = state === undefined ? ['none'] : [state.ino, state.size, state.mtimeMs];
  return [origin, file, ...parts].join('\n');
}

function stateOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function readTeam(found: Found): Team {
  const read = readFile(found);
  return { ...read, ...found, lockedBy: `${read.rules.team.name} (${found.file})` };
}

function readFile({ file, origin }: Found): TeamFile {
  try {
    const state = statSync(file);
    if (!state.isFile()) return closedTeam([unreadable(`${file} is no file.`)]);
    if (state.size > maxTeamFileLength) return closedTeam([unreadable(`${file} is larger than 1 MiB.`)]);
    return parseTeamFile(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = origin === 'variable' && isMissing(error) ? 'There is no such file.' : systemTrouble(error);
    const named = origin === 'variable' ? ', which MILLRACE_TEAM_FILE names,' : '';
    return closedTeam([unreadable(`${file}${named} cannot be read. ${why ?? 'Nobody knows why.'}`)]);
  }
}

function unreadable(message: string): Diagnostic {
  const range = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { code: 'team.not-readable', severity: 'error', message, range };
}
