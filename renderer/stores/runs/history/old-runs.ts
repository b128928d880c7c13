/**
 * The rule by which old runs of the workspace are deleted, and the size of its history. Read only while a view shows
 * them.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../../engine/isomorphic.ts';
import type { EngineClient, EngineResult } from '../../../bridge/engine-client.ts';
import type { MainArgs, MainClient } from '../../../bridge/main-client.ts';

/** Runs to which a part of it applies are deleted; none without parts. */
export type WantedRule = MainArgs<'runs.setRetention'>[0];

export interface OldRuns {
  /** Null until it is read. */
  readonly known: EngineResult<'readRetention'> | null;
  /** Why the last request failed, in a sentence. */
  readonly problem: string | null;
  /** Keeps everything up to date until the returned function is called. */
  watch(): () => void;
  /** Returns which runs a rule would delete now. Null if that is not known. */
  count(rule: WantedRule): Promise<EngineResult<'countOldRuns'> | null>;
  /** Sets the rule. Main asks the user in a system dialog first. Resolves to whether it was set. */
  setRule(rule: WantedRule): Promise<boolean>;
}

export function createOldRuns(engine: EngineClient, main: MainClient): StoreApi<OldRuns> {
  return createStore<OldRuns>()((set) => {
    let reads = 0;
    const refresh = async (): Promise<void> => {
      const read = ++reads;
      try {
        const known = await engine.call('readRetention');
        // A later read has newer answers.
        if (read === reads) set({ known, problem: null });
      } catch (error) {
        if (read === reads) set({ problem: toErrorRecord(error).message });
      }
    };
    return {
      known: null,
      problem: null,
      watch() {
        const again = (): void => void refresh();
        // Another program can change the rule, and is not watched.
        window.addEventListener('focus', again);
        const ends = [engine.onConnected(again), engine.stream('watchHistory', again)];
        again();
        return () => {
          window.removeEventListener('focus', again);
          for (const end of ends) end();
        };
      },
      count: (rule) => engine.call('countOldRuns', rule).catch(() => null),
      async setRule(rule) {
        try {
          const { isDone } = await main.call('runs.setRetention', rule);
          await refresh();
          return isDone;
        } catch (error) {
          set({ problem: toErrorRecord(error).message });
          return false;
        }
      },
    };
  });
}
