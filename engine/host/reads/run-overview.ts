/**
 * Offers statistics, exports, labels and notes of runs to host programs. Larger code is loaded with the first call.
 */

import type { RunId } from '../../base/ids.ts';
import { programVersion } from '../../base/program-version.ts';
import type { LabelInUse, RunMarkChange } from '../../history/store/mark-store.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { ExportFormat } from './export-trace.ts';
import type { RunHistoryReader } from './history.ts';
import type { RunStats, StatsQuery, TaskTime } from './run-stats.ts';

export interface RunOverviewEngine {
  /**
   * Returns statistics of the runs that a query selects: up to the newest 10,000. Times of nodes, and what fails, are
   * included for the runs of one file.
   */
  readRunStats(query: StatsQuery): Promise<RunStats>;
  /** Returns the tasks of runs that have ended, in the order in which they ended, up to `limit` of each run. */
  readTaskTimes(runIds: readonly RunId[], limit: number): Promise<Map<RunId, readonly TaskTime[]>>;
  /**
   * Changes the labels and the note of a run, completely or not at all.
   * @throws EngineError `run.not-found` | `run.bad-mark` | `store.full` | `store.write-failed`
   */
  markRun(runId: RunId, change: RunMarkChange): Promise<void>;
  /** Returns the labels of all runs, the most frequent first. */
  listRunLabels(): Promise<readonly LabelInUse[]>;
  /**
   * Exports a run to a file (absolute path): a self-contained bundle, or its spans. An existing file is replaced
   * atomically. With the format `trace`, `to` is a folder in which the run's folder is created, or replaced if an
   * earlier export created it.
   * @param format defaults to `bundle`
   * @returns the written path
   * @throws EngineError `run.not-found` | `files.not-writable` | `export.not-own`
   */
  exportRun(runId: RunId, to: string, format?: ExportFormat): Promise<string>;
}

/** @param onMarked tells those who watch the history */
export function createRunOverview(history: RunHistoryReader, store: RunStore, onMarked: () => void): RunOverviewEngine {
  const loaded = () => import('./run-stats.ts');
  return {
    readRunStats: async (query) => (await loaded()).readRunStats(history, query),
    readTaskTimes: async (runIds, limit) => (await loaded()).readTaskTimes(history, runIds, limit),
    async markRun(runId, change) {
      store.marks.change(runId, change);
      onMarked();
    },
    listRunLabels: async () => store.marks.labels(),
    exportRun: async (runId, to, format = 'bundle') =>
      (await import('./export-trace.ts')).saveRunAs(history, runId, { format, to, version: programVersion }),
  };
}
