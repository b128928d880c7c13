/**
 * Creates the actions with which hosts start and resume runs.
 */
import type { RunId } from '../../base/ids.ts';
import type { WorkRecord } from '../../history/store/work-store.ts';
import type { Breakpoint } from '../../runtime/kernel/hub/run-pause.ts';
import type { AcceptedRun, AcceptedWork } from './active-runs.ts';
import type { Executor } from './executor.ts';
import type { EngineNotices } from './notices.ts';

type ActionName = 'startRun' | 'redo' | 'resumeRun' | 'allowWaiting' | 'rerunFrom' | 'startAgent' | 'confirmWork';

type RunOf<Name extends ActionName> = (...request: Parameters<Executor[Name]>) => Promise<{ readonly runId: RunId }>;

/** The result may also be work that needs a person's consent before the run starts. */
type WorkOf<Name extends ActionName> = (
  ...request: Parameters<Executor[Name]>
) => Promise<{ readonly runId: RunId } | { readonly work: WorkRecord }>;

interface HostActions {
  readonly startRun: RunOf<'startRun'>;
  readonly redo: RunOf<'redo'>;
  readonly resumeRun: RunOf<'resumeRun'>;
  readonly allowWaiting: RunOf<'allowWaiting'>;
  readonly rerunFrom: RunOf<'rerunFrom'>;
  readonly startAgent: WorkOf<'startAgent'>;
  readonly confirmWork: WorkOf<'confirmWork'>;
  readonly setBreakpoints: (path: string, breakpoints: readonly Breakpoint[]) => Promise<void>;
  readonly attachRun: (runId: RunId) => Promise<void>;
  readonly changeOutput: Executor['changeOutput'];
}

/** Creates the host actions. Those that start or resume runs return the run or work, and clear notices about recording failures. */
export function actionsOf(executor: Executor, notices: EngineNotices): HostActions {
  const recorded = async (accepted: Promise<AcceptedRun>): Promise<{ runId: RunId }> => {
    const { runId } = await accepted;
    notices.dropRecordFailures();
    return { runId };
  };
  const agreed = async (accepted: Promise<AcceptedWork>): Promise<{ runId: RunId } | { work: WorkRecord }> => {
    const result = await accepted;
    if ('work' in result) return result;
    notices.dropRecordFailures();
    return { runId: result.runId };
  };
  return {
    startAgent: (request) => agreed(executor.startAgent(request)),
    confirmWork: (workId) => agreed(executor.confirmWork(workId)),
    startRun: (request) => recorded(executor.startRun(request)),
    redo: (request) => recorded(executor.redo(request)),
    resumeRun: (request) => recorded(executor.resumeRun(request)),
    allowWaiting: (request) => recorded(executor.allowWaiting(request)),
    rerunFrom: (request) => recorded(executor.rerunFrom(request)),
    setBreakpoints: async (path, breakpoints) => executor.breakpoints.set(path, breakpoints),
    changeOutput: (request) => executor.changeOutput(request),
    attachRun: async (runId) => executor.breakpoints.attach(runId),
  };
}
