/**
 * Finds what the commands of an interrupted run have left running.
 */
import type { RunId } from '../base/ids.ts';
import type { LeftProcess } from '../command/left-processes.ts';
import type { History } from '../executor/history.ts';
import { readWholeRun } from '../kernel/read-run.ts';

export interface LeftProcessEngine {
  /**
   * Returns the processes that commands of an interrupted run have left running; on Linux only. Empty for other runs: what their commands have
   * left running was meant to stay.
   * @throws EngineError `run.not-found`
   */
  listLeftProcesses(runId: RunId): Promise<readonly LeftProcess[]>;
  /** Ends processes that a person was shown and has agreed to end. @throws EngineError `run.not-found` */
  endLeftProcesses(request: { readonly runId: RunId; readonly processes: readonly LeftProcess[] }): Promise<void>;
}

/** Answers from the history and the system. */
export function createLeftProcesses(history: History): LeftProcessEngine {
  /** The run and those that it called; empty when it was not cut off. */
  const cutRuns = async (runId: RunId): Promise<ReadonlySet<string>> => {
    const { run, events } = await readWholeRun(history, runId);
    const { status, waitStatus } = run;
    const isCut = status === 'interrupted' || (status === 'suspended' && waitStatus === undefined);
    return new Set(isCut ? events.map((envelope) => envelope.runId) : []);
  };
  const loaded = () => import('../command/left-processes.ts');
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
