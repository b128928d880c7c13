/**
 * Updates runs that did not receive all events as pushes, because they started before this window, run in another
 * process, or were interrupted together with their engine.
 */
import type { StoreApi } from 'zustand/vanilla';
import { asRunId, EngineError, type RunId } from '../../../../engine/isomorphic.ts';
import type { EngineClient } from '../../../bridge/engine-client.ts';
import type { RunFeed } from '../../../bridge/run-feed.ts';
import { checkText } from '../../text/check.ts';
import type { WindowNotices } from '../../window/notices.ts';
import { maxListedRuns } from '../history/run-history.ts';
import { text } from '../text.ts';
import { isOver, isUnfinished, type LiveRuns } from './live-runs.ts';

export interface RunFollower {
  /** Loads the text that a run executes, and whether its engine is still alive. Throws the error of the engine. */
  learn(runId: RunId): Promise<void>;
  /** Loads all stored events of a run. Throws the error of the engine. */
  follow(runId: RunId): Promise<void>;
  /** Follows all active runs, and those on screen that another process may resume. */
  followUnfinished(): Promise<void>;
  /**
   * Checks every few seconds whether the engines of active runs are alive, because a killed engine sends no event.
   * Returns a function that stops it.
   */
  noticeDeaths(): () => void;
}

const deathCheckMs = 5000;

export function createRunFollower(
  engine: EngineClient,
  feed: RunFeed,
  liveRuns: StoreApi<LiveRuns>,
  notices: StoreApi<WindowNotices>,
): RunFollower {
  const learn = async (runId: RunId): Promise<void> => {
    const [run, definition] = await Promise.all([engine.call('getRun', runId), engine.call('readDefinition', runId)]);
    liveRuns.getState().setDefinition(runId, checkText(definition, run.kind));
    if (run.status === 'interrupted') liveRuns.getState().markInterrupted(runId);
  };

  const follow = async (runId: RunId): Promise<void> => {
    await feed.catchUp(runId);
    await learn(runId);
  };

  const unfinished = async (): Promise<ReadonlySet<RunId>> => {
    const runs = await engine.call('listRuns', { limit: maxListedRuns });
    const listed = runs.filter(isUnfinished).map(({ runId }) => asRunId(runId));
    const known = [...liveRuns.getState().runs.values()].filter(
      ({ state, caller }) => caller === null && !isOver(state),
    );
    return new Set([...known.map(({ runId }) => runId), ...listed]);
  };

  const followAll = async (): Promise<void> => {
    try {
      for (const runId of await unfinished()) await follow(runId);
    } catch (error) {
      // The next attempt is made when a host becomes reachable.
      if (EngineError.is(error) && error.code === 'rpc.disconnected') return;
      notices.getState().addError(text.actions.followFailed, error);
    }
  };
  /** Following many runs of a remote history takes seconds. Calls in the meantime cause one more pass. */
  let pass: { isStale: boolean; readonly done: Promise<void> } | null = null;
  const followUntilFresh = async (): Promise<void> => {
    do {
      if (pass !== null) pass.isStale = false;
      await followAll();
    } while (pass?.isStale === true);
    pass = null;
  };

  const noticeDeath = async (runId: RunId): Promise<void> => {
    // If the call fails, it is repeated at the next check.
    const run = await engine.call('getRun', runId).catch(() => undefined);
    if (run?.status === 'interrupted') liveRuns.getState().markInterrupted(runId);
  };

  return {
    learn,
    follow,
    noticeDeaths() {
      const timer = setInterval(() => {
        for (const { runId, state, caller } of liveRuns.getState().runs.values()) {
          if (caller === null && state.status === 'running') void noticeDeath(runId);
        }
      }, deathCheckMs);
      return () => clearInterval(timer);
    },
    followUnfinished() {
      if (pass !== null) {
        pass.isStale = true;
        return pass.done;
      }
      const done = followUntilFresh();
      pass = { isStale: false, done };
      return done;
    },
  };
}
