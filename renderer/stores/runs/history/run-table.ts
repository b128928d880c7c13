/**
 * All runs of one file with their statistics, and the labels and notes of runs. Read only while a view shows them.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type RunId, type RunSummary, toErrorRecord } from '../../../../engine/isomorphic.ts';
import type { EngineArgs, EngineClient, EngineResult } from '../../../bridge/engine-client.ts';
import { queryOf, type RunHistory, toSummary } from './run-history.ts';

type TaskTimes = EngineResult<'readTaskTimes'> extends ReadonlyMap<string, infer Times> ? Times : never;

export type ShownStats = EngineResult<'readRunStats'>;

export interface RunTable {
  /** The file; null while no view shows a table. */
  readonly path: string | null;
  /** Newest first, those that the filter of the lists of runs selects, up to `maxTableRuns`. */
  readonly runs: readonly RunSummary[];
  readonly isLoading: boolean;
  /** Null until they are read. */
  readonly stats: ShownStats | null;
  /** Why the last request failed, in a sentence. */
  readonly problem: string | null;
  /** The selected runs, in the order of their selection. */
  readonly chosen: readonly string[];
  choose(chosen: readonly string[]): void;
  /** Times of the tasks of runs that have ended, as far as they were read. */
  readonly times: ReadonlyMap<string, TaskTimes>;
  /** Reads the times of a run, if they are not known yet. */
  readTimes(runId: RunId): void;
  /** The labels of all runs, the most frequent first. Empty until they are read. */
  readonly labels: readonly string[];
  readLabels(): Promise<void>;
  /** Changes labels or the note of a run. */
  mark(runId: RunId, change: EngineArgs<'markRun'>[1]): Promise<void>;
  /** Keeps the runs of a file up to date until the returned function is called. */
  watch(path: string): () => void;
}

/** Maximum number of runs in a table. */
export const maxTableRuns = 10_000;

/** Number of runs that are read at once, so that the engine can do other work meanwhile. */
const pageSize = 1_000;

/** Maximum number of tasks in the small chart of a run. */
const mostTasks = 40;
/** Maximum number of runs in one request for the times of tasks. */
const mostTimes = 100;

async function* readPages(engine: EngineClient, query: EngineArgs<'readRunStats'>[0]): AsyncGenerator<RunSummary[]> {
  let below: number | undefined;
  for (let count = 0; count < maxTableRuns; count += pageSize) {
    const more = below === undefined ? {} : { below };
    const page = (await engine.call('listRuns', { ...query, ...more, limit: pageSize })).map(toSummary);
    yield page;
    if (page.length < pageSize) return;
    below = page.at(-1)?.number;
  }
}

type MarkActions = Pick<RunTable, 'labels' | 'readLabels' | 'mark'>;

function createMarks(
  engine: EngineClient,
  { history, set }: { readonly history: StoreApi<RunHistory>; readonly set: (part: Partial<RunTable>) => void },
): MarkActions {
  const readLabels = async (): Promise<void> => {
    // A remote history has no labels.
    const labels = await engine.call('listRunLabels').catch(() => []);
    set({ labels: labels.map(({ label }) => label) });
  };
  return {
    labels: [],
    readLabels,
    async mark(runId, change) {
      try {
        await engine.call('markRun', runId, change);
        set({ problem: null });
      } catch (error) {
        set({ problem: toErrorRecord(error).message });
      }
      await Promise.all([history.getState().refresh(), readLabels()]);
    },
  };
}

export function createRunTable(engine: EngineClient, history: StoreApi<RunHistory>): StoreApi<RunTable> {
  return createStore<RunTable>()((set, get) => {
    let reads = 0;
    const asked = new Set<string>();

    /** Shows the newest runs first, but keeps a longer list until all are read. */
    const readAll = async (query: EngineArgs<'readRunStats'>[0], isCurrent: () => boolean): Promise<void> => {
      const runs: RunSummary[] = [];
      for await (const page of readPages(engine, query)) {
        // A later read has newer answers.
        if (!isCurrent()) return;
        runs.push(...page);
        if (runs.length > get().runs.length) set({ runs: [...runs] });
      }
      set({ runs, isLoading: false, problem: null });
      const stats = await engine.call('readRunStats', query);
      if (isCurrent()) set({ stats });
    };

    const read = async (path: string): Promise<void> => {
      const own = ++reads;
      const query = { sourcePath: path, ...queryOf(history.getState().filter) };
      try {
        await readAll(query, () => own === reads);
      } catch (error) {
        if (own === reads) set({ isLoading: false, problem: toErrorRecord(error).message });
      }
    };

    const wanted: RunId[] = [];
    const readWanted = (): void => {
      const runIds = wanted.splice(0, mostTimes);
      if (wanted.length > 0) queueMicrotask(readWanted);
      // A run without times has no small chart.
      const reading = engine.call('readTaskTimes', runIds, mostTasks).catch(() => new Map<string, TaskTimes>());
      void reading.then((found) => set({ times: new Map([...get().times, ...found]) }));
    };

    const empty = { runs: [], stats: null, isLoading: true, problem: null, chosen: [] };
    return {
      path: null,
      ...empty,
      choose: (chosen) => set({ chosen }),
      times: new Map(),
      readTimes(runId) {
        if (asked.has(runId)) return;
        asked.add(runId);
        // All rows that are drawn at once are read at once.
        if (wanted.push(runId) === 1) queueMicrotask(readWanted);
      },
      ...createMarks(engine, { history, set }),
      watch(path) {
        set({ path, ...empty });
        const ends = [
          history.getState().watch(path),
          history.subscribe(({ lists, filter }, former) => {
            if (filter !== former.filter) set(empty);
            if (filter !== former.filter || lists.get(path) !== former.lists.get(path)) void read(path);
          }),
        ];
        void read(path);
        return () => {
          reads++;
          for (const end of ends) end();
          set({ path: null, ...empty });
        };
      },
    };
  });
}
