/**
 * Logs output and exits of the program's processes. Nothing is sent: Chromium's crash dumps stay on this machine, in
 * their usual folder.
 */
import path from 'node:path';
import { createInterface } from 'node:readline';
import { app, crashReporter, type WebContents } from 'electron';
import type { DiagnosticLog } from './log-file.ts';

/** Stores crash dumps. Must run before the app is ready, so that crashes during startup are recorded, too. */
export function keepCrashDumps(): void {
  app.setPath('crashDumps', path.join(app.getPath('userData'), 'crash-dumps'));
  crashReporter.start({ uploadToServer: false });
}

/** Writes to standard error without logging. */
const writeError = process.stderr.write.bind(process.stderr);

/** Logs main's standard error from now on, and every process that exits unexpectedly. */
export function recordProgram(log: DiagnosticLog): void {
  const tee = (...args: Parameters<typeof writeError>): boolean => {
    log.write('main', String(args[0]));
    return writeError(...args);
  };
  process.stderr.write = tee as typeof process.stderr.write;
  // Only observes: the handling of the exception does not change.
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

/** Maximum number of logged errors per page, so that a compromised page cannot displace older log entries. */
const mostPageErrors = 200;

/** Logs uncaught errors of a page. */
function recordErrors(log: DiagnosticLog, contents: WebContents): void {
  let count = 0;
  // Up to Electron 34, the event object has no details and the level is a number: 3 = error.
  contents.on('console-message', (...[event, oldLevel, oldMessage]) => {
    const isError = event.level === undefined ? oldLevel === 3 : event.level === 'error';
    if (isError && count++ < mostPageErrors) log.write('window', event.message ?? oldMessage);
  });
}

/** Forwards another process's output and logs it line by line, because a secret may be split between two chunks. */
export function recordStream(log: DiagnosticLog, source: string, stream: NodeJS.ReadableStream): void {
  createInterface({ input: stream }).on('line', (line) => {
    log.write(source, line);
    writeError(`${line}\n`);
  });
}
