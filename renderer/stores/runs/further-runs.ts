/**
 * What a person may ask for about a run that stopped half-way, and running an ended one again from a node.
 */
import { asRunId, type RunId, type SuspensionDecision } from '../../../engine/isomorphic.ts';
import type { EngineResult } from '../../bridge/engine-client.ts';
import type { RunActionParts } from './run-action-parts.ts';

/** A person's answer to nodes that wait. */
export interface RunAnswer {
  readonly decision: SuspensionDecision;
  /** Empty = nothing to say. */
  readonly comment: string;
  /** The node by its place in the run; absent = all that wait. */
  readonly nodeId?: string;
}

/** An ended run that is to run again from a node on. */
export interface RerunTarget {
  readonly path: string;
  readonly runId: RunId;
  readonly nodeId: string;
}

/** What a rerun would do with each node, in start order. */
export type RerunPlan = EngineResult<'run.planRerun'>['steps'];

export interface FurtherRuns {
  /** Lets a run go on that was cut off with its engine. Resolves when the engine has agreed or refused. */
  resume(runId: RunId): Promise<void>;
  /** Answers what a suspended run asks. Resolves when the engine has agreed or refused. */
  answer(runId: RunId, answer: RunAnswer): Promise<void>;
  /** What `rerun` would do with the text on screen. Throws what the engine answers. */
  planRerun(target: RerunTarget): Promise<RerunPlan>;
  /** Runs the text on screen again as a new run that takes over what nothing has changed for. */
  rerun(target: RerunTarget): Promise<void>;
}

interface FurtherRunParts extends RunActionParts {
  /** Shows a refusal. */
  readonly refused: (title: string, error: unknown) => void;
}

export function createFurtherRuns(parts: FurtherRunParts): FurtherRuns {
  const { engine, follower, openFlows, liveRuns, panes, refused } = parts;

  const goOn = async (runId: RunId, answer: Partial<RunAnswer>): Promise<void> => {
    try {
      await engine.call('run.resume', { runId, ...answer });
      await follower.follow(runId);
    } catch (error) {
      refused('The run could not go on', error);
    }
  };

  const onScreen = ({ path, runId, nodeId }: RerunTarget) => {
    const flow = openFlows.getState().flows.get(path);
    return { runId, nodeId, ...(flow?.status === 'ready' ? { text: flow.text } : {}) };
  };

  return {
    resume: (runId) => goOn(runId, {}),
    answer(runId, { comment, ...answer }) {
      const said = comment.trim();
      return goOn(runId, said === '' ? answer : { ...answer, comment: said });
    },
    planRerun: async (target) => (await engine.call('run.planRerun', onScreen(target))).steps,
    async rerun(target) {
      try {
        const { runId } = await engine.call('run.rerun', onScreen(target));
        liveRuns.getState().announce({ runId: asRunId(runId), path: target.path, definition: null });
        panes.getState().showRun();
        await follower.learn(asRunId(runId));
      } catch (error) {
        refused('The run could not be repeated', error);
      }
    },
  };
}
