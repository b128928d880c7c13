/**
 * Past and present runs, newest first, as listed by the engine's store.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  asRunId,
  type RunStatus,
  type RunSummary,
  type StartedBy,
  toErrorRecord,
} from '../../../../engine/isomorphic.ts';
import type { EngineArgs, EngineClient, EngineResult } from '../../../bridge/engine-client.ts';
import type { ListedFiring } from '../../workspace/triggers.ts';

/** Selects runs. `content` is text in their inputs, output or error. */
export interface RunFilter {
  readonly status?: RunStatus;
  readonly startedBy?: StartedBy;
  readonly label?: string;
  /** Epoch milliseconds. */
  readonly since?: number;
  readonly content?: string;
}

export interface RunList {
  readonly runs: readonly RunSummary[];
  /** Firings of triggers, newest first; only in the queue. */
  readonly firings: readonly ListedFiring[];
  readonly status: 'loading' | 'ready' | 'failed';
  readonly error: string;
}

export interface RunHistory {
  /**
   * By flow path. `allFlows` is the key of the list of every flow's runs, `queue` that of runs that need attention, and
   * `callsOf` returns that of a published flow's latest calls.
   */
  readonly lists: ReadonlyMap<string, RunList>;
  /** Whether the list in the side panel shows the runs of the active file, of all files, or the queue. */
  readonly scope: 'this' | 'all' | 'queue';
  setScope(scope: RunHistory['scope']): void;
  /** Which runs all lists contain; without fields, all. */
  readonly filter: RunFilter;
  /** Changes fields of the filter. Undefined removes one. */
  setFilter(change: { readonly [Field in keyof RunFilter]?: RunFilter[Field] | undefined }): void;
  /** Loads a list. Any number of calls during a load cause one more load after it. */
  load(key: string): Promise<void>;
  /** Loads a list, and keeps it up to date until the returned function is called. */
  watch(key: string): () => void;
  /** Searches the whole history by number or part of a name or path, newest first. Empty if it cannot be read. */
  find(query: string): Promise<readonly RunSummary[]>;
  /** Reloads every watched list. The others are reloaded when they are watched again. */
  refresh(): Promise<void>;
}

/** Key of the list over all flows. No path is empty. */
export const allFlows = '';

/** Key of the queue: active, queued, waiting and failed runs of all flows, and firings that started none. */
export const queue = '\n';

const callsEnd = '\ncalls';

/** Returns the key of the list of a flow's latest runs that callers of its address have started. */
export function callsOf(path: string): string {
  return path + callsEnd;
}

/** Maximum number of listed calls. */
const mostCalls = 5;

export const emptyRunList: RunList = { runs: [], firings: [], status: 'loading', error: '' };

/** Maximum number of runs of each status, and of firings, in the queue. */
const mostQueued = 500;

/** Maximum number of listed runs. Older ones are available on the command line. */
export const maxListedRuns = 200;

type ListedRun = EngineResult<'listRuns'>[number];

/** Restores the branded types of IDs. */
export function toSummary({ runId, redoOf, rerunOf, ...rest }: ListedRun): RunSummary {
  return {
    ...rest,
    runId: asRunId(runId),
    ...(redoOf === undefined ? {} : { redoOf: asRunId(redoOf) }),
    ...(rerunOf === undefined ? {} : { rerunOf: asRunId(rerunOf) }),
  };
}

/** Maximum number of search results. */
const maxFoundRuns = 20;

/**
 * `greeting 512`, `greeting, run 512` (`Lauf 512` in German) or `#512` may contain a number after words of the name or path, or be only words.
 */
function searchesOf(query: string): readonly { readonly text?: string; readonly number?: number }[] {
  const whole = query.trim();
  if (whole === '') return [];
  const [, before = '', digits] = /^(.*?)[\s,]*(?:\b(?:run|lauf)\s*)?#?(?<!\w)(\d{1,15})$/is.exec(whole) ?? [];
  const numbered = { ...(before === '' ? {} : { text: before }), number: Number(digits) };
  return [...(digits === undefined || Number(digits) === 0 ? [] : [numbered]), { text: whole }];
}

