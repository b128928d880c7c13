/**
 * Runs flows' programs, if the user allows it, and ends them with all processes they started.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { EngineError } from '../../base/engine-error.ts';
import { onAbort } from '../../base/on-abort.ts';
import { createEffectGate } from '../../runtime/governance/effect-gate.ts';
import {
  type CommandOutcome,
  type CommandRequest,
  type CommandsCapability,
  shownCommand,
} from '../../runtime/kernel/capabilities/command-capability.ts';
import type { EffectPolicy } from '../../runtime/kernel/capabilities/effect.ts';
import { resolveInWorkspace } from '../files/workspace-path.ts';
import { CommandOutput } from './command-output.ts';
import { guardProgram, type ProgramGuard } from './engine-guard.ts';
import { markOf } from './left-processes.ts';
import { type FindHolders, holdersOf, outputHolderText } from './output-holders.ts';
import { commandMark, killTree } from './process-tree.ts';

interface CommandRunnerOptions {
  /** Absolute path. */
  readonly workspace: string;
  /** Environment for commands, in addition to their own variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly policy: EffectPolicy;
  readonly isTrusted: () => Promise<boolean>;
}

/** Creates the capability. Nothing is checked before a command runs. */
export function createCommandRunner(options: CommandRunnerOptions): CommandsCapability {
  const { workspace, environment, policy, isTrusted } = options;
  return {
    async run(request, signal) {
      signal.throwIfAborted();
      const gate = createEffectGate({
        policy,
        onDecision: (decision) => request.decisions?.emit({ type: 'governance:decision', ...decision }),
      });
      const target = shownCommand(request);
      const asked = { effect: 'command', target, place: 'elsewhere', workspace, isDry: false } as const;
      const { products, isUnseen } = request.decisions ?? {};
      await gate.pass({ ...asked, products, isUnseen, isTrusted: isUnseen !== true && (await isTrusted()) }, signal);
      const cwd = await folderOf(request, workspace);
      return await runIn({ cwd, program: programOf(request, workspace), environment }, request, signal);
    },
  };
}

/** If a folder is missing, the system would report that the program is missing. */
async function folderOf({ cwd = '.' }: CommandRequest, workspace: string): Promise<string> {
  const { real } = await resolveInWorkspace(workspace, cwd);
  const stats = await stat(real).catch(() => undefined);
  if (stats?.isDirectory() === true) return real;
  throw new EngineError({
    code: 'command.not-started',
    message: `The command cannot start in ${cwd}: it is not a folder in the workspace. Create the folder, or set cwd to another one.`,
    details: { reason: 'no-folder' },
  });
}

/**
 * The system looks up a bare name. Paths are relative to the workspace, regardless of the folder in which the command
 * runs.
 */
function programOf({ program }: CommandRequest, workspace: string): string {
  const isPath = program.includes('/') || (process.platform === 'win32' && program.includes('\\'));
  return isPath && !isAbsolute(program) ? resolve(workspace, program) : program;
}

