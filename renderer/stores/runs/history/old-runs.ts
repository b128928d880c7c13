/**
 * What is deleted from the workspace's history: the rule for old runs, and the limits of the copies of changed files.
 * Both are read only while a view shows them.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../../bridge/engine-client.ts';
import type { MainArgs, MainClient } from '../../../bridge/main-client.ts';

/** Runs to which a part of it applies are deleted; none without parts. */
export type WantedRule = MainArgs<'runs.setRetention'>[0];

interface Watched<Known> {
  /** Null until it is read. */
  readonly known: Known | null;
  /** Why the last request failed, in a sentence. */
  readonly problem: string | null;
  /** Keeps everything up to date until the returned function is called. */
  watch(): () => void;
}

/** The rule by which old runs are deleted, and the size of the history. */
export interface OldRuns extends Watched<EngineResult<'readRetention'>> {
  /** Returns which runs a rule would delete now. Null if that is not known. */
  count(rule: WantedRule): Promise<EngineResult<'countOldRuns'> | null>;
  /** Sets the rule. Main asks the user in a system dialog first. Resolves to whether it was set. */
  setRule(rule: WantedRule): Promise<boolean>;
}

/** The limits of the copies of changed files, and the size of the copies. */
export interface CopyLimits extends Watched<EngineResult<'readUndoLimits'>> {
  /** Sets the limits. Main asks the user in a system dialog before it lowers one. Resolves to whether they were set. */
  setLimits(limits: MainArgs<'runs.setUndoLimits'>[0]): Promise<boolean>;
}

export function createDeletionStores(engine: EngineClient, main: MainClient) {
  return { oldRuns: createOldRuns(engine, main), undoLimits: createCopyLimits(engine, main) };
}

function createOldRuns(engine: EngineClient, main: MainClient): StoreApi<OldRuns> {
  return createStore<OldRuns>()((set) => {
    const { start, change } = watching({ engine, set, read: () => engine.call('readRetention') });
    return {
      ...start,
      count: (rule) => engine.call('countOldRuns', rule).catch(() => null),
      setRule: (rule) => change(() => main.call('runs.setRetention', rule)),
    };
  });
}

function createCopyLimits(engine: EngineClient, main: MainClient): StoreApi<CopyLimits> {
  return createStore<CopyLimits>()((set) => {
    const { start, change } = watching({ engine, set, read: () => engine.call('readUndoLimits') });
    return { ...start, setLimits: (limits) => change(() => main.call('runs.setUndoLimits', limits)) };
  });
}

interface WatchedSource<Known> {
  readonly engine: EngineClient;
  readonly set: (some: Partial<Pick<Watched<Known>, 'known' | 'problem'>>) => void;
  readonly read: () => Promise<Known>;
}

/** Creates the initial state. `change` sends a request to main, and reads again. */
function watching<Known>({ engine, set, read }: WatchedSource<Known>) {
  let reads = 0;
  const refresh = async (): Promise<void> => {
    const current = ++reads;
    try {
      const known = await read();
      // A later read has newer answers.
      if (current === reads) set({ known, problem: null });
    } catch (error) {
      if (current === reads) set({ problem: toErrorRecord(error).message });
    }
  };
  const start: Watched<Known> = {
    known: null,
    problem: null,
    watch() {
      const again = (): void => void refresh();
      // Another program can change it, and is not watched.
      window.addEventListener('focus', again);
      const ends = [engine.onConnected(again), engine.stream('watchHistory', again)];
      again();
      return () => {
        window.removeEventListener('focus', again);
        for (const end of ends) end();
      };
    },
  };
  const change = async (request: () => Promise<{ readonly isDone: boolean }>): Promise<boolean> => {
    try {
      const { isDone } = await request();
      await refresh();
      return isDone;
    } catch (error) {
      set({ problem: toErrorRecord(error).message });
      return false;
    }
  };
  return { start, change };
}
