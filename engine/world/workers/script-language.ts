/**
 * The differences between script languages, as far as their workers are concerned.
 */
import type { WorkerProgram } from './worker-protocol.ts';

/** A script language. */
export interface ScriptLanguage {
  /** Display name; messages begin with it. */
  readonly name: string;
  /** Prefix of its error codes, such as `lua` in `lua.timeout`. */
  readonly area: string;
  /** Loads the program of its workers. It is large, so it is loaded when the first script starts. */
  readonly loadProgram: () => Promise<Required<WorkerProgram>>;
  /** Host calls that run other scripts, so that the worker's place is free from the start. */
  readonly longCalls?: ReadonlySet<string>;
}
