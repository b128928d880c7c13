/**
 * The differences between script languages that matter to their workers.
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
  /** Host calls that run other scripts, so the worker gives up its place immediately. */
  readonly longCalls?: ReadonlySet<string>;
}
