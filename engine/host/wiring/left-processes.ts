/**
 * Finds processes that an interrupted run's commands have left running.
 */
import type { RunId } from '../../base/ids.ts';
import { readWholeRun } from '../../runtime/kernel/capabilities/read-run.ts';
import type { LeftProcess } from '../../world/command/left-processes.ts';
import type { RunHistoryReader } from '../reads/history.ts';

export interface LeftProcessEngine {
  /**
   * Returns the processes that an interrupted run's commands have left running; on Linux only. Empty for other runs,
   * where such processes are intentional.
   * @throws EngineError `run.not-found`
   */
  listLeftProcesses(runId: RunId): Promise<readonly LeftProcess[]>;
  /** Ends processes that were shown to a person who agreed to end them. @throws EngineError `run.not-found` */
  endLeftProcesses(request: { readonly runId: RunId; readonly processes: readonly LeftProcess[] }): Promise<void>;
}

/** Creates the interface based on the history and the system. */
export function createLeftProcesses(history: RunHistoryReader): LeftProcessEngine {
  /** Returns the run and its child runs; empty if it was not interrupted. */
  const cutRuns = async (runId: RunId): Promise<ReadonlySet<string>> => {
    const { run, events } = await readWholeRun(history, runId);
    const { status, waitStatus } = run;
    const isCut = status === 'interrupted' || (status === 'suspended' && waitStatus === undefined);
    return new Set(isCut ? events.map((envelope) => envelope.runId) : []);
  };
  const loaded = () => import('../../world/command/left-processes.ts');
  return {
    async listLeftProcesses(runId) {
      const runIds = await cutRuns(runId);
      return runIds.size === 0 ? [] : (await loaded()).leftProcessesOf(runIds);
    },
    async endLeftProcesses({ runId, processes }) {
      const { endLeftProcesses } = await loaded();
      endLeftProcesses(await cutRuns(runId), processes);
    },
  };
}
