/**
 * Loads files into the list of open ones, and reconciles the content of the disk with the text on screen.
 */

import { type EditLog, newEditLog } from '../../../electron/ipc/edit-log.ts';
import { applyEdits, editBetween } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { DocumentKind } from './check.ts';
import { type FileConflict, isGone, isUnfound, type OpenFile, withReadError, withText } from './file.ts';
import type { FileLogs } from './log.ts';
import { text as words } from './text.ts';

interface ReadText {
  readonly text: string;
  /** Why the text is read-only, or null if it is not. */
  readonly readOnlyReason: string | null;
}

/** The text of a file after it was loaded, and what others have changed in it. */
interface ReadChanges extends Pick<OpenFile, 'conflict' | 'outside'> {
  readonly log: EditLog;
}

/** The state of a file after it was loaded. */
interface ReadState extends ReadChanges, Pick<OpenFile, 'readOnlyReason' | 'restoredFrom' | 'isMissing'> {}

interface FileReads {
  /** Loads or reloads an open file. Errors are stored in the file. */
  read(path: string): Promise<void>;
  /** Resolves when no load of that file is pending. */
  done(path: string): Promise<void>;
  /** Ignores the results of pending loads. */
  forget(path: string): void;
}

/** Access to the list of open files for loading and checking. */
export interface FileTarget {
  fileOf(path: string): OpenFile | undefined;
  update(path: string, change: (file: OpenFile) => OpenFile): void;
  /** Reports the parts of a journal that could not be read, in a sentence. */
  showLoss(detail: string): void;
}

async function readText(engine: EngineClient, path: string, kind: DocumentKind): Promise<ReadText> {
  switch (kind) {
    case 'agent': {
      const { text, isWritable, path: inner } = await engine.call('readAgent', path);
      return { text, readOnlyReason: isWritable && inner !== null ? null : words.files.agentOutside };
    }
    case 'flow': {
      const { text, loss } = await engine.call('readFlow', path);
      return { text, readOnlyReason: loss ?? null };
    }
    case 'dialogue':
    case 'file': {
      const { text, isWritable } = await engine.call('readFile', path);
      return { text, readOnlyReason: isWritable ? null : words.files.noPermission };
    }
  }
}

/** Returns the conflict if the file contains another text than its log expects. */
export function conflictOf(log: EditLog, diskText: string | null): FileConflict | null {
  const isUnsaved = log.text !== log.savedText;
  return diskText === log.savedText || diskText === log.text || !isUnsaved
    ? null
    : { diskText, baseText: log.savedText };
}

/** Maximum number of recent edits to examine. */
const mostOwnEdits = 200;

/**
 * Returns whether the disk contains the text of a few edits ago: a save that was not confirmed because the engine
 * ended. Such a text contains no changes by others.
 */
function wasOnScreen({ text, entries, applied }: EditLog, diskText: string): boolean {
  const latest = entries.slice(0, applied).flatMap(({ parts }) => parts);
  let former = text;
  for (const { inverse } of latest.slice(-mostOwnEdits).reverse()) {
    former = applyEdits(former, inverse);
    if (former === diskText) return true;
  }
  return false;
}

/** Applies changes by others as an edit that can be undone, unless it would destroy unsaved edits. */
function takeOverDisk(logs: FileLogs, path: string, diskText: string): FileConflict | null {
  const log = logs.logOf(path);
  if (log === undefined || diskText === log.savedText) return null;
  const conflict = conflictOf(log, diskText);
  const isOwn = conflict !== null && wasOnScreen(log, diskText);
  if (conflict !== null && !isOwn) return conflict;
  logs.take(path, { do: 'disk', text: diskText }, 'elsewhere');
  if (isOwn) return null;
  const edit = editBetween(log.text, diskText);
  const label = words.edits.outside;
  if (edit !== null) logs.take(path, { do: 'edit', label, at: Date.now(), edits: [edit] }, 'elsewhere');
  return null;
}

/**
 * Loads a text that others may have changed. Their changes include earlier ones, unless the text was edited after those.
 */
function takenOver(logs: FileLogs, { path, outside }: OpenFile, diskText: string): ReadChanges {
  const before = logs.logOf(path)?.text ?? diskText;
  const conflict = takeOverDisk(logs, path, diskText);
  const log = logs.logOf(path) ?? newEditLog(diskText);
  if (log.text === before) return { log, conflict, outside };
  const first = outside?.after === before ? outside.before : before;
  return { log, conflict, outside: { before: first, after: log.text } };
}

