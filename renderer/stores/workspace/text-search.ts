/**
 * The text search in the workspace: the query and its results.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineArgs, EngineClient, EngineResult } from '../../bridge/engine-client.ts';
import type { OpenFiles } from '../text/files.ts';
import { isWorkspaceFile } from '../text/paths.ts';

export type SearchAnswer = EngineResult<'searchFiles'>;
export type FoundFile = SearchAnswer['files'][number];
export type SearchMatch = FoundFile['matches'][number];

/** The query. Unsaved texts are added when it is sent. */
export type SearchQuery = Readonly<Omit<EngineArgs<'searchFiles'>[0], 'unsaved'>>;

export interface TextSearchState {
  readonly query: SearchQuery;
  readonly isSearching: boolean;
  /** The results of the last completed search. Null before that, and for an empty query. */
  readonly answer: SearchAnswer | null;
  /** Why the search failed, or null. */
  readonly error: string | null;
  /** Files with collapsed matches. */
  readonly folded: ReadonlySet<string>;
  /** Changes the query. The search starts a moment after the last change. */
  ask(change: Partial<SearchQuery>): void;
  /** Searches immediately. */
  searchNow(): Promise<void>;
  setFolded(path: string, isFolded: boolean): void;
  /**
   * Searches again a moment after text has changed, as long as searches are quick. Returns a function that stops this
   * and any search in progress.
   */
  follow(): () => void;
}

const nothing: SearchQuery = {
  text: '',
  isCaseSensitive: false,
  isWholeWord: false,
  isRegExp: false,
  include: '',
  exclude: '',
};

/** How many milliseconds to wait after the last keystroke or text change before a search starts. */
const pauseMs = 200;
const changePauseMs = 800;
/** A search that took longer is not repeated automatically. */
const quickMs = 1_000;
/** The limit in the contract. */
const maxUnsaved = 200;

/** Returns the texts of open files that a search on disk would not find. */
export function unsavedTexts({ files }: OpenFiles): { path: string; text: string }[] {
  return [...files.values()]
    .filter((file) => file.status === 'ready' && file.isDirty && isWorkspaceFile(file))
    .slice(0, maxUnsaved)
    .map(({ path, text }) => ({ path, text }));
}

function textsChanged(now: OpenFiles, before: OpenFiles): boolean {
  if (now.files === before.files) return false;
  return [...now.files].some(([path, { text }]) => {
    const former = before.files.get(path);
    return former !== undefined && former.text !== text;
  });
}

type TextSearchOutcome = Pick<TextSearchState, 'answer' | 'error'>;

async function outcomeOf(
  engine: EngineClient,
  request: EngineArgs<'searchFiles'>[0],
  signal: AbortSignal,
): Promise<TextSearchOutcome> {
  try {
    return { answer: await engine.call('searchFiles', request, signal), error: null };
  } catch (error) {
    return { answer: null, error: toErrorRecord(error).message };
  }
}

/** Calls the listener on changes on disk and on screen. Returns a function that unsubscribes. */
function onTextsChanged(engine: EngineClient, openFiles: StoreApi<OpenFiles>, listener: () => void): () => void {
  const ends = [
    engine.stream('watchFiles', listener),
    engine.stream('watchFlows', listener),
    openFiles.subscribe((now, before) => textsChanged(now, before) && listener()),
  ];
  return () => {
    for (const end of ends) end();
  };
}

export function createTextSearch(engine: EngineClient, openFiles: StoreApi<OpenFiles>): StoreApi<TextSearchState> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Cancels the latest search. */
  let latest = new AbortController();
  let lastMs = 0;
  return createStore<TextSearchState>()((set, get) => {
    const searchAfter = (delayMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void get().searchNow(), delayMs);
    };
    /** Cancels any search in progress, such as when the host is gone. */
    const giveUp = (): void => {
      latest.abort();
      set({ isSearching: false });
    };
    return {
      query: nothing,
      isSearching: false,
      answer: null,
      error: null,
      folded: new Set(),
      ask(change) {
        set({ query: { ...get().query, ...change }, folded: new Set() });
        searchAfter(pauseMs);
      },
      async searchNow() {
        clearTimeout(timer);
        const { query } = get();
        if (query.text === '') {
          giveUp();
          set({ answer: null, error: null });
          return;
        }
        latest.abort();
        const search = new AbortController();
        latest = search;
        set({ isSearching: true });
        const began = performance.now();
        const unsaved = unsavedTexts(openFiles.getState());
        const outcome = await outcomeOf(engine, { ...query, unsaved }, search.signal);
        if (search.signal.aborted) return;
        lastMs = performance.now() - began;
        set({ isSearching: false, ...outcome });
      },
      setFolded(path, isFolded) {
        const folded = new Set(get().folded);
        if (isFolded) folded.add(path);
        else folded.delete(path);
        set({ folded });
      },
      follow() {
        const searchSoon = (): void => {
          if (get().query.text !== '' && lastMs < quickMs) searchAfter(changePauseMs);
        };
        const end = onTextsChanged(engine, openFiles, searchSoon);
        searchSoon();
        return () => {
          end();
          clearTimeout(timer);
          if (get().isSearching) giveUp();
        };
      },
    };
  });
}