/** Returns the query of the runs that the filter selects. */
export function queryOf({ content, ...filter }: RunFilter): EngineArgs<'readRunStats'>[0] {
  return content === undefined ? filter : { ...filter, find: { content } };
}

function filterOf(key: string): { readonly sourcePath?: string } {
  return key === allFlows ? {} : { sourcePath: key };
}

async function readList(
  engine: EngineClient,
  key: string,
  wanted: RunFilter,
): Promise<Pick<RunList, 'runs' | 'firings'>> {
  if (key.endsWith(callsEnd)) {
    const calls = { sourcePath: key.slice(0, -callsEnd.length), startedBy: { kind: 'http' } } as const;
    return { runs: (await engine.call('listRuns', { ...calls, limit: mostCalls })).map(toSummary), firings: [] };
  }
  const filter = queryOf(wanted);
  if (key !== queue) {
    const runs = await engine.call('listRuns', { ...filterOf(key), ...filter, limit: maxListedRuns });
    return { runs: runs.map(toSummary), firings: [] };
  }
  const lists = await Promise.all(
    (['running', 'interrupted', 'suspended', 'queued', 'failed'] as const).map((status) =>
      engine.call('listRuns', { ...filter, status, limit: mostQueued }),
    ),
  );
  // A remote history has no triggers.
  const firings = await engine.call('listFirings', { limit: mostQueued }).catch(() => []);
  // A run that changes its status meanwhile may be in two lists.
  const runs = new Map(lists.flat().map((run) => [run.runId, toSummary(run)]));
  return { runs: [...runs.values()], firings };
}

export function createRunHistory(engine: EngineClient): StoreApi<RunHistory> {
  return createStore<RunHistory>()((set, get) => {
    /** By key: number of views that watch the list. */
    const watchers = new Map<string, number>();
    const underWay = new Map<string, { isStale: boolean; done: Promise<void> }>();

    const put = (key: string, list: RunList): void => set({ lists: new Map(get().lists).set(key, list) });

    const read = async (key: string): Promise<void> => {
      try {
        put(key, { ...(await readList(engine, key, get().filter)), status: 'ready', error: '' });
      } catch (error) {
        const former = get().lists.get(key) ?? emptyRunList;
        put(key, { ...former, status: 'failed', error: toErrorRecord(error).message });
      }
    };

    const readUntilFresh = async (key: string, job: { isStale: boolean }): Promise<void> => {
      do {
        job.isStale = false;
        await read(key);
      } while (job.isStale);
      underWay.delete(key);
    };

    return {
      lists: new Map(),
      scope: 'this',
      setScope: (scope) => set({ scope }),
      filter: {},
      setFilter(change) {
        const fields = Object.entries({ ...get().filter, ...change }).filter(([, value]) => value !== undefined);
        // Lists with other runs are loaded again when they are watched.
        set({ filter: Object.fromEntries(fields), lists: new Map() });
        void get().refresh();
      },
      load(key) {
        const current = underWay.get(key);
        if (current !== undefined) {
          current.isStale = true;
          return current.done;
        }
        const job = { isStale: false, done: Promise.resolve() };
        underWay.set(key, job);
        job.done = readUntilFresh(key, job);
        return job.done;
      },
      watch(key) {
        watchers.set(key, (watchers.get(key) ?? 0) + 1);
        void get().load(key);
        return () => {
          const left = (watchers.get(key) ?? 1) - 1;
          if (left === 0) watchers.delete(key);
          else watchers.set(key, left);
        };
      },
      async find(query) {
        // Results of the other searches are still returned. The list of runs shows why it cannot be read.
        const lists = await Promise.all(
          searchesOf(query).map((find) => engine.call('listRuns', { find, limit: maxFoundRuns }).catch(() => [])),
        );
        return [...new Map(lists.flat().map((run) => [run.runId, toSummary(run)])).values()];
      },
      async refresh() {
        await Promise.all([...watchers.keys()].map((key) => get().load(key)));
      },
    };
  });
}
