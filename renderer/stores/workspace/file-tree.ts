/**
 * The workspace files as a tree. Each folder is listed when it is expanded, and again when something in it changes.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { EngineError, type ErrorRecord, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import { folderOf, isAtOrBelow, movedPath } from '../text/paths.ts';

export type FileEntry = EngineResult<'listFolder'>['entries'][number];

export interface ListedFolder {
  /** The entries of the previous list while it is reloaded. */
  readonly entries: readonly FileEntry[];
  /** Whether the folder has more entries than the list. */
  readonly isCut: boolean;
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error: ErrorRecord | null;
}

export interface FileTree {
  /** Listed folders by path. `''` is the workspace. */
  readonly folders: ReadonlyMap<string, ListedFolder>;
  /** Expanded folders, which may be inside collapsed ones. */
  readonly expanded: ReadonlySet<string>;
  /** Lists a folder for the first time, or again. */
  load(folder: string): Promise<void>;
  setExpanded(folder: string, isExpanded: boolean): void;
  collapseAll(): void;
  /** Expands the folders around a file. */
  reveal(path: string): void;
  /** Reloads the expanded folders affected by changes at these paths. An empty list reloads all expanded folders. */
  refresh(paths: readonly string[]): Promise<void>;
  /** Keeps a renamed folder expanded. */
  rename(from: string, to: string): void;
}

const unlisted: ListedFolder = { entries: [], isCut: false, status: 'loading', error: null };

const goneCodes: ReadonlySet<string> = new Set(['files.not-found', 'files.no-folder']);

/** Returns the folders around a file, outermost first. */
function foldersAround(path: string): string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.unshift(folder);
  return folders;
}

/** A folder shows the marks of everything below it, and appears or disappears together with its parent folders. */
function isTouched(folder: string, paths: readonly string[]): boolean {
  return (
    paths.length === 0 || folder === '' || paths.some((path) => isAtOrBelow(path, folder) || isAtOrBelow(folder, path))
  );
}

export function createFileTree(engine: EngineClient): StoreApi<FileTree> {
  return createStore<FileTree>()((set, get) => {
    /** The newest request for each folder. Responses to older ones are dropped. */
    const latest = new Map<string, symbol>();
    const put = (folder: string, listed: ListedFolder): void =>
      set({ folders: new Map(get().folders).set(folder, listed) });
    const forget = (folder: string): void => {
      const folders = new Map(get().folders);
      const expanded = new Set(get().expanded);
      folders.delete(folder);
      expanded.delete(folder);
      set({ folders, expanded });
    };
    const putFailure = (folder: string, thrown: unknown): void => {
      const isGone = EngineError.is(thrown) && goneCodes.has(thrown.code);
      const former = get().folders.get(folder) ?? unlisted;
      if (isGone && folder !== '') forget(folder);
      else put(folder, { ...former, status: 'failed', error: toErrorRecord(thrown) });
    };
    const expand = (wanted: readonly string[]): void => {
      const fresh = wanted.filter((folder) => !get().expanded.has(folder));
      if (fresh.length === 0) return;
      set({ expanded: new Set([...get().expanded, ...fresh]) });
      for (const folder of fresh) void get().load(folder);
    };

    return {
      folders: new Map(),
      expanded: new Set(),
      async load(folder) {
        const question = Symbol(folder);
        latest.set(folder, question);
        if (!get().folders.has(folder)) put(folder, unlisted);
        try {
          const listed = await engine.call('listFolder', folder);
          if (latest.get(folder) === question) put(folder, { ...listed, status: 'ready', error: null });
        } catch (error) {
          if (latest.get(folder) === question) putFailure(folder, error);
        }
      },
      setExpanded(folder, isExpanded) {
        if (isExpanded) return expand([folder]);
        const expanded = new Set(get().expanded);
        if (expanded.delete(folder)) set({ expanded });
      },
      collapseAll: () => set({ expanded: new Set() }),
      reveal: (path) => expand(foldersAround(path)),
      async refresh(paths) {
        const shown = ['', ...get().expanded].filter((folder) => isTouched(folder, paths));
        await Promise.all(shown.map((folder) => get().load(folder)));
      },
      rename(from, to) {
        const { expanded, folders } = get();
        const kept = [...folders].filter(([folder]) => !isAtOrBelow(folder, from));
        set({ expanded: new Set([...expanded].map((folder) => movedPath(folder, from, to))), folders: new Map(kept) });
      },
    };
  });
}
