/**
 * What every command is handed: where to write, where relative paths start, and the flags that all commands have.
 */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { usageError } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** Flags of all commands. */
export interface GlobalOptions {
  readonly json?: true;
  readonly workspace?: string;
  readonly store?: string;
  /** The person trusts the workspace for this one call. */
  readonly trust?: true;
}

export interface CliContext {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Where relative paths start, absolute. Under `npm run` that is where npm was called, not where it runs scripts. */
  readonly folder: string;
  /** Folder with the packs that come with the program, absolute; undefined = it has none. */
  readonly builtInPacks: string | undefined;
  /** Ends the process at once. */
  readonly quit: (code: number) => never;
}

/** The context of this process. */
export function createCliContext(
  terminal: Terminal,
  { argv, env, cwd, exit }: NodeJS.Process,
  builtInPacks: string | undefined = packsOf(argv[1]),
): CliContext {
  return {
    terminal,
    clock: systemClock,
    folder: path.resolve(env['INIT_CWD'] ?? cwd()),
    builtInPacks,
    quit: (code) => exit(code),
  };
}

/** They lie in `resources/packs` of the program, whose command line is `out/cli/…`. */
function packsOf(program: string | undefined): string | undefined {
  if (program === undefined) return undefined;
  const folder = path.resolve(realpathSync(program), '../../../resources/packs');
  return isFolder(folder) ? folder : undefined;
}

/**
 * The workspace: the one named, else the nearest folder around `target` that has been one, else the current folder.
 * @param target a file in it, absolute; without one, looks around the current folder
 * @throws EngineError `cli.usage` when the folder named is none
 */
export function resolveWorkspace({ folder }: CliContext, { workspace }: GlobalOptions, target?: string): string {
  if (workspace === undefined) return nearestWorkspace(target === undefined ? folder : path.dirname(target)) ?? folder;
  const named = path.resolve(folder, workspace);
  if (isFolder(named)) return named;
  throw usageError(`There is no folder ${workspace}. Give --workspace a folder that exists.`);
}

function nearestWorkspace(folder: string): string | undefined {
  if (['.millrace', '.aipack'].some((mark) => isFolder(path.join(folder, mark)))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? undefined : nearestWorkspace(parent);
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
