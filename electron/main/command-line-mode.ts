/**
 * Runs the program as a command line: `--cli -- ARGUMENTS` opens no window, runs the command in a utility process and
 * exits with its exit code. The script `bin/millrace` of the packaged program uses this.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { app, type UtilityProcess, utilityProcess } from 'electron';
import { builtInPacks, cliHostFile } from './program-paths.ts';

const flag = '--cli';
const relayed = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Returns the arguments of the command line; undefined if the program should open a window.
 * @param argv all arguments of the process. Chromium does not interpret those after `--` as switches
 */
export function commandLineArguments(argv: readonly string[]): readonly string[] | undefined {
  const end = argv.indexOf('--');
  return end > 0 && argv[end - 1] === flag ? argv.slice(end + 1) : undefined;
}

/** Moves Chromium's data out of the folder that a program with windows locks. Must run before the app is ready. */
export function takeOwnProfile(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-cli-'));
  app.setPath('userData', folder);
  // Chromium may still be writing to the folder.
  app.on('quit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }));
}

/** Runs a command and exits with its exit code. Must run after the app is ready. */
export function runCommandLine(args: readonly string[]): void {
  const child = utilityProcess.fork(cliHostFile, ['command', builtInPacks(), app.getPath('userData'), ...args], {
    serviceName: 'Millrace Command Line',
    stdio: 'inherit',
  });
  forwardStdin(child);
  for (const signal of relayed) process.on(signal, () => relay(child.pid, signal));
  child.once('exit', (code) => app.exit(code));
}

/**
 * Sends the next piece of stdin for each message of the command, and null at the end: a utility process has no stdin of
 * its own. Nothing is read before the command asks for it, because reading a terminal stops a process in the background.
 */
function forwardStdin(child: UtilityProcess): void {
  child.once('message', () => {
    const end = (): void => child.postMessage(null);
    process.stdin.on('data', (piece: Uint8Array) => {
      process.stdin.pause();
      child.postMessage(piece);
    });
    process.stdin.once('end', end).once('error', end);
  });
  child.on('message', () => process.stdin.resume());
}

/**
 * Forwards a signal to the command. A terminal signals all processes of a command, but other senders may signal only
 * this one.
 */
function relay(pid: number | undefined, signal: (typeof relayed)[number]): void {
  if (pid === undefined) app.exit(128 + constants.signals[signal]);
  else process.kill(pid, signal);
}
