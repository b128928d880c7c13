/**
 * Programs that scripts run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { EngineError } from '../base/engine-error.ts';
import { onAbort } from '../base/on-abort.ts';
import { guardProgram, type ProgramGuard } from '../command/engine-guard.ts';
import { markOf } from '../command/left-processes.ts';
import { commandMark, killTree } from '../command/process-tree.ts';

export interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of the run that it belongs to. */
  readonly runId?: string;
  /** It is a program, to be started directly on Windows as well. */
  readonly isProgram?: true;
}

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** -1 when a signal ended it. */
  readonly exit: number;
}

/** Bytes that a command may write to each of its two outputs. */
export const maxOutputBytes = 16 * 1024 * 1024;

/**
 * Runs a program to its end, without input. On Unix it is started directly, an argument being what it is; on Windows
 * through `cmd /C`, with all joined by blanks. Any exit code is a result.
 * @throws EngineError `command.not-started` | `command.too-much-output`, or the signal's reason; in both of the latter
 *   cases it is killed with everything that it started
 */
export async function runCommand(request: CommandRequest, signal: AbortSignal): Promise<CommandResult> {
  signal.throwIfAborted();
  const mark = markOf(request.runId);
  const guard = guardProgram(mark, 'group');
  const child = start(request, guard);
  let killed: Promise<void> | undefined;
  const kill = (): void => {
    killed ??= killTree(child, mark).then(() => leave(child));
  };
  const stopListening = onAbort(signal, kill);
  try {
    return await resultOf(child, request, kill);
  } finally {
    stopListening();
    await killed;
    guard.letGo();
    signal.throwIfAborted();
  }
}

/** A process that got away may hold the outputs open; nobody waits for it. */
function leave(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function start(request: CommandRequest, guard: ProgramGuard): ChildProcess {
  const { command, args, cwd, environment, isProgram } = request;
  const isWindows = process.platform === 'win32';
  const byShell = isWindows && isProgram !== true;
  const [program, programArgs] = byShell
    ? ['cmd', ['/d', '/s', '/C', `"${[command, ...args].join(' ')}"`]]
    : [command, [...args]];
  try {
    const child = spawn(program, programArgs, {
      cwd,
      env: { ...environment, [commandMark]: guard.mark },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that it can be killed with its children.
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: byShell,
    });
    guard.started(child);
    return child;
  } catch (error) {
    guard.letGo();
    throw notStarted({ command, args }, error);
  }
}

async function resultOf(child: ChildProcess, request: CommandRequest, kill: () => void): Promise<CommandResult> {
  let isTooMuch = false;
  const overflow = (): void => {
    isTooMuch = true;
    kill();
  };
  const stdout = collect(child.stdout, overflow);
  const stderr = collect(child.stderr, overflow);
  const exit = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(request, error)));
    // When all who hold the outputs have ended, which may be later than the command itself.
    child.once('close', (code) => resolve(code ?? -1));
  });
  if (isTooMuch) throw tooMuchOutput(request);
  return { stdout: stdout(), stderr: stderr(), exit };
}

/** Gathers an output; what is over the limit is not kept. Gives the text so far. */
function collect(stream: NodeJS.ReadableStream | null, onOverflow: () => void): () => string {
  const pieces: Buffer[] = [];
  let size = 0;
  stream?.on('data', (piece: Buffer) => {
    size += piece.byteLength;
    if (size > maxOutputBytes) onOverflow();
    else pieces.push(piece);
  });
  return () => Buffer.concat(pieces).toString('utf8');
}

function notStarted({ command, args }: Pick<CommandRequest, 'command' | 'args'>, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError({
    code: 'command.not-started',
    message: `Fail to execute: ${[command, ...args].join(' ')}\nCause:\n${reason}`,
    cause,
  });
}

function tooMuchOutput({ command }: CommandRequest): EngineError {
  return new EngineError({
    code: 'command.too-much-output',
    message: `${command} wrote more than ${maxOutputBytes / 1024 / 1024} MiB and was ended. Let it write to a file, or write less.`,
    details: { maxBytes: maxOutputBytes },
  });
}
