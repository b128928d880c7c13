/**
 * The files open in tabs: their text on screen, the parsed content, and the problems.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { WindowNotices } from '../window/notices.ts';
import { type DocumentCheck, type DocumentKind, uncheckedText, withCheck } from './check.ts';
import { createDocumentChecks } from './document-checks.ts';
import { loadingFile, type OpenFile, withText } from './file.ts';
import type { FileLogs } from './log.ts';
import { isAtOrBelow, kindOfPath, movedPath } from './paths.ts';
import { beginText, createFileReads, type FileTarget } from './read.ts';
import type { DocumentService } from './service.ts';
import { text as words } from './text.ts';
import { createTypedLines, type TypedLines } from './typed-lines.ts';

interface OpenTabs {
  readonly files: ReadonlyMap<string, OpenFile>;
  readonly tabs: readonly string[];
  readonly activePath: string | null;
}

function neighbourOf(tabs: readonly string[], path: string): string | null {
  const index = tabs.indexOf(path);
  return tabs[index + 1] ?? tabs[index - 1] ?? null;
}

/** Removes a tab. If it was active, activates the one to its right, or else to its left. */
function tabsWithout({ files, tabs, activePath }: OpenTabs, path: string): OpenTabs {
  const left = new Map(files);
  left.delete(path);
  return {
    files: left,
    tabs: tabs.filter((tab) => tab !== path),
    activePath: activePath === path ? neighbourOf(tabs, path) : activePath,
  };
}

/** Activates a tab, and adds it if it is not open. */
function tabsWith({ files, tabs }: OpenTabs, path: string, kind: DocumentKind): OpenTabs {
  if (files.has(path)) return { files, tabs, activePath: path };
  return { files: new Map(files).set(path, loadingFile(path, kind)), tabs: [...tabs, path], activePath: path };
}

/** Moves an open tab to another index, from 0. */
function tabsReordered({ tabs }: OpenTabs, path: string, index: number): Pick<OpenTabs, 'tabs'> {
  return { tabs: tabs.includes(path) ? tabs.filter((tab) => tab !== path).toSpliced(index, 0, path) : tabs };
}

/** A renamed file is no longer missing. Another extension may change its kind. */
function renamedFile(file: OpenFile, path: string): OpenFile {
  if (path === file.path) return file;
  const kind = kindOfPath(path);
  const check = kind === file.kind ? {} : { ...uncheckedText, text: file.text };
  return { ...file, ...check, path, kind, isMissing: false, readError: null };
}

interface RenamedTabs extends OpenTabs {
  /** Paths after the rename. */
  readonly moved: readonly string[];
  /** Tabs of files that previously had the new path. Those files no longer exist. */
  readonly replaced: readonly string[];
}

/** Renames the tabs of a file, or of all files below a folder. */
function tabsRenamed(open: OpenTabs, from: string, to: string): RenamedTabs {
  const movable = open.tabs.filter((tab) => isAtOrBelow(tab, from));
  const moved = movable.map((tab) => movedPath(tab, from, to));
  const replaced = moved.filter((tab) => open.files.has(tab) && !movable.includes(tab));
  const { files, tabs, activePath } = replaced.reduce(tabsWithout, open);
  return {
    files: new Map(
      [...files.values()].map((file) => {
        const path = movedPath(file.path, from, to);
        return [path, renamedFile(file, path)];
      }),
    ),
    tabs: tabs.map((tab) => movedPath(tab, from, to)),
    activePath: activePath === null ? null : movedPath(activePath, from, to),
    moved,
    replaced,
  };
}

export interface OpenFiles {
  readonly files: ReadonlyMap<string, OpenFile>;
  /** Paths in the order of their tabs. */
  readonly tabs: readonly string[];
  readonly activePath: string | null;
  /**
   * Opens a tab, or switches to it. The kind defaults to flow. Resolves when the text was loaded and checked, or failed
   * to load. For an agent that is known only by its name, use `AgentActions.open`.
   */
  open(path: string, kind?: DocumentKind): Promise<void>;
  /**
   * Opens a tab with the text of a flow that has no file yet, as an unsaved edit. Saving it fails if a file exists by
   * then. Resolves to false if the file exists or has unsaved text, and then opens it as it is.
   */
  openNew(path: string, text: string): Promise<boolean>;
  /** Closes a tab and activates the one to its right, or else to its left. Unsaved edits stay in the journal. */
  close(path: string): void;
  activate(path: string): void;
  /** Moves a tab to another index, from 0. */
  moveTab(path: string, index: number): void;
  /**
   * Renames a file or folder: open files keep their tab, text and unsaved edits. A tab of a file that previously had
   * the new path is closed.
   */
  rename(from: string, to: string): void;
  /** Reloads the given open files. A folder includes everything below it. */
  reload(paths: readonly string[]): Promise<void>;
  /**
   * Resolves to the file once it is loaded and the check of its current text is known or has failed. Undefined if it is
   * not open.
   */
  checked(path: string): Promise<OpenFile | undefined>;
  /** Changes properties of an open file. */
  patch(
    path: string,
    change: Partial<
      Pick<
        OpenFile,
        | 'conflict'
        | 'diagnostics'
        | 'isMissing'
        | 'openConflicts'
        | 'outside'
        | 'readError'
        | 'restoredFrom'
        | 'schemas'
      >
    >,
  ): void;
  /** Checks an unchanged file again because something else that the check depends on has changed. */
  recheck(path: string): void;
  /** Applies the check of a text of the file. */
  takeCheck(path: string, text: string, check: DocumentCheck): void;
  readonly typedLines: TypedLines;
}