/** Updates a loaded file. Unchanged parts keep their objects, so nothing is drawn again. */
function withRead(
  file: OpenFile,
  { log, readOnlyReason, conflict, outside, restoredFrom, isMissing }: ReadState,
): OpenFile {
  const isSame =
    file.status === 'ready' &&
    file.text === log.text &&
    file.readError === null &&
    file.isMissing === isMissing &&
    file.conflict?.diskText === conflict?.diskText &&
    file.outside === outside &&
    file.readOnlyReason === readOnlyReason;
  if (isSame) return file;
  const state = {
    status: 'ready',
    readError: null,
    isMissing,
    readOnlyReason,
    conflict,
    outside,
    restoredFrom,
  } as const;
  return { ...withText(file, log), ...state };
}

interface TextBeginning extends Pick<FileTarget, 'fileOf' | 'update'> {
  readonly logs: FileLogs;
  open(path: string): Promise<void>;
  checked(path: string): Promise<unknown>;
}

/** Opens a file that does not exist with a text, as an edit that is not saved. Resolves to whether it could. */
export async function beginText(target: TextBeginning, path: string, text: string): Promise<boolean> {
  const { logs, fileOf, update, open, checked } = target;
  await open(path);
  await checked(path);
  const file = fileOf(path);
  if (file === undefined || !isUnfound(file)) return false;
  await logs.open(path, '', true);
  const edits = [{ start: 0, end: 0, text }];
  if (logs.logOf(path)?.text === '') logs.take(path, { do: 'edit', label: words.edits.begin, at: Date.now(), edits });
  const log = logs.logOf(path) ?? newEditLog('');
  const state = { log, readOnlyReason: null, conflict: null, outside: null, restoredFrom: null, isMissing: true };
  update(path, (current) => withRead(current, state));
  await checked(path);
  return true;
}

export function createFileReads(engine: EngineClient, logs: FileLogs, target: FileTarget): FileReads {
  /** The newest load of each path. An older response that arrives later is dropped. */
  const latest = new Map<string, symbol>();
  /** The newest pending load of each path. */
  const underWay = new Map<string, Promise<void>>();

  const openLog = async ({ path, kind }: OpenFile) => {
    try {
      const { text, readOnlyReason } = await readText(engine, path, kind);
      return { text, readOnlyReason, opened: await logs.open(path, text, readOnlyReason === null) };
    } catch (error) {
      const opened = isGone(error) ? await logs.openGone(path) : null;
      if (opened === null) throw error;
      return { text: null, readOnlyReason: null, opened };
    }
  };

  /**
   * Loads a file for the first time, with the edits in the journal. Throws the error of the engine, unless the file is
   * gone and the journal contains text that was never saved.
   */
  const readFirst = async (file: OpenFile): Promise<ReadState> => {
    const { text, readOnlyReason, opened } = await openLog(file);
    const { log, isConflict, notice } = opened;
    if (notice !== undefined) target.showLoss(notice);
    const isRestored = log.text !== log.savedText;
    const restoredFrom = isRestored ? (log.entries[log.applied - 1]?.at ?? null) : null;
    const conflict = isConflict && text !== null ? { diskText: text, baseText: null } : null;
    return { log, readOnlyReason, conflict, outside: null, restoredFrom, isMissing: text === null };
  };

  /** Reloads a file that others may have changed. Null if a later load has started meanwhile. */
  const readAgain = async (file: OpenFile, isLatest: () => boolean): Promise<ReadState | null> => {
    const { path, kind, restoredFrom } = file;
    for (;;) {
      const savedText = logs.logOf(path)?.savedText;
      const { text, readOnlyReason } = await readText(engine, path, kind);
      if (!isLatest()) return null;
      // The file was saved while it was read, so the text may be the previous one.
      if (logs.logOf(path)?.savedText !== savedText) continue;
      return { ...takenOver(logs, file, text), readOnlyReason, restoredFrom, isMissing: false };
    }
  };

  const outcome = async (file: OpenFile, isLatest: () => boolean): Promise<(current: OpenFile) => OpenFile> => {
    try {
      const state = await (file.status === 'ready' ? readAgain(file, isLatest) : readFirst(file));
      return (current) => (state === null ? current : withRead(current, state));
    } catch (error) {
      return (current) => withReadError(current, error);
    }
  };

  const readNow = async (path: string): Promise<void> => {
    const file = target.fileOf(path);
    if (file === undefined) return;
    const thisRead = Symbol(path);
    latest.set(path, thisRead);
    const isLatest = (): boolean => latest.get(path) === thisRead;
    const change = await outcome(file, isLatest);
    if (isLatest()) target.update(path, change);
    else if (target.fileOf(path) === undefined) logs.close(path);
  };

  return {
    read(path) {
      const reading = readNow(path).finally(() => {
        if (underWay.get(path) === reading) underWay.delete(path);
      });
      underWay.set(path, reading);
      return reading;
    },
    async done(path) {
      // Another load may replace this one meanwhile. The response of this one is then dropped.
      for (let reading = underWay.get(path); reading !== undefined; reading = underWay.get(path)) await reading;
    },
    forget: (path) => latest.delete(path),
  };
}
