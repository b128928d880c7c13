/**
 * Runs programs of this machine for nodes.
 */
import type { Hub } from '../hub/hub.ts';
import type { RunSecrets } from '../hub/run-secrets.ts';

export type CommandStream = 'stdout' | 'stderr';

export interface CommandRequest {
  /** A name that the system resolves, or a path: absolute, or relative to the workspace. */
  readonly program: string;
  /** Each is passed as one argument, unchanged and without a shell. */
  readonly args: readonly string[];
  /** Working directory, relative to the workspace; absent = the workspace. */
  readonly cwd?: string | undefined;
  /** Added to the environment of this program. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent = empty input. */
  readonly stdin?: string | undefined;
  /** Maximum size of each output; exceeding it ends the command. */
  readonly maxBytes: number;
  /** Receives output as text while it arrives. */
  readonly onOutput?: (stream: CommandStream, text: string) => void;
  /** With `program`, the request ends with the program itself. What the program has started keeps running and is no longer read. */
  readonly waitFor?: 'outputs' | 'program';
  /** Receives a description of the processes that still hold the outputs after the program has ended. */
  readonly onHeld?: (holders: string) => void;
  /** Hub of the run, which receives the decision; set by the runner. */
  readonly decisions?: Pick<Hub, 'emit' | 'products' | 'runId' | 'isUnseen'>;
  /** Secrets with placeholders in `env` and `stdin`; set by the runner. */
  readonly secrets?: RunSecrets;
}

export interface CommandOutcome {
  /** -1 if a signal ended it. */
  readonly exitCode: number;
  /** Name of the signal that ended it, for example `SIGTERM`. */
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The bytes of `stdout`, if it is not valid UTF-8. */
  readonly stdoutBase64?: string;
}

/** Returns a command for display, truncated to a readable length. */
export function shownCommand({ program, args }: Pick<CommandRequest, 'program' | 'args'>): string {
  const line = [program, ...args].join(' ');
  return line.length <= 200 ? line : `${line.slice(0, 199)}…`;
}

/** Runs programs, if permitted. */
export interface CommandsCapability {
  /**
   * Runs a program until it and, unless the request says otherwise, all processes that hold its outputs have ended. Any
   * exit code is a valid outcome.
   * @throws EngineError `effect.denied`; `files.outside` for its folder; `command.not-started` |
   * `command.too-much-output`, or the signal's reason when it aborts, after killing it with everything it has started
   */
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome>;
}
