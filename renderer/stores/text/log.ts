/**
 * The edit logs of all open files, and the origin of each change.
 */

import { type EditLog, type EditStep, newEditLog, takeStep } from '../../../electron/ipc/edit-log.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { DocumentCheck } from './check.ts';
import { type EditParts, FileLog } from './file-log.ts';
import { isAtOrBelow, movedPath } from './paths.ts';

/** Origin of a change: the user in the text editor, which already shows it; another part of this window; or others. */
export type EditOrigin = 'typed' | 'here' | 'elsewhere';

interface LogChange {
  readonly path: string;
  readonly log: EditLog;
  readonly parts: EditParts;
  readonly origin: EditOrigin;
  /** Check of the resulting text, if it was checked before the change was made. */
  readonly check?: DocumentCheck | undefined;
}

interface OpenedLog {
  readonly log: EditLog;
  /** Whether others have changed the file since its unsaved edits were made. */
  readonly isConflict: boolean;
  /** Describes the parts of the journal that could not be read, in a sentence. */
  readonly notice?: string | undefined;
}

export interface FileLogs {
  /**
   * Starts to track a file. If a journal exists, the log contains its edits. If main cannot store edits, the file can
   * be edited anyway, and `onTrouble` is called. A tracked file keeps its log.
   * @param isKept whether main stores its edits at all
   */
  open(path: string, diskText: string, isKept: boolean): Promise<OpenedLog>;
  /** Starts to track a deleted file. Null if no unsaved edits are stored. */
  openGone(path: string): Promise<OpenedLog | null>;
  close(path: string): void;
  /** Tracks the files at `from`, or below it, under their new paths. Main already knows them. */
  rename(from: string, to: string): void;
  logOf(path: string): EditLog | undefined;
  /** Applies a step to an open file. @throws RangeError for edits that do not fit its text */
  take(path: string, step: EditStep, origin?: EditOrigin, check?: DocumentCheck): void;
  subscribe(listener: (change: LogChange) => void): () => void;
  /** Stops receiving updates from main. */
  end(): void;
}

/** @param diskText null if the file was deleted */
async function readJournal(main: MainClient, path: string, diskText: string | null): Promise<OpenedLog> {
  const { baseText, steps, version, notice } = await main.call('draft.open', { path, diskText });
  const log = { ...steps.reduce(takeStep, newEditLog(baseText)), version };
  return { log, isConflict: steps.at(-1)?.do === 'disk' && log.text !== log.savedText, notice };
}

/** Reports files with unsaved text that main could not store. Main asks about them before the window closes. */
function createUnkeptReport(main: MainClient, logs: ReadonlyMap<string, FileLog>): () => void {
  let reported = '';
  return () => {
    const paths = [...logs.values()].filter(({ isUnkept }) => isUnkept).map(({ path }) => path);
    if (paths.join('\n') === reported) return;
    reported = paths.join('\n');
    main.call('draft.unkept', { paths }).catch(() => undefined);
  };
}

async function closeInMain(main: MainClient, fileLog: FileLog): Promise<void> {
  const { path } = fileLog;
  await fileLog.whenSent();
  // If this fails, main closes the file when the window closes.
  await main.call('draft.close', { path }).catch(() => undefined);
}

export function createFileLogs(main: MainClient, onTrouble: (error: unknown) => void): FileLogs {
  const logs = new Map<string, FileLog>();
  const listeners = new Set<(change: LogChange) => void>();
  /** Files that are being closed in main. */
  const closing = new Map<string, Promise<unknown>>();
  const notify = (change: LogChange): void => {
    for (const listener of listeners) listener(change);
  };
  const follow = (path: string, opened: OpenedLog, isKept: boolean): OpenedLog => {
    const known = logs.get(path);
    if (known !== undefined) return { ...opened, log: known.log };
    const fileLog = new FileLog(path, opened.log, isKept ? main : null, {
      onForeign: (log, parts) => notify({ path: fileLog.path, log, parts, origin: 'elsewhere' }),
      onTrouble,
    });
    logs.set(path, fileLog);
    return opened;
  };

  const reportUnkept = createUnkeptReport(main, logs);

  return {
    async open(path, diskText, isKept) {
      await closing.get(path);
      const reading = isKept
        ? readJournal(main, path, diskText).catch((error: unknown) => void onTrouble(error))
        : undefined;
      const journaled = await reading;
      return follow(path, journaled ?? { log: newEditLog(diskText), isConflict: false }, journaled !== undefined);
    },
    async openGone(path) {
      await closing.get(path);
      const journaled = await readJournal(main, path, null).catch(() => null);
      return journaled === null ? null : follow(path, journaled, true);
    },
    close(path) {
      const fileLog = logs.get(path);
      if (fileLog === undefined) return;
      logs.delete(path);
      reportUnkept();
      const done = closeInMain(main, fileLog);
      closing.set(path, done);
      void done.then(() => closing.get(path) === done && closing.delete(path));
    },
    rename(from, to) {
      for (const fileLog of [...logs.values()].filter(({ path }) => isAtOrBelow(path, from))) {
        logs.delete(fileLog.path);
        fileLog.path = movedPath(fileLog.path, from, to);
        logs.set(fileLog.path, fileLog);
      }
    },
    logOf: (path) => logs.get(path)?.log,
    take(path, step, origin = 'here', check) {
      const fileLog = logs.get(path);
      if (fileLog === undefined) return;
      const parts = fileLog.take(step);
      notify({ path, log: fileLog.log, parts, origin, check });
      void fileLog.whenSent().then(reportUnkept);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    end: main.onPush({ 'draft.stepped': ({ path, ...foreign }) => logs.get(path)?.receive(foreign) }),
  };
}