interface CommandPlace {
  readonly program: string;
  /** Absolute path. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

async function runIn(place: CommandPlace, request: CommandRequest, signal: AbortSignal): Promise<CommandOutcome> {
  const mark = markOf(request.decisions?.runId);
  const guard = guardProgram(mark, 'group');
  const child = start(place, request, guard);
  let killed: Promise<void> | undefined;
  const kill = (): void => {
    killed ??= killTree(child, mark).then(() => leave(child));
  };
  const stopListening = onAbort(signal, kill);
  const findHolders = holdersOf(child, mark);
  try {
    return await outcomeOf(child, request, { kill, findHolders });
  } finally {
    stopListening();
    await killed;
    guard.letGo();
    signal.throwIfAborted();
  }
}

/** Does not wait for a detached process that may keep the output streams open. */
function leave(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function start(
  { program, cwd, environment }: CommandPlace,
  request: CommandRequest,
  guard: ProgramGuard,
): ChildProcess {
  const { secrets, env, stdin } = request;
  const filled = (text: string): string => secrets?.fill(text, 'plain') ?? text;
  const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
  try {
    const child = spawn(program, request.args, {
      cwd,
      env: { ...environment, ...own, [commandMark]: guard.mark },
      stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // Runs in a separate session, so that it can be killed with its children and has no terminal to read from.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    guard.started(child);
    // A program may exit without reading its input.
    child.stdin?.on('error', () => undefined).end(filled(stdin ?? ''));
    return child;
  } catch (error) {
    guard.letGo();
    throw notStarted(request.program, error);
  }
}

interface CommandWatchOptions {
  readonly kill: () => void;
  readonly findHolders: FindHolders;
}

async function outcomeOf(
  child: ChildProcess,
  request: CommandRequest,
  { kill, findHolders }: CommandWatchOptions,
): Promise<CommandOutcome> {
  const { maxBytes, secrets, onOutput } = request;
  const follow = (stream: 'stdout' | 'stderr'): CommandOutput =>
    new CommandOutput({
      source: child[stream],
      maxBytes,
      secrets,
      onText: (text) => onOutput?.(stream, text),
      onOverflow: kill,
    });
  const outputs = [follow('stdout'), follow('stderr')] as const;
  const stopLooking = lookWhenHeld(child, request, findHolders);
  const [code, ended] = await new Promise<[number | null, string | null]>((resolveEnd, reject) => {
    child.once('error', (error) => reject(notStarted(request.program, error)));
    // Fires when all processes that hold the output streams have ended, possibly later than the command itself.
    child.once('close', (exitCode, name) => resolveEnd([exitCode, name]));
    if (request.waitFor !== 'program') return;
    child.once('exit', (exitCode, name) => void restOf(outputs).then(() => resolveEnd([exitCode, name])));
  }).finally(stopLooking);
  if (request.waitFor === 'program') letLive(child);
  const [stdout, stderr] = await Promise.all(outputs.map((output) => output.end()));
  if (outputs.some(({ isTooMuch }) => isTooMuch)) throw tooMuchOutput(request);
  const base64 = stdout?.base64;
  return {
    exitCode: code ?? -1,
    ...(ended === null ? {} : { signal: ended }),
    stdout: stdout?.text ?? '',
    stderr: stderr?.text ?? '',
    ...(base64 === undefined ? {} : { stdoutBase64: base64 }),
  };
}

/**
 * Milliseconds that the output streams may stay open after the program has ended before the processes that hold them
 * are looked up.
 */
const heldMs = 100;

/**
 * Reports which processes hold the output streams after the program has ended. Returns a function that stops the
 * reporting.
 */
function lookWhenHeld(child: ChildProcess, { onHeld, secrets }: CommandRequest, find: FindHolders): () => void {
  const over = new AbortController();
  const look = async (): Promise<void> => {
    await setTimeout(heldMs, undefined, { signal: over.signal, ref: false });
    const words = outputHolderText(await find());
    if (words !== '' && !over.signal.aborted) onHeld?.(secrets?.mask(words) ?? words);
  };
  if (onHeld !== undefined) child.once('exit', () => void look().catch(() => undefined));
  return () => over.abort();
}

/** Exceeds the system's buffers, so any further output cannot come from the program itself. */
const mostRestBytes = 4 * 1024 * 1024;
const quietTurns = 3;

/**
 * Waits until everything that a program wrote before it ended has been read. The system has already buffered it, so
 * each turn reads more of it.
 */
async function restOf(outputs: readonly CommandOutput[]): Promise<void> {
  const read = (): number => outputs.reduce((sum, { readBytes }) => sum + readBytes, 0);
  const first = read();
  for (let quiet = 0, last = first; quiet < quietTurns && last - first < mostRestBytes; ) {
    await setImmediate();
    const now = read();
    quiet = now === last ? quiet + 1 : 0;
    last = now;
  }
}

/**
 * Processes that it left running can keep writing to output streams that are read and discarded. This program does not
 * wait for them.
 */
function letLive(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.unref();
}

const reasons: Readonly<Record<string, (program: string) => string>> = {
  ENOENT: (program) =>
    `the program, or the interpreter in its first line, does not exist. Install it, or write its path${
      program.includes('/') ? '' : ', relative to the workspace or absolute'
    }`,
  EACCES: () =>
    'it is not executable. Make it executable (chmod +x), or run it with its interpreter, such as program: sh with the file in args',
  EINVAL: () =>
    'the system cannot run this type of file directly. To run a .cmd or .bat file, use program: cmd with /c and the file in args',
  E2BIG: () => 'its arguments and environment are longer than the system allows. Pass long values through stdin',
  ENOEXEC: () => 'it is not a program for this system. A script must begin with #! and its interpreter',
  // Node's message would contain the value, which may be a secret.
  ERR_INVALID_ARG_VALUE: () =>
    'an argument or a variable contains a NUL character, which cannot be passed to a program. Remove it',
};

function notStarted(program: string, cause: unknown): EngineError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const why = reasons[code]?.(program) ?? message;
  return new EngineError({
    code: 'command.not-started',
    message: `The program ${JSON.stringify(program.slice(0, 200))} could not be started: ${why}.`,
    details: { reason: code },
  });
}

function tooMuchOutput({ program, maxBytes }: CommandRequest): EngineError {
  return new EngineError({
    code: 'command.too-much-output',
    message: `${program} wrote more than ${maxBytes} bytes and was stopped. Make it write less or write to a file, or increase maxBytes.`,
    details: { maxBytes },
  });
}
