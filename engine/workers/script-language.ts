/**
 * What differs between the languages of scripts, as their workers see it.
 */
import type { WorkerProgram } from './worker-protocol.ts';

/** A language that scripts are written in. */
export interface ScriptLanguage {
  /** For people; messages begin with it. */
  readonly name: string;
  /** The first part of the codes of its errors, such as `lua` in `lua.timeout`. */
  readonly area: string;
  /** The program of its workers; it is large, so it is loaded when the first script starts. */
  readonly loadProgram: () => Promise<Required<WorkerProgram>>;
  /** Calls of the host that run scripts themselves, so that others compute meanwhile from the start. */
  readonly longCalls?: ReadonlySet<string>;
}
