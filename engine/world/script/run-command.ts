/**
 * Runs programs for scripts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { EngineError } from '../../base/engine-error.ts';
import { onAbort } from '../../base/on-abort.ts';
import { guardProgram, type ProgramGuard } from '../command/engine-guard.ts';
import { markOf } from '../command/left-processes.ts';
import { commandMark, killTree } from '../command/process-tree.ts';

export interface ScriptCommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path of the working folder. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The command's run. */
  readonly runId?: string;
  /** The command is an executable, to be started directly even on Windows. */
  readonly isProgram?: true;
}

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Exit code; -1 if a signal ended the command. */
  readonly exit: number;
}

/** Maximum number of bytes that a command may write to each of its two output streams. */
export const maxOutputBytes = 16 * 1024 * 1024;

/**
 * Runs a program to its end, without input. On Unix it is started directly with unchanged arguments; on Windows through
 * `cmd /C`, with everything joined by spaces. Any exit code is a result.
 * @throws EngineError `command.not-started` | `command.too-much-output`, or the signal's reason; in the latter two
 * cases it is killed with all processes it started
 */
export async function runCommand(request: ScriptCommandRequest, signal: AbortSignal): Promise<CommandResult> {
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

/** Stops waiting for a process that escaped and may hold the output streams open. */
function leave(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function start(request: ScriptCommandRequest, guard: ProgramGuard): ChildProcess {
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
      // Runs in a separate process group, so that it can be killed with its children.
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

async function resultOf(child: ChildProcess, request: ScriptCommandRequest, kill: () => void): Promise<CommandResult> {
  let isTooMuch = false;
  const overflow = (): void => {
    isTooMuch = true;
    kill();
  };
  const stdout = collect(child.stdout, overflow);
  const stderr = collect(child.stderr, overflow);
  const exit = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(request, error)));
    // Emitted when all processes that hold the output streams have ended, possibly later than the command itself.
    child.once('close', (code) => resolve(code ?? -1));
  });
  if (isTooMuch) throw tooMuchOutput(request);
  return { stdout: stdout(), stderr: stderr(), exit };
}

/** Collects an output stream up to the limit. Returns a function that returns the text so far. */
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

function notStarted({ command, args }: Pick<ScriptCommandRequest, 'command' | 'args'>, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EngineError({
    code: 'command.not-started',
    message: `Fail to execute: ${[command, ...args].join(' ')}\nCause:\n${reason}`,
    cause,
  });
}

function tooMuchOutput({ command }: ScriptCommandRequest): EngineError {
  return new EngineError({
    code: 'command.too-much-output',
    message: `${command} wrote more than ${maxOutputBytes / 1024 / 1024} MiB and was stopped. Make it write to a file, or write less.`,
    details: { maxBytes: maxOutputBytes },
  });
}
