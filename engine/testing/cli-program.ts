/**
 * The command line program as people start it: built like the shipped one, run as a process of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build, loadConfigFromFile } from 'vite';

const root = path.resolve(import.meta.dirname, '../..');

export interface CliProgram {
  /** Starts it; `MILLRACE_HOME` is an empty folder unless `env` says otherwise. */
  start(args: readonly string[], options: CliStart): StartedCli;
  /** Deletes the build. */
  remove(): void;
}

export interface CliStart {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
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
    path.join(root, 'vite.node.config.ts'),
  );
  const config = loaded?.config ?? {};
  const input = { 'node/cli': path.join(root, 'engine/cli/main.ts') };
  await build({
    ...config,
    configFile: false,
    root,
    logLevel: 'error',
    build: { ...config.build, outDir, rolldownOptions: { ...config.build?.rolldownOptions, input } },
  });
  const file = path.join(outDir, 'node', 'cli.js');
  return {
    start: (args, options) => startCli([file, ...args], options),
    remove: () => rmSync(outDir, { recursive: true }),
  };
}

function startCli(args: readonly string[], { cwd, env = {} }: CliStart): StartedCli {
  const { INIT_CWD: _, NO_COLOR: __, ...inherited } = process.env;
  const home = path.join(cwd, 'no-home');
  const child = spawn(process.execPath, args, { cwd, env: { ...inherited, MILLRACE_HOME: home, ...env } });
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
