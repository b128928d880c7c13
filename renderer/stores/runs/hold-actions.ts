/**
 * Actions that cancel or pause a run, and that change values of a paused one.
 */
import { type BudgetDoc, type JsonMap, type JsonValue, type RunId, toErrorRecord } from '../../../engine/isomorphic.ts';
import type { ActionContext } from './action-context.ts';
import { text } from './text.ts';

/** What a person gives a held node: another input, or an output instead of running it. */
type AnswerForHeld =
  | { readonly action: 'edit'; readonly input: JsonMap }
  | { readonly action: 'skip'; readonly output: JsonValue };

export interface HoldActions {
  /** Requests that a run be canceled. It is shown as canceling until its end arrives. */
  cancel(runId: RunId): Promise<void>;
  /** Requests that a run be paused. It is shown as pausing until its suspension arrives. */
  pause(runId: RunId): Promise<void>;
  /**
   * Answers for a held node. Resolves to why that is refused, or null.
   * @param node full name in the root run
   */
  answerHeld(runId: RunId, node: string, answer: AnswerForHeld): Promise<string | null>;
  /** Continues a run that has used its budget, with higher limits. Resolves to why that is refused, or null. */
  raiseBudget(runId: RunId, raised: BudgetDoc): Promise<string | null>;
  /**
   * Replaces the output of a completed node of a paused run. Resolves to why that is refused, or null.
   * @param node full name in the run
   */
  changeOutput(runId: RunId, node: string, output: JsonValue): Promise<string | null>;
}

export function createHoldActions({ engine, follower, liveRuns, notices }: ActionContext): HoldActions {
  const change = async (runId: RunId, request: () => Promise<unknown>): Promise<string | null> => {
    try {
      await request();
    } catch (error) {
      return toErrorRecord(error).message;
    }
    follower.follow(runId).catch((error: unknown) => notices.getState().addError(text.actions.followFailed, error));
    return null;
  };
  return {
    async cancel(runId) {
      liveRuns.getState().setCancelling(runId, true);
      try {
        await engine.call('cancelRun', runId);
        // The engine ignores a run that has already ended, and no further event reports its end.
        await follower.followUnfinished();
      } catch (error) {
        liveRuns.getState().setCancelling(runId, false);
        notices.getState().addError(text.actions.cancelFailed, error);
      }
    },
    async pause(runId) {
      liveRuns.getState().setPausing(runId, true);
      try {
        await engine.call('pauseRun', runId);
        // No further event reports the end of a run that has already ended.
        await follower.followUnfinished();
      } catch (error) {
        liveRuns.getState().setPausing(runId, false);
        notices.getState().addError(text.actions.pauseFailed, error);
      }
    },
    answerHeld: (runId, node, answer) =>
      change(runId, () => engine.call('resumeRun', { runId, nodeId: node, ...answer })),
    raiseBudget: (runId, raised) => change(runId, () => engine.call('resumeRun', { runId, action: 'raise', raised })),
    changeOutput: (runId, nodeId, output) =>
      change(runId, () => engine.call('changeOutput', { runId, nodeId, output })),
  };
}
