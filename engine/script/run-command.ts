/**
 * Programs that scripts run.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { EngineError } from '../base/engine-error.ts';
import { onAbort } from '../base/on-abort.ts';

/**
 * Kills a process, its group and everything below it, at once and without a chance to refuse. Children that have moved
 * to groups of their own are found by their parents.
 * @param pid of a process that leads its own group (`detached`), except on Windows
 */
async function killTree(pid: number): Promise<void> {
  if (process.platform === 'win32') {
    await output('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  const below = descendantsOf(pid, await parents());
  for (const one of [-pid, pid, ...below]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  }
}

/** Process → its parent. */
async function parents(): Promise<ReadonlyMap<number, number>> {
  return process.platform === 'linux' ? await parentsOfProc() : await parentsOfPs();
}

async function parentsOfProc(): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      // The name in parentheses may hold anything; state and parent follow its last one.
      const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
      if (parent !== undefined) found.set(Number(pid), Number(parent));
    }),
  );
  return found;
}

async function parentsOfPs(): Promise<ReadonlyMap<number, number>> {
  const lines = (await output('ps', ['-A', '-o', 'pid=,ppid='])).split('\n');
  return new Map(
    lines.map((line): [number, number] => {
      const [pid = '', parent = ''] = line.trim().split(/\s+/);
      return [Number(pid), Number(parent)];
    }),
  );
}

function descendantsOf(pid: number, parentOf: ReadonlyMap<number, number>): number[] {
  const children = [...parentOf].filter(([child, parent]) => parent === pid && child !== pid).map(([child]) => child);
  return children.flatMap((child) => [child, ...descendantsOf(child, parentOf)]);
}

function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { windowsHide: true }, (_error, stdout) => resolve(stdout));
  });
}

interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
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
  const child = start(request);
  let killed: Promise<void> | undefined;
  const kill = (): void => {
    if (child.pid !== undefined) killed ??= killTree(child.pid).then(() => leave(child));
  };
  const stopListening = onAbort(signal, kill);
  try {
    return await resultOf(child, request, kill);
  } finally {
    stopListening();
    await killed;
    signal.throwIfAborted();
  }
}

/** A process that got away may hold the outputs open; nobody waits for it. */
function leave(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function start({ command, args, cwd, environment, isProgram }: CommandRequest): ChildProcess {
  const isWindows = process.platform === 'win32';
  const byShell = isWindows && isProgram !== true;
  const [program, programArgs] = byShell
    ? ['cmd', ['/d', '/s', '/C', `"${[command, ...args].join(' ')}"`]]
    : [command, [...args]];
  try {
    return spawn(program, programArgs, {
      cwd,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that it can be killed with its children.
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: byShell,
    });
  } catch (error) {
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
