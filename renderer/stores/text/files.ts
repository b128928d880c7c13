/**
 * The files that are open, in tabs: their text as it is on screen, what it means, and what is wrong with it.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EngineClient } from '../../bridge/engine-client.ts';
import type { Notices } from '../window/notices.ts';
import { type DocumentCheck, type DocumentKind, uncheckedText, withCheck } from './check.ts';
import { loadingFile, type OpenFile, withText } from './file.ts';
import type { Drafts } from './logs.ts';
import { isAtOrBelow, kindOfPath, movedPath } from './paths.ts';
import { createFileReader, createFileReads } from './read.ts';
import { createDocumentChecks, type DocumentService } from './service.ts';
import type { TypedLines } from './typed-lines.ts';

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

export type { FileConflict, OpenFile } from './file.ts';

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
    change: Partial<Pick<OpenFile, 'conflict' | 'diagnostics' | 'isMissing' | 'readError' | 'restoredFrom'>>,
  ): void;
  /** Tells the check of the text that a change led to, before anybody asks for one. */
  takeCheck(path: string, text: string, check: DocumentCheck): void;
}

export interface OpenFilesParts {
  readonly engine: EngineClient;
  readonly documents: DocumentService;
  readonly drafts: Drafts;
  readonly notices: StoreApi<Notices>;
  readonly typedLines: TypedLines;
}

/** A check of a text from before the last letters still says more than the one before it. */
function withNews(file: OpenFile, text: string, check: DocumentCheck): OpenFile {
  return { ...file, ...withCheck(text, check, file), text: file.text, isCheckStale: file.text !== text };
}

function tellLoss(notices: StoreApi<Notices>, detail: string): void {
  notices.getState().add({ tone: 'info', title: 'A part of the journal was lost', detail });
}

/** Each letter asks for a check; told once is enough. */
function tellUnchecked(notices: StoreApi<Notices>, path: string, error: unknown): void {
  const title = `${path} was not checked`;
  const isTold = notices.getState().list.some((notice) => notice.title === title);
  if (!isTold) notices.getState().addError(title, error);
}

export function createOpenFiles({
  engine,
  documents,
  drafts,
  notices,
  typedLines,
}: OpenFilesParts): StoreApi<OpenFiles> {
  const reader = createFileReader({ engine, drafts, tellNotice: (detail) => tellLoss(notices, detail) });
  return createStore<OpenFiles>()((set, get) => {
    const update = (path: string, change: (file: OpenFile) => OpenFile): void => {
      const file = get().files.get(path);
      const next = file === undefined ? undefined : change(file);
      if (next !== undefined && next !== file) set({ files: new Map(get().files).set(path, next) });
    };
    const takeCheck: OpenFiles['takeCheck'] = (path, text, check) =>
      update(path, (file) => withNews(file, text, typedLines.calm(path, check, file)));
    const fail = (path: string, error: unknown): void => tellUnchecked(notices, path, error);
    const checks = createDocumentChecks(documents, { tell: takeCheck, fail });
    const checkFile = async (path: string): Promise<OpenFile | undefined> => {
      const file = get().files.get(path);
      if (file?.status === 'ready' && file.isCheckStale) await checks.request(file);
      return get().files.get(path);
    };
    const reads = createFileReads({ reader, fileOf: (path) => get().files.get(path), update, release: drafts.close });
    const read = (path: string): Promise<unknown> => reads.read(path).then(() => checkFile(path));
    drafts.subscribe(({ path, log }) => {
      update(path, (file) => (file.status === 'ready' ? withText(file, log) : file));
      void checkFile(path);
    });

    const release = (path: string): void => {
      reads.forget(path);
      drafts.close(path);
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
        drafts.rename(from, to);
        set(open);
        void get().reload(moved);
      },
      async reload(paths) {
        const open = [...get().files.keys()];
        await Promise.all(open.filter((file) => paths.some((path) => isAtOrBelow(file, path))).map(read));
      },
      checked: (path) => reads.done(path).then(() => checkFile(path)),
      patch: (path, change) => update(path, (file) => ({ ...file, ...change })),
      takeCheck,
    };
  });
}
