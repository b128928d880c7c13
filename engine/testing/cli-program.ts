/**
 * The command line program: the built one as a separate process, or its commands inside of this process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCli } from '../cli/run-cli.ts';
import { builtPart } from './built-program.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface CliProgram {
  /** Starts the program; `MILLRACE_HOME` is an empty folder unless `env` sets it. */
  start(args: readonly string[], options: CliStart): StartedCli;
}

/** Options of a call, in this process or a separate one. */
export interface CliCall {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface CliStart extends CliCall {
  /** Another user to run as, which requires root; the program must be one from `copyForAll`. */
  readonly userId?: number;
  /** Maximum size of a file that it may write, in shell blocks (512 or 1024 bytes). */
  readonly fileLimit?: number;
  /** Content of stdin, which then ends; without it, stdin stays open. */
  readonly input?: string;
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartedCli {
  readonly child: ChildProcess;
  readonly result: Promise<CliResult>;
  /** Resolves when stdout contains the text; rejects if the program ends without it. */
  whenPrinted(text: string): Promise<void>;
}

/** Returns the program as it is shipped. */
export async function builtCli(): Promise<CliProgram> {
  return cliIn(await builtPart('cli'));
}

/** @param folder of the built program */
export function cliIn(folder: string): CliProgram {
  const file = path.join(folder, 'cli.cjs');
  return { start: (args, options) => startCli([file, ...args], options) };
}

/** Packages external to the bundle, with their dependencies. */
const outsidePackages = ['@photostructure/sqlite', 'node-gyp-build'];

/**
 * Copies the built program to a folder that every user of this machine can read. @returns the folder, which the caller
 * removes
 */
export async function copyCliForAll(): Promise<string> {
  const copy = mkdtempSync(path.join(tmpdir(), 'millrace-program-'));
  cpSync(await builtPart('cli'), copy, { recursive: true });
  for (const name of outsidePackages) {
    const filter = (source: string): boolean => path.basename(source) !== 'src';
    cpSync(path.join(root, 'node_modules', name), path.join(copy, 'node_modules', name), { recursive: true, filter });
  }
  chmodSync(copy, 0o755);
  return copy;
}

/** Excludes this user's folder and the variables that npm and terminals set. */
function environmentOf({ cwd, env = {} }: CliCall): NodeJS.ProcessEnv {
  const { INIT_CWD: _, NO_COLOR: __, ...inherited } = process.env;
  return { ...inherited, MILLRACE_HOME: path.join(cwd, 'no-home'), ...env };
}

/** Runs in this process what the program does with these arguments; one call at a time. */
export async function callCli(args: readonly string[], call: CliCall): Promise<CliResult> {
  const written = { stdout: '', stderr: '' };
  const streamOf = (name: 'stdout' | 'stderr') => ({
    on() {},
    write(text: string) {
      written[name] += text;
    },
  });
  const own = {
    argv: [process.execPath, path.join(root, 'engine/cli/main.ts'), ...args],
    env: environmentOf(call),
    cwd: () => call.cwd,
    exit: () => {
      throw new Error('The program would have ended at once.');
    },
    stdout: streamOf('stdout'),
    stderr: streamOf('stderr'),
  };
  const outer = process.env;
  // The engine reads the environment of its process.
  process.env = own.env;
  try {
    const code = await runCli(own as unknown as NodeJS.Process);
    return { code, ...written };
  } finally {
    process.env = outer;
  }
}

function startCli(args: readonly string[], options: CliStart): StartedCli {
  const [command = '', ...commandArgs] = commandLine(args, options);
  const child = spawn(command, commandArgs, { cwd: options.cwd, env: environmentOf(options) });
  if (options.input !== undefined) child.stdin.end(options.input);
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const result = new Promise<CliResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const whenPrinted = (wanted: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (stdout.includes(wanted)) resolve();
      };
      look();
      child.stdout.on('data', look);
      child.once('close', () => reject(new Error(`It ended without printing ${wanted}:\n${stdout}${stderr}`)));
    });
  return { child, result, whenPrinted };
}

function commandLine(args: readonly string[], { userId, fileLimit }: CliStart): readonly string[] {
  // The option of spawn is not used, because the other user may not be allowed to start this Node.
  const become = `process.setgroups([]); process.setgid(${userId}); process.setuid(${userId})`;
  const asUser = userId === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(become)}`];
  const command = [process.execPath, ...asUser, ...args];
  // Without the trap, exceeding the limit would end the process instead of failing the write.
  const limited = `trap '' XFSZ; ulimit -f ${fileLimit}; exec "$@"`;
  return fileLimit === undefined ? command : ['sh', '-c', limited, 'sh', ...command];
}
