/**
 * Writes to the log what the processes of the program say and how they end. Nothing of it leaves the machine: crash dumps
 * of Chromium are kept where the others are, and none is sent.
 */
import path from 'node:path';
import { createInterface } from 'node:readline';
import { app, crashReporter, type WebContents } from 'electron';
import type { Log } from './log-file.ts';

/** Before the app is ready, so that processes that end at their start leave something, too. */
export function keepCrashDumps(): void {
  app.setPath('crashDumps', path.join(app.getPath('userData'), 'crash-dumps'));
  crashReporter.start({ uploadToServer: false });
}

/** Past the log. */
const writeError = process.stderr.write.bind(process.stderr);

/** Writes down what main says on its error stream from now on, and each process that ends by itself. */
export function recordProgram(log: Log): void {
  const tee = (...args: Parameters<typeof writeError>): boolean => {
    log.write('main', String(args[0]));
    return writeError(...args);
  };
  process.stderr.write = tee as typeof process.stderr.write;
  // Looks on: what happens to the program stays as it is.
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.write('main', `${origin}: ${text}`);
    log.keepCrash('main', text);
  });
  app.on('render-process-gone', (_event, _contents, { reason, exitCode }) => {
    if (reason !== 'clean-exit') log.write('window', `ended by itself: ${reason}, exit code ${exitCode}`);
  });
  app.on('web-contents-created', (_event, contents) => recordErrors(log, contents));
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    if (reason !== 'clean-exit') log.write('main', `${name ?? type} ended by itself: ${reason}, exit code ${exitCode}`);
  });
}

/** Of each page; one that was taken over must not be able to push out what stands in the log. */
const mostPageErrors = 200;

/** Writes down what a page has not caught. */
function recordErrors(log: Log, contents: WebContents): void {
  let count = 0;
  // Up to Electron 34 the event says nothing itself, and the level is a number: 3 = error.
  contents.on('console-message', (...[event, oldLevel, oldMessage]) => {
    const isError = event.level === undefined ? oldLevel === 3 : event.level === 'error';
    if (isError && count++ < mostPageErrors) log.write('window', event.message ?? oldMessage);
  });
}

/** Passes on what another process says, and writes it down line by line: a secret may be cut between two pieces. */
export function recordStream(log: Log, source: string, stream: NodeJS.ReadableStream): void {
  createInterface({ input: stream }).on('line', (line) => {
    log.write(source, line);
    writeError(`${line}\n`);
  });
}
