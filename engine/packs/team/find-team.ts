/**
 * Finds and reads the team file that applies on this machine.
 */
import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { explainSystemError } from '../../base/system-trouble.ts';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import { isMissing } from '../../world/files/file-error.ts';
import { closedTeam, maxTeamFileLength, parseTeamFile, type TeamFile } from './team-file.ts';

export interface Team extends TeamFile {
  /** Absolute path of the team file. */
  readonly file: string;
  /**
   * Where the file comes from: a variable set by the user, a team package installed for this user, or the machine's
   * administrator.
   */
  readonly origin: 'variable' | 'package' | 'system';
  /** Absolute path of the folder with `packs/` and the bundled examples. */
  readonly resources: string;
  /** The team and its file, to be named when an action is denied. */
  readonly lockedBy: string;
}

/**
 * Reads the team file that applies; undefined if there is none. Never throws: an unreadable file applies every
 * restriction that it could contain.
 */
export type TeamSource = () => Team | undefined;

export interface TeamPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the base folder. */
  readonly baseFolder: string;
  /** Absolute path of the machine-wide file; for tests. */
  readonly systemFile?: string | undefined;
}

/** Returns the path of the machine-wide file; undefined on systems without one. */
function systemTeamFile(): string | undefined {
  const { platform } = process;
  if (platform === 'darwin') return '/Library/Application Support/Millrace/team.yaml';
  return platform === 'linux' ? '/etc/millrace/team.yaml' : undefined;
}

/** Returns the absolute path of an installed team package in the base folder. */
export function teamFolderOf(baseFolder: string): string {
  return join(baseFolder, 'millrace', 'team');
}

/**
 * Returns the path where the previous package is kept while a new one replaces it. If the program is killed in the meantime, the
 * team settings still apply.
 */
export function formerTeamFolder(baseFolder: string): string {
  return `${teamFolderOf(baseFolder)}.former`;
}

/** Creates the reader. It checks the file on each call and reads it again after a change. */
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

type LocatedTeam = Pick<Team, 'file' | 'origin' | 'resources'>;

function findFile({ env, baseFolder, systemFile = systemTeamFile() }: TeamPlaces): LocatedTeam | undefined {
  const named = env['MILLRACE_TEAM_FILE'];
  if (named) return { file: resolve(named), origin: 'variable', resources: dirname(resolve(named)) };
  for (const folder of [teamFolderOf(baseFolder), formerTeamFolder(baseFolder)]) {
    const packaged = join(folder, 'team.yaml');
    if (isThere(packaged)) return { file: packaged, origin: 'package', resources: folder };
  }
  if (systemFile === undefined || !isThere(systemFile)) return undefined;
  return { file: systemFile, origin: 'system', resources: resourcesOf(systemFile) };
}

/** Returns the folder where system packages store files other than settings. */
function resourcesOf(systemFile: string): string {
  return systemFile.startsWith('/etc/') ? '/usr/share/millrace/team' : join(dirname(systemFile), 'team');
}

/** Returns whether a path exists. A broken symbolic link exists but cannot be read. */
function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // If it is unknown whether the file exists, it counts as existing but unreadable.
    return !isMissing(error);
  }
}

function markOf({ file, origin }: LocatedTeam): string {
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

function readTeam(found: LocatedTeam): Team {
  const read = readFile(found);
  return { ...read, ...found, lockedBy: `${read.rules.team.name} (${found.file})` };
}

function readFile({ file, origin }: LocatedTeam): TeamFile {
  try {
    const state = statSync(file);
    if (!state.isFile()) return closedTeam([unreadable(`${file} is not a regular file.`)]);
    if (state.size > maxTeamFileLength) return closedTeam([unreadable(`${file} is larger than 1 MiB.`)]);
    return parseTeamFile(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = origin === 'variable' && isMissing(error) ? 'The file does not exist.' : explainSystemError(error);
    const named = origin === 'variable' ? ', set by MILLRACE_TEAM_FILE,' : '';
    return closedTeam([unreadable(`${file}${named} cannot be read. ${why ?? 'The reason is unknown.'}`)]);
  }
}

function unreadable(message: string): Diagnostic {
  const range = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { code: 'team.not-readable', severity: 'error', message, range };
}
