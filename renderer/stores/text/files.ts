/**
 * The files that are open, in tabs: their text as it is on screen, what it means, and what is wrong with it.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { Notices } from '../window/notices.ts';
import { type DocumentCheck, type DocumentKind, uncheckedText, withCheck } from './check.ts';
import { loadingFile, type OpenFile, withText } from './file.ts';
import type { FileLogs } from './log.ts';
import { isAtOrBelow, kindOfPath, movedPath } from './paths.ts';
import { createFileReads, type FileTarget } from './read.ts';
import { createDocumentChecks, type DocumentService } from './service.ts';
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

/** Without a tab; the one to its right, else to its left, comes to the front in its place. */
function tabsWithout({ files, tabs, activePath }: OpenTabs, path: string): OpenTabs {
  const left = new Map(files);
  left.delete(path);
  return {
    files: left,
    tabs: tabs.filter((tab) => tab !== path),
    activePath: activePath === path ? neighbourOf(tabs, path) : activePath,
  };
}

/** With an open tab at another place, counted from 0. */
function tabsReordered({ tabs }: OpenTabs, path: string, index: number): Pick<OpenTabs, 'tabs'> {
  return { tabs: tabs.filter((tab) => tab !== path).toSpliced(index, 0, path) };
}

/** A file that is not where it was is not missing either; another ending may make it another kind of file. */
function renamedFile(file: OpenFile, path: string): OpenFile {
  if (path === file.path) return file;
  const kind = kindOfPath(path);
  const check = kind === file.kind ? {} : { ...uncheckedText, text: file.text };
  return { ...file, ...check, path, kind, isMissing: false, readError: null };
}

interface RenamedTabs extends OpenTabs {
  /** By their new names. */
  readonly moved: readonly string[];
  /** Tabs of files that were called so before: there is no such file any more. */
  readonly replaced: readonly string[];
}

/** With the new names of a file, or of all below a folder. */
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
   * Opens a tab, or comes back to it; of a flow unless said otherwise. Resolves when the text was read and checked, or
   * refused. For an agent that is known by its name only there is `AgentActions.open`.
   */
  open(path: string, kind?: DocumentKind): Promise<void>;
  /** Closes a tab; the one to its right, else to its left, becomes active. Unsaved edits stay in the journal. */
  close(path: string): void;
  activate(path: string): void;
  /** Puts a tab at another place, counted from 0. */
  moveTab(path: string, index: number): void;
  /**
   * A file or folder has another name: what is open of it keeps its tab, its text and what is unsaved in it. A tab of a
   * file that was called so before gives way.
   */
  rename(from: string, to: string): void;
  /** Reads open files again, of those named; a folder stands for all below it. */
  reload(paths: readonly string[]): Promise<void>;
  /** The file once it is read and the check of its present text is known, or has failed; undefined when it is not open. */
  checked(path: string): Promise<OpenFile | undefined>;
  /** Changes what is known of an open file. */
  patch(
    path: string,
    change: Partial<
      Pick<OpenFile, 'conflict' | 'diagnostics' | 'isMissing' | 'readError' | 'restoredFrom' | 'schemas'>
    >,
  ): void;
  /** Checks a file again whose text is as it was: something else that its check depends on has changed. */
  recheck(path: string): void;
  /** Takes over what was found in a text of the file. */
  takeCheck(path: string, text: string, check: DocumentCheck): void;
  readonly typedLines: TypedLines;
}

/** What open files are read, checked and kept with. */
export interface FileServices {
  readonly engine: EngineClient;
  readonly documents: DocumentService;
  readonly logs: FileLogs;
  readonly notices: StoreApi<Notices>;
}

/**
 * A check of a text from before the last letters still says more than the one before it; but less than that of the present
 * text.
 */
function withFoundCheck(file: OpenFile, text: string, check: DocumentCheck): OpenFile {
  if (file.text !== text && !file.isCheckStale) return file;
  return { ...file, ...withCheck(text, check, file), text: file.text, isCheckStale: file.text !== text };
}

/** Each letter asks for a check; said once is enough. */
function showUnchecked(notices: StoreApi<Notices>, path: string, error: unknown): void {
  const title = `${path} was not checked`;
  const isShown = notices.getState().list.some((notice) => notice.title === title);
  if (!isShown) notices.getState().addError(title, error);
}

/** Keeps the checks of open files up with their texts. */
function createFileChecks(
  documents: DocumentService,
  notices: StoreApi<Notices>,
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
      notices.getState().add({ tone: 'info', title: 'A part of the journal was lost', detail });
    const reads = createFileReads(engine, logs, { fileOf, update, showLoss });
    const read = (path: string): Promise<unknown> => reads.read(path).then(() => checkFile(path));
    logs.subscribe(({ path, log, check }) => {
      update(path, (file) => {
        if (file.status !== 'ready') return file;
        return withText(file, log, check === undefined ? undefined : typedLines.calm(path, check, file));
      });
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
        set({ activePath: path });
        if (get().files.has(path)) return;
        set({ tabs: [...get().tabs, path], files: new Map(get().files).set(path, loadingFile(path, kind)) });
        await read(path);
      },
      close(path) {
        release(path);
        set(tabsWithout(get(), path));
      },
      activate(path) {
        if (get().files.has(path)) set({ activePath: path });
      },
      moveTab(path, index) {
        if (get().files.has(path)) set(tabsReordered(get(), path, index));
      },
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
