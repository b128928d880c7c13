/**
 * The user's actions on workspace files. Failures are shown as notices.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { MainClient } from '../../bridge/main-client.ts';
import type { OpenFiles } from '../text/files.ts';
import { folderOf, isAtOrBelow, movedPath } from '../text/paths.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { FileTree } from './file-tree.ts';
import { text } from './text.ts';

export interface FileActions {
  /** Creates an empty file or a folder. Resolves to whether it was created. */
  create(path: string, kind: 'file' | 'folder'): Promise<boolean>;
  /** Renames or moves a file or folder. Open files stay open, with their unsaved edits. */
  rename(from: string, to: string): Promise<boolean>;
  /** Copies it in the same folder. Resolves to the copy's path, or null on failure. */
  duplicate(path: string): Promise<string | null>;
  /** Moves it to the system trash, closes its open files and discards their unsaved edits. */
  trash(path: string): Promise<boolean>;
  /** Returns open files with unsaved text at a path or below it. */
  unsavedBelow(path: string): readonly string[];
}

interface FileActionServices {
  readonly engine: EngineClient;
  readonly main: MainClient;
  readonly notices: StoreApi<WindowNotices>;
}

/** Returns an open file with unsaved text that would be replaced by a renamed one, or null. */
function unsavedReplacement({ files, tabs }: OpenFiles, from: string, to: string): string | null {
  const next = tabs.filter((tab) => isAtOrBelow(tab, from)).map((tab) => movedPath(tab, from, to));
  return next.find((path) => files.get(path)?.isDirty === true) ?? null;
}

async function moveDrafts({ main, notices }: FileActionServices, from: string, to: string): Promise<void> {
  const moved = await main.call('draft.move', { from, to });
  for (const detail of moved.notices)
    notices.getState().add({ tone: 'info', title: text.files.draftsPutAside, detail });
}

/** @param onRenamed moves the state that is stored by path */
export function createFileActions(
  services: FileActionServices,
  openFiles: StoreApi<OpenFiles>,
  fileTree: StoreApi<FileTree>,
  onRenamed: (from: string, to: string) => void,
): FileActions {
  const { engine, main, notices } = services;
  const attempt = async <Result>(title: string, act: () => Promise<Result>): Promise<Result | null> => {
    try {
      return await act();
    } catch (error) {
      notices.getState().addError(title, error);
      return null;
    }
  };
  /** The engine also reports the change, a moment later. */
  const relist = (...paths: string[]): Promise<void> => fileTree.getState().refresh(paths);

  const isTaken = (from: string, to: string): boolean => {
    const taken = unsavedReplacement(openFiles.getState(), from, to);
    if (taken === null) return false;
    const title = text.files.renameFailed({ path: from });
    const detail = text.files.unsavedTarget({ path: taken });
    notices.getState().add({ tone: 'error', title, detail });
    return true;
  };

  return {
    unsavedBelow: (path) =>
      [...openFiles.getState().files.values()]
        .filter((file) => file.isDirty && isAtOrBelow(file.path, path))
        .map((file) => file.path),
    async create(path, kind) {
      const made = await attempt(text.files.createFailed({ path }), () => engine.call('createFile', { path, kind }));
      if (made === null) return false;
      fileTree.getState().reveal(path);
      await relist(path);
      return true;
    },
    async rename(from, to) {
      if (from === to || isTaken(from, to)) return false;
      const done = await attempt(text.files.renameFailed({ path: from }), () =>
        engine.call('renameFile', { from, to }),
      );
      if (done === null) return false;
      void attempt(text.files.moveDraftsFailed, () => moveDrafts(services, from, to));
      onRenamed(from, to);
      fileTree.getState().reveal(to);
      await relist(from, to);
      return true;
    },
    async duplicate(path) {
      const copy = await attempt(text.files.copyFailed({ path }), () => engine.call('duplicateFile', path));
      if (copy === null) return null;
      await relist(folderOf(copy.path) === '' ? copy.path : folderOf(copy.path));
      return copy.path;
    },
    async trash(path) {
      const done = await attempt(text.files.trashFailed({ path }), () => engine.call('trashFile', path));
      if (done === null) return false;
      const { tabs, close } = openFiles.getState();
      for (const tab of tabs) if (isAtOrBelow(tab, path)) close(tab);
      void attempt(text.files.forgetDraftFailed, () => main.call('draft.forget', { path }));
      await relist(path);
      return true;
    },
  };
}