/** The services used to read, check and store open files. */
export interface FileServices {
  readonly engine: EngineClient;
  readonly documents: DocumentService;
  readonly logs: FileLogs;
  readonly notices: StoreApi<WindowNotices>;
}

/** A check of a slightly older text is better than the one before it, but not than that of the current text. */
function withFoundCheck(file: OpenFile, text: string, check: DocumentCheck): OpenFile {
  if (file.text !== text && !file.isCheckStale) return file;
  return { ...file, ...withCheck(text, check, file), text: file.text, isCheckStale: file.text !== text };
}

/** Every keystroke requests a check, so a failure is reported only once. */
function showUnchecked(notices: StoreApi<WindowNotices>, path: string, error: unknown): void {
  const title = words.files.checkFailed({ path });
  const isShown = notices.getState().list.some((notice) => notice.title === title);
  if (!isShown) notices.getState().addError(title, error);
}

/** Keeps the checks of open files up to date with their texts. */
function createFileChecks(
  documents: DocumentService,
  notices: StoreApi<WindowNotices>,
  { fileOf, update }: Pick<FileTarget, 'fileOf' | 'update'>,
) {
  const typedLines = createTypedLines((path, { all, shown }) =>
    update(path, (file) => (file.diagnostics === shown ? { ...file, diagnostics: all } : file)),
  );
  const takeCheck = (path: string, text: string, check: DocumentCheck): void =>
    update(path, (file) => withFoundCheck(file, text, typedLines.calm(path, check, file)));
  const checks = createDocumentChecks(documents, takeCheck, (path, error) => showUnchecked(notices, path, error));
  const checkFile = async (path: string): Promise<OpenFile | undefined> => {
    const file = fileOf(path);
    if (file?.status === 'ready' && file.isCheckStale) await checks.request(file);
    return fileOf(path);
  };
  const recheck = (path: string): void => {
    update(path, (file) => (file.isCheckStale ? file : { ...file, isCheckStale: true }));
    void checkFile(path);
  };
  return { typedLines, takeCheck, checkFile, recheck };
}

export function createOpenFiles({ engine, documents, logs, notices }: FileServices): StoreApi<OpenFiles> {
  return createStore<OpenFiles>()((set, get) => {
    const fileOf = (path: string): OpenFile | undefined => get().files.get(path);
    const update = (path: string, change: (file: OpenFile) => OpenFile): void => {
      const file = fileOf(path);
      const next = file === undefined ? undefined : change(file);
      if (next !== undefined && next !== file) set({ files: new Map(get().files).set(path, next) });
    };
    const { typedLines, takeCheck, checkFile, recheck } = createFileChecks(documents, notices, { fileOf, update });
    const showLoss = (detail: string): void =>
      notices.getState().add({ tone: 'info', title: words.files.journalLost, detail });
    const reads = createFileReads(engine, logs, { fileOf, update, showLoss });
    const read = (path: string): Promise<unknown> => reads.read(path).then(() => checkFile(path));
    logs.subscribe(({ path, log, check }) => {
      update(path, (file) =>
        file.status === 'ready' ? withText(file, log, check && typedLines.calm(path, check, file)) : file,
      );
      void checkFile(path);
    });

    const release = (path: string): void => {
      reads.forget(path);
      logs.close(path);
    };

    return {
      files: new Map(),
      tabs: [],
      activePath: null,
      async open(path, kind = 'flow') {
        const isOpen = get().files.has(path);
        set(tabsWith(get(), path, kind));
        if (!isOpen) await read(path);
      },
      openNew: (path, text) => beginText({ ...get(), logs, fileOf, update }, path, text),
      close(path) {
        release(path);
        set(tabsWithout(get(), path));
      },
      activate: (path) => set(({ files, activePath }) => ({ activePath: files.has(path) ? path : activePath })),
      moveTab: (path, index) => set(tabsReordered(get(), path, index)),
      rename(from, to) {
        const { moved, replaced, ...open } = tabsRenamed(get(), from, to);
        for (const path of replaced) release(path);
        logs.rename(from, to);
        set(open);
        void get().reload(moved);
      },
      async reload(paths) {
        const open = [...get().files.keys()];
        await Promise.all(open.filter((file) => paths.some((path) => isAtOrBelow(file, path))).map(read));
      },
      checked: (path) => reads.done(path).then(() => checkFile(path)),
      patch: (path, change) => update(path, (file) => ({ ...file, ...change })),
      recheck,
      takeCheck,
      typedLines,
    };
  });
}
