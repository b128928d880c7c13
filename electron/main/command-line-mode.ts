/**
 * The program as a command line: `--cli -- ARGUMENTS` opens no window, runs the command in a utility process and ends with
 * its exit code. The script `bin/millrace` of the packed program starts it so.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { app, utilityProcess } from 'electron';
import { builtInPacks, cliHostFile } from './program-paths.ts';

const flag = '--cli';
const relayed = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The arguments of the command line; undefined when the program is to open a window.
 * @param argv all arguments of the process. What stands behind `--` Chromium takes for no switch of its own
 */
export function commandLineArguments(argv: readonly string[]): readonly string[] | undefined {
  const end = argv.indexOf('--');
  return end > 0 && argv[end - 1] === flag ? argv.slice(end + 1) : undefined;
}

/** Before the app is ready: what Chromium writes goes elsewhere than to the folder that a program with windows holds. */
export function takeOwnProfile(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-cli-'));
  app.setPath('userData', folder);
  // Chromium may still be writing to it.
  app.on('quit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }));
}

/** Runs a command and ends the program with its exit code. Only when the app is ready. */
export function runCommandLine(args: readonly string[]): void {
  const child = utilityProcess.fork(cliHostFile, [builtInPacks(), ...args], {
    serviceName: 'Millrace Command Line',
    stdio: 'inherit',
  });
  for (const signal of relayed) process.on(signal, () => relay(child.pid, signal));
  child.once('exit', (code) => app.exit(code));
}

/** A terminal signals all processes of a command; who kills the program alone means the command. */
function relay(pid: number | undefined, signal: (typeof relayed)[number]): void {
  if (pid === undefined) app.exit(128 + constants.signals[signal]);
  else process.kill(pid, signal);
}
