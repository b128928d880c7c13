/**
 * The command line program as people start it: built like the shipped one, run as a process of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, loadConfigFromFile } from 'vite';

const root = path.resolve(import.meta.dirname, '../..');

export interface CliProgram {
  /** Starts it; `MILLRACE_HOME` is an empty folder unless `env` says otherwise. */
  start(args: readonly string[], options: CliStart): StartedCli;
  /** Copies it to where every user of this machine may read it. Removing either leaves the other. */
  copyForAll(): CliProgram;
  /** Deletes the build. */
  remove(): void;
}

export interface CliStart {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another user to run as, which only root may; the program must be one `copyForAll`. */
  readonly userId?: number;
  /** The largest file that it may write, in blocks of the shell (512 or 1024 bytes). */
  readonly fileLimit?: number;
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartedCli {
  readonly child: ChildProcess;
  readonly result: Promise<CliResult>;
  /** Resolves when stdout holds the text; rejects when the program ends without. */
  whenPrinted(text: string): Promise<void>;
}

/** Builds the program into a folder of its own, with the settings of the shipped one. */
export async function buildCli(): Promise<CliProgram> {
  // Inside the repository, because what is not bundled is found from there.
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const outDir = mkdtempSync(path.join(root, '.cache', 'cli-'));
  const loaded = await loadConfigFromFile(
    { command: 'build', mode: 'production' },
    path.join(root, 'vite.cli.config.ts'),
  );
  const config = loaded?.config ?? {};
  await build({
    ...config,
    configFile: false,
    root,
    logLevel: 'error',
    build: { ...config.build, outDir },
  });
  return programIn(outDir);
}

function programIn(folder: string): CliProgram {
  const file = path.join(folder, 'cli.cjs');
  return {
    start: (args, options) => startCli([file, ...args], options),
    copyForAll: () => programIn(copyForAll(folder)),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** What the bundle leaves outside, with what that needs. */
const outsidePackages = ['@photostructure/sqlite', 'node-gyp-build'];

function copyForAll(folder: string): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'millrace-program-'));
  cpSync(folder, copy, { recursive: true });
  for (const name of outsidePackages) {
    const filter = (source: string): boolean => path.basename(source) !== 'src';
    cpSync(path.join(root, 'node_modules', name), path.join(copy, 'node_modules', name), { recursive: true, filter });
  }
  chmodSync(copy, 0o755);
  return copy;
}

function startCli(args: readonly string[], options: CliStart): StartedCli {
  const { INIT_CWD: _, NO_COLOR: __, ...inherited } = process.env;
  const { cwd, env = {} } = options;
  const home = path.join(cwd, 'no-home');
  const [command = '', ...commandArgs] = commandLine(args, options);
  const child = spawn(command, commandArgs, { cwd, env: { ...inherited, MILLRACE_HOME: home, ...env } });
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
  // Not spawn's own option: the other user may not be allowed to start this Node.
  const become = `process.setgroups([]); process.setgid(${userId}); process.setuid(${userId})`;
  const asUser = userId === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(become)}`];
  const command = [process.execPath, ...asUser, ...args];
  // Without the trap, writing beyond the limit would end the process instead of failing.
  const limited = `trap '' XFSZ; ulimit -f ${fileLimit}; exec "$@"`;
  return fileLimit === undefined ? command : ['sh', '-c', limited, 'sh', ...command];
}
