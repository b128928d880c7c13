/**
 * Creates the actions with which hosts start and resume runs.
 */
import type { RunId } from '../../base/ids.ts';
import type { WorkRecord } from '../../history/store/work-store.ts';
import type { Breakpoint } from '../../runtime/kernel/hub/run-pause.ts';
import type { AcceptedRun, AcceptedWork } from './active-runs.ts';
import type { Executor } from './executor.ts';
import { type MaskSecrets, withMaskedValues } from './held-answers.ts';
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

/**
 * Creates the host actions. Those that start or resume runs return the run or work, and clear notices about recording
 * failures. Secrets in what a person gives nodes are masked.
 */
export function actionsOf(executor: Executor, notices: EngineNotices, mask: MaskSecrets): HostActions {
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
    resumeRun: async (request) => await recorded(executor.resumeRun(await withMaskedValues(request, mask))),
    allowWaiting: (request) => recorded(executor.allowWaiting(request)),
    rerunFrom: async (request) => await recorded(executor.rerunFrom(await withMaskedValues(request, mask))),
    setBreakpoints: async (path, breakpoints) => executor.breakpoints.set(path, breakpoints),
    changeOutput: async (request) => await executor.changeOutput(await withMaskedValues(request, mask)),
    attachRun: async (runId) => executor.breakpoints.attach(runId),
  };
}
