/**
 * Options of script hosts.
 */

import type { DecidingFiles } from '../../runtime/governance/deciding-places.ts';
import type { AgentLocation, ScriptScope } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { EffectPolicy } from '../../runtime/kernel/capabilities/effect.ts';
import type { WebCapability } from '../../runtime/kernel/capabilities/web-capability.ts';
import type { FolderHolder } from '../files/folders/folder-holder.ts';
import type { FileChange } from '../files/undo/change-recorder.ts';
import type { HostCalls } from '../lua/host-calls.ts';
import type { CommandResult } from './run-command.ts';

/** A script that calls another agent. */
export interface CallingScript {
  readonly scope: ScriptScope;
  /**
   * Called before the agent is read.
   * @returns the real path that may be read
   * @throws EngineError `effect.denied` if the script may not read it
   */
  readonly admit: (place: AgentLocation) => Promise<string>;
}

/** Records what runs have written. Paths are absolute. */
export interface WrittenByRuns {
  /** Whether a run wrote exactly this text there and no person has seen it since. */
  isUnseen(path: string, text: string): boolean;
  /** Runs `work`, which changes files, and records them. The caller must hold their locks; see `withPathLock`. */
  changing<T>(change: FileChange, work: () => Promise<T>): Promise<T>;
}

/** See `ScriptHostOptions.recordCommand`. `folder` is relative to the workspace with `/`, or absolute outside. */
export type RecordCommand = (
  request: { readonly command: string; readonly args: readonly string[]; readonly folder: string },
  run: () => Promise<CommandResult>,
  signal: AbortSignal,
) => Promise<CommandResult>;

/** Options shared by all scripts of an engine. Folders are absolute; only the workspace must exist. */
export interface ScriptHostOptions {
  readonly workspace: string;
  /** Folder with packs and their data and settings: `~/.aipack-base`, or the value of `MILLRACE_HOME`. */
  readonly baseFolder: string;
  readonly homeFolder: string;
  /** Folder for `$tmp` in this session. */
  readonly tmpFolder: string;
  /**
   * Folders closed to scripts in addition to `millrace/` in the base folder: where the program stores keys and
   * settings.
   */
  readonly privateFolders: readonly string[];
  /** Whether the workspace is trusted; called before every effect. */
  readonly isTrusted: () => boolean | Promise<boolean>;
  /** Finds the files that no script may change. */
  readonly deciding: DecidingFiles;
  /** Tracks what runs have written that no person has seen, and records what scripts write. */
  readonly written: WrittenByRuns;
  /** Policy for effects; defaults to the built-in one. */
  readonly policy?: EffectPolicy;
  /** Returns the absolute path of a pack reference such as `ns@name$base/x.md`. */
  readonly packPath: (reference: string) => Promise<string>;
  /**
   * Moves a path to the system's trash.
   * @param path absolute; its folder may be named by a descriptor
   * @param putBackTo absolute path known to the user
   */
  readonly trash: (path: string, putBackTo: string) => Promise<void>;
  /** Holds folders open while scripts use them; defaults to the system's best method. */
  readonly holder?: FolderHolder;
  /** Resolves a path's symbolic links; on disk by default. See `realPathOf` in `script-paths.ts`. */
  readonly realPathOf?: (absolute: string) => Promise<string>;
  readonly web: WebCapability;
  /** Records the result of a command, or returns a recorded one instead of running `run`. Absent: every command runs. */
  readonly recordCommand?: RecordCommand;
  /** Requests are answered from a cassette; no request is ever sent. */
  readonly answersFromCassette?: true;
  /** Environment for commands and editors. It must not contain keys from the vault. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens a file in the program's own editor and returns the editor's name; null or absent if there is none. */
  readonly openInEditor?: (file: string) => Promise<string | null>;
  /** Runs another agent on behalf of a script. */
  readonly runAgent: (
    params: HostCalls['agent.run']['params'],
    caller: CallingScript,
    signal: AbortSignal,
  ) => Promise<HostCalls['agent.run']['result']>;
}
