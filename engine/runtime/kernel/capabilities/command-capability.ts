/**
 * Runs programs on this machine for nodes.
 */
import type { Hub } from '../hub/hub.ts';
import type { RunSecrets } from '../hub/run-secrets.ts';

export type CommandStream = 'stdout' | 'stderr';

export interface CommandRequest {
  /** A name that the system resolves, or a path that is absolute or relative to the workspace. */
  readonly program: string;
  /** Each is passed as one argument, unchanged and without a shell. */
  readonly args: readonly string[];
  /** Working directory relative to the workspace; absent for the workspace itself. */
  readonly cwd?: string | undefined;
  /** Added to this program's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent for empty input. */
  readonly stdin?: string | undefined;
  /** Maximum size of each output stream; exceeding it ends the command. */
  readonly maxBytes: number;
  /** Receives output as text while it arrives. */
  readonly onOutput?: (stream: CommandStream, text: string) => void;
  /**
   * With `program`, the request ends when the program itself ends. Processes that it started keep running, and their output is no longer
   * read.
   */
  readonly waitFor?: 'outputs' | 'program';
  /** Receives a description of the processes that still hold the output streams after the program has ended. */
  readonly onHeld?: (holders: string) => void;
  /** The run's hub, which receives the decision; set by the runner. */
  readonly decisions?: Pick<Hub, 'emit' | 'products' | 'runId' | 'isUnseen'>;
  /** Secrets with placeholders in `env` and `stdin`; set by the runner. */
  readonly secrets?: RunSecrets;
}

export interface CommandOutcome {
  /** -1 if a signal ended the program. */
  readonly exitCode: number;
  /** Name of the signal that ended the program, for example `SIGTERM`. */
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The bytes of `stdout` if they are not valid UTF-8. */
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
   * Runs a program until it and, unless the request specifies otherwise, all processes that hold its output streams
   * have ended. Any exit code is a valid outcome.
   * @throws EngineError `effect.denied`; `files.outside` for its working directory; `command.not-started` |
   * `command.too-much-output`, or the signal's reason when it aborts, after killing the program and everything it
   * started
   */
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome>;
}
