/**
 * The context of every command: the output streams, the base folder of relative paths, and the global options.
 */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import type { EngineOptions } from '../index.ts';
import { usageError } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** Options of all commands. */
export interface GlobalOptions {
  readonly json?: true;
  readonly workspace?: string;
  readonly store?: string;
  /** Whether to trust the workspace for this call only. */
  readonly trust?: true;
}

/** Where runs are, if not in this workspace's own history. */
export interface SharedOptions {
  /** URL of the Restate server whose workers execute runs. */
  readonly on?: string;
  /** URL of the history that several machines share. */
  readonly history?: string;
}

/** Returns whether the runs are in a shared history. */
export function isShared({ on, history }: SharedOptions): boolean {
  return on !== undefined || history !== undefined;
}

/** Engine options of the desktop program, for the service that it runs. */
export type EngineSettings = Pick<
  EngineOptions,
  'asksPermission' | 'bindsKeys' | 'confinesReading' | 'keyOf' | 'privateFolders' | 'vault'
>;

export interface CliContext {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /**
   * Absolute base folder of relative paths. Under `npm run`, this is the folder where npm was called, not where it runs
   * scripts.
   */
  readonly folder: string;
  /** Absolute path of the bundled packs; undefined if there are none. */
  readonly builtInPacks: string | undefined;
  /** Absolute path of a program that starts the command line, and its first arguments. */
  readonly command: readonly string[];
  /** What the program around the command line adds to engines. */
  readonly settings: EngineSettings | undefined;
  /** Exits the process immediately. */
  readonly quit: (code: number) => never;
}

/** What the program around the command line knows. */
export type AroundCli = Partial<Pick<CliContext, 'builtInPacks' | 'command' | 'settings'>>;

/** Creates the context of this process. */
export function createCliContext(
  terminal: Terminal,
  { argv, env, cwd, exit, execPath }: NodeJS.Process,
  { builtInPacks = packsOf(argv[1]), command, settings }: AroundCli,
): CliContext {
  return {
    terminal,
    clock: systemClock,
    folder: path.resolve(env['INIT_CWD'] ?? cwd()),
    builtInPacks,
    command: command ?? [execPath, path.resolve(argv[1] ?? '')],
    settings,
    quit: (code) => exit(code),
  };
}

/** Returns the program's `resources/packs` folder. The command line is `out/cli/…` in the same program. */
function packsOf(program: string | undefined): string | undefined {
  if (program === undefined) return undefined;
  const folder = path.resolve(realpathSync(program), '../../../resources/packs');
  return isFolder(folder) ? folder : undefined;
}

/**
 * Returns the workspace: the named one, otherwise the nearest folder that contains `target` and has been a workspace,
 * otherwise the current folder.
 * @param target absolute path of a file in the workspace; without it, the search starts at the current folder
 * @throws EngineError `cli.usage` if the named path is not a folder
 */
export function resolveWorkspace({ folder }: CliContext, { workspace }: GlobalOptions, target?: string): string {
  if (workspace === undefined) return nearestWorkspace(target === undefined ? folder : path.dirname(target)) ?? folder;
  const named = path.resolve(folder, workspace);
  if (isFolder(named)) return named;
  throw usageError(`Folder ${workspace} does not exist. Set --workspace to an existing folder.`);
}

function nearestWorkspace(folder: string): string | undefined {
  if (['.millrace', '.aipack'].some((mark) => isFolder(path.join(folder, mark)))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : nearestWorkspace(parent);
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
