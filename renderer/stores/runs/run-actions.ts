/**
 * What a person may ask for about runs. Each asks the engine and shows what it says; none pretends a result.
 */
import { asRunId, EngineError, type JsonValue, type RunId, type RunKind } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import { createFurtherRuns, type FurtherRuns } from './further-runs.ts';
import type { RunActionParts } from './run-action-parts.ts';

export interface RunActions extends FurtherRuns {
  /** Runs the text on screen. A refusal is shown as a notice, and its problems in the dock. */
  start(path: string, inputs: Readonly<Record<string, JsonValue>>): Promise<void>;
  /** Runs the text on screen again with the inputs of an earlier run of it: the one given, else the latest. */
  redo(path: string, earlier?: RunId): Promise<void>;
  /** Asks a run to stop; until its end arrives it counts as cancelling. */
  cancel(runId: RunId): Promise<void>;
  /** Shows a run of the history over its flow or agent, which is opened if it is not. */
  openRun(path: string, runId: RunId, kind?: RunKind): Promise<void>;
}

/** @throws EngineError `run.not-found` */
async function latestRunOf(engine: EngineClient, path: string): Promise<string> {
  const { runs } = await engine.call('run.list', { sourcePath: path, limit: 1 });
  const [latest] = runs;
  if (latest !== undefined) return latest.runId;
  throw new EngineError({ code: 'run.not-found', message: 'It has not been run yet. Run it first.' });
}

export function createRunActions(parts: RunActionParts): RunActions {
  const { engine, follower, openFlows, liveRuns, notices, panes, workspace } = parts;

  const refused = (title: string, error: unknown): void => {
    // What refused this run, such as a full disk, may be true of all.
    void workspace.getState().refreshNotices();
    if (EngineError.is(error) && error.code === 'flow.invalid') panes.getState().showDock('problems');
    notices.getState().addError(title, error);
  };

  return {
    ...createFurtherRuns({ ...parts, refused }),
    async start(path, inputs) {
      const flow = openFlows.getState().flows.get(path);
      if (flow?.status !== 'ready') return;
      try {
        const { runId } = await engine.call('run.start', { path, text: flow.text, inputs });
        liveRuns.getState().announce({ runId: asRunId(runId), path, definition: flow });
        panes.getState().showRun();
      } catch (error) {
        refused('The run was refused', error);
      }
    },
    async redo(path, earlier) {
      const flow = openFlows.getState().flows.get(path);
      try {
        const runId = earlier ?? (await latestRunOf(engine, path));
        const lastText = flow?.isMissing || flow?.isDirty ? { text: flow.text } : {};
        const { runId: newId } = await engine.call('run.redo', { runId, ...lastText });
        liveRuns.getState().announce({ runId: asRunId(newId), path, definition: null });
        panes.getState().showRun();
        await follower.learn(asRunId(newId));
      } catch (error) {
        refused('The run could not be redone', error);
      }
    },
    async cancel(runId) {
      liveRuns.getState().setCancelling(runId, true);
      try {
        await engine.call('run.cancel', { runId });
        // The engine leaves a run alone that is over already; then no more event will tell so.
        await follower.followUnfinished();
      } catch (error) {
        liveRuns.getState().setCancelling(runId, false);
        notices.getState().addError('The run could not be cancelled', error);
      }
    },
    async openRun(path, runId, kind = 'flow') {
      const opening = openFlows.getState().open(path, kind);
      liveRuns.getState().choose(path, runId);
      try {
        await Promise.all([opening, follower.follow(runId)]);
      } catch (error) {
        liveRuns.getState().hide(path);
        notices.getState().addError('The run could not be opened', error);
      }
    },
  };
}
