/**
 * Writes open files to the disk.
 */
import type { StoreApi } from 'zustand/vanilla';
import { EngineError } from '../../../engine/isomorphic.ts';
import type { FileServices, OpenFiles } from './files.ts';
import { conflictOf } from './read.ts';
import { text as words } from './text.ts';

export interface FileSaves {
  /**
   * Writes the file. Failures are shown as notices, and changes by others as the file's conflict. Resolves to whether
   * it is saved.
   */
  save(path: string): Promise<boolean>;
  /** Saves all files with unsaved edits. Resolves to whether all are saved. */
  saveAll(): Promise<boolean>;
  /** Resolves when all changes and saves requested so far are done or have failed. */
  whenSettled(path: string): Promise<void>;
}

/**
 * Returns the content of a file that the engine did not overwrite. Null if it does not exist, undefined if the error
 * does not contain it.
 */
function diskTextOf(details: unknown): string | null | undefined {
  if (typeof details !== 'object' || details === null || !('text' in details)) return undefined;
  return typeof details.text === 'string' ? details.text : null;
}

/** @param whenChanged resolves when the requested changes are in the text */
export function createFileSaves(
  services: FileServices,
  openFiles: StoreApi<OpenFiles>,
  mayEdit: (path: string) => boolean,
  whenChanged: (path: string) => Promise<void>,
): FileSaves {
  const { engine, logs, notices } = services;
  const markSaved = (path: string, text: string): void => {
    const log = logs.logOf(path);
    logs.take(path, log?.text === text ? { do: 'saved' } : { do: 'saved', text });
    openFiles.getState().patch(path, { conflict: null, isMissing: false, readError: null, restoredFrom: null });
  };

  const saveFailed = (path: string, error: unknown): void => {
    const diskText = EngineError.is(error) && error.code === 'files.changed' ? diskTextOf(error.details) : undefined;
    const log = logs.logOf(path);
    const conflict = log === undefined || diskText === undefined ? null : conflictOf(log, diskText);
    if (conflict === null) notices.getState().addError(words.files.saveFailed({ path }), error);
    else openFiles.getState().patch(path, { conflict });
  };

  /** The last pending save of each file. */
  const queues = new Map<string, Promise<unknown>>();

  const saveNow = async (path: string): Promise<boolean> => {
    await whenChanged(path);
    const file = openFiles.getState().files.get(path);
    const log = logs.logOf(path);
    if (file?.status !== 'ready' || log === undefined) return false;
    if (!file.isDirty && !file.isMissing) return true;
    if (file.openConflicts > 0) {
      const { unresolved, unresolvedHelp } = words.files;
      notices
        .getState()
        .add({ tone: 'info', title: unresolved({ path, count: file.openConflicts }), detail: unresolvedHelp });
      return false;
    }
    if (!mayEdit(path) || file.conflict !== null) return false;
    const { text, savedText } = log;
    try {
      await engine.call('writeFile', { path, text, expected: file.isMissing ? null : savedText });
      markSaved(path, text);
      return true;
    } catch (error) {
      saveFailed(path, error);
      return false;
    }
  };

  /** Saves are serialized: the second one starts from what the first one has written. */
  const save = (path: string): Promise<boolean> => {
    const saved = (queues.get(path) ?? Promise.resolve()).then(() => saveNow(path));
    queues.set(path, saved);
    return saved;
  };

  return {
    save,
    async saveAll() {
      const dirty = [...openFiles.getState().files.values()].filter(({ isDirty }) => isDirty);
      const saved = await Promise.all(dirty.map(({ path }) => save(path)));
      return saved.every(Boolean);
    },
    async whenSettled(path) {
      await whenChanged(path);
      await queues.get(path);
    },
  };
}
