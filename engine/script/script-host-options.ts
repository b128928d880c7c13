/**
 * What the hosts of scripts are made with.
 */
import type { FolderHolder } from '../files/folder-holder.ts';
import type { DecidingFiles } from '../governance/deciding-places.ts';
import type { AgentPlace, ScriptScope } from '../kernel/capabilities.ts';
import type { EffectPolicy } from '../kernel/effect.ts';
import type { WebCapability } from '../kernel/web-capability.ts';
import type { HostCalls } from '../lua/host-calls.ts';

/** A script that calls another agent. */
export interface CallingScript {
  readonly scope: ScriptScope;
  /**
   * To be asked before the agent is read.
   * @returns the real path that may be read
   * @throws EngineError `effect.denied` when the script may not read it
   */
  readonly admit: (place: AgentPlace) => Promise<string>;
}

/** What runs have written. Paths are absolute. */
export interface WrittenByRuns {
  /** Whether a run has written this very text there, and no person has seen it since. */
  isUnseen(path: string, text: string): boolean;
  /** Writes files, and notes it. @param reals real paths */
  noting<T>(reals: readonly string[], work: () => Promise<T>): Promise<T>;
}

/** Shared by all scripts of an engine. Folders are absolute; only the workspace must exist. */
export interface ScriptHostOptions {
  readonly workspace: string;
  /** Packs, their data and settings: `~/.aipack-base`, or what `MILLRACE_HOME` names. */
  readonly baseFolder: string;
  readonly homeFolder: string;
  /** What `$tmp` stands for in this session. */
  readonly tmpFolder: string;
  /** Closed to scripts beside `millrace/` in the base folder: where the program keeps keys and settings. */
  readonly privateFolders: readonly string[];
  /** Whether the person trusts the workspace; asked before every effect. */
  readonly isTrusted: () => boolean | Promise<boolean>;
  /** Finds the files that no script may change. */
  readonly deciding: DecidingFiles;
  /** Knows what runs have written that no person has seen, and notes what scripts write. */
  readonly written: WrittenByRuns;
  /** The default policy when absent. */
  readonly policy?: EffectPolicy;
  /** The absolute path of a pack reference such as `ns@name$base/x.md`. */
  readonly packPath: (reference: string) => Promise<string>;
  /**
   * Takes what lies at a path to the system's trash.
   * @param path absolute; its folder may be named by a descriptor
   * @param putBackTo absolute; the path by which people know it
   */
  readonly trash: (path: string, putBackTo: string) => Promise<void>;
  /** Holds folders while scripts act in them; by the best means of the system when absent. */
  readonly holder?: FolderHolder;
  /** Follows the links of a path; on the disk when absent. See `realPathOf` of the paths of scripts. */
  readonly realPathOf?: (absolute: string) => Promise<string>;
  readonly web: WebCapability;
  /** Requests are answered from a cassette, and none is ever sent. */
  readonly answersFromCassette?: true;
  /** What commands and editors get as their environment. Keys of the vault do not belong in it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens a file in the program's own editor and gives its name; null or absent = it has none. */
  readonly openInEditor?: (file: string) => Promise<string | null>;
  /** Runs another agent in the name of a script. */
  readonly runAgent: (
    params: HostCalls['agent.run']['params'],
    caller: CallingScript,
    signal: AbortSignal,
  ) => Promise<HostCalls['agent.run']['result']>;
}
