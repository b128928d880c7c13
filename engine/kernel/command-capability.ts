/**
 * What nodes may ask of programs of this machine.
 */
import type { Hub } from './hub.ts';
import type { RunSecrets } from './run-secrets.ts';

export type CommandStream = 'stdout' | 'stderr';

export interface CommandRequest {
  /** A name that the system looks up, or a path: absolute, or relative to the workspace. */
  readonly program: string;
  /** Each one argument, whatever stands in it: no shell reads them. */
  readonly args: readonly string[];
  /** Relative to the workspace; absent = the workspace. */
  readonly cwd?: string | undefined;
  /** Over the environment of this program. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent = there is nothing to read. */
  readonly stdin?: string | undefined;
  /** Of each output; more ends the command. */
  readonly maxBytes: number;
  /** Gets each output while it comes, as text. */
  readonly onOutput?: (stream: CommandStream, text: string) => void;
  /** With `program`, the request ends with the program itself. What the program has started keeps running and is no longer read. */
  readonly waitFor?: 'outputs' | 'program';
  /** Gets the processes that still hold the outputs after the program has ended, in words. */
  readonly onHeld?: (holders: string) => void;
  /** The hub of the run that it belongs to, which gets the decision; the runner sets it. */
  readonly decisions?: Pick<Hub, 'emit' | 'products' | 'runId' | 'isUnseen'>;
  /** Whose placeholders may stand in `env` and `stdin`; the runner names them. */
  readonly secrets?: RunSecrets;
}

export interface CommandOutcome {
  /** -1 when a signal ended it. */
  readonly exitCode: number;
  /** By its name, when one ended it, for example `SIGTERM`. */
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The bytes of `stdout`, when not all of them are UTF-8. */
  readonly stdoutBase64?: string;
}

/** Returns a command for people; only so much of a long one as they can read. */
export function shownCommand({ program, args }: Pick<CommandRequest, 'program' | 'args'>): string {
  const line = [program, ...args].join(' ');
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}

/** Runs programs, where the person allows it. */
export interface CommandsCapability {
  /**
   * Runs a program until it and, unless the request says otherwise, all that hold its outputs have ended. Any exit code is an outcome.
   * @throws EngineError `effect.denied`; `files.outside` for its folder; `command.not-started` | `command.too-much-output`, or the
   *   signal's reason when it aborts: then it is killed with all that it started
   */
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome>;
}
