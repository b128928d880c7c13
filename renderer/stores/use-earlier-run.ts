/**
 * The run that another one builds on, as people know it: by when it began.
 */
import { useStore } from 'zustand';
import type { RunId } from '../../engine/isomorphic.ts';
import { useStores } from './stores-context.tsx';

export interface EarlierRun {
  /** Epoch milliseconds; null when the lists that were read do not hold it. */
  readonly startedAt: number | null;
  /** Shows it over its flow. */
  readonly open: () => void;
}

/** An earlier run of a flow. */
export function useEarlierRun(path: string, runId: RunId): EarlierRun {
  const { runHistory, runs } = useStores();
  const startedAt = useStore(runHistory, ({ lists }) => {
    for (const list of lists.values()) {
      const found = list.runs.find((run) => run.runId === runId);
      if (found !== undefined) return found.startedAt;
    }
    return null;
  });
  return { startedAt, open: () => void runs.openRun(path, runId) };
}
