/**
 * Runs with buttons that have just changed, so that a click meant for the previous button does not press the new one.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RunId } from '../../../engine/isomorphic.ts';
import { isPaused, isUnfinished, type LiveRun, type LiveRuns } from './live/live-runs.ts';

/** Milliseconds during which buttons that replaced others are disabled. */
export const switchPauseMs = 1000;

export interface RecentSwitches {
  /**
   * Runs that ended while they showed Cancel, or started where another run showed Run again, less than `switchPauseMs`
   * ago.
   */
  readonly runs: ReadonlySet<RunId>;
}

/** Returns whether the run was on screen with a Cancel button that has now disappeared. */
function hasEnded(run: LiveRun, before: LiveRun | undefined, { shown }: LiveRuns): boolean {
  if (before === undefined || !isUnfinished(before.state) || isUnfinished(run.state)) return false;
  // A step does not replace the buttons of a paused run.
  if (before.state.pause !== undefined && isPaused(run.state)) return false;
  // A run of the history has no state at first, so it was never shown as running.
  return before.state.seq >= 0 || ![...shown.values()].some(({ runId, isChosen }) => isChosen && runId === run.runId);
}

/** Returns runs that are now shown as unfinished in place of an ended one. */
function begunInPlace(now: LiveRuns, before: LiveRuns): RunId[] {
  if (now.shown === before.shown) return [];
  return [...now.shown].flatMap(([path, { runId, isChosen }]) => {
    const former = before.shown.get(path);
    if (isChosen || former === undefined || former.runId === runId) return [];
    const wasOver = !isUnfinished(before.runs.get(former.runId)?.state ?? { status: 'queued' });
    const run = now.runs.get(runId);
    return wasOver && run !== undefined && isUnfinished(run.state) ? [runId] : [];
  });
}

/** Watches runs for such changes. The second value stops it. */
export function createRecentSwitches(liveRuns: StoreApi<LiveRuns>): [StoreApi<RecentSwitches>, () => void] {
  const store = createStore<RecentSwitches>(() => ({ runs: new Set() }));
  const timers = new Map<RunId, ReturnType<typeof setTimeout>>();
  const forget = (runId: RunId): void => {
    timers.delete(runId);
    store.setState(({ runs }) => ({ runs: new Set([...runs].filter((id) => id !== runId)) }));
  };
  const end = liveRuns.subscribe((now, before) => {
    const ended = [...now.runs.values()].filter((run) => hasEnded(run, before.runs.get(run.runId), now));
    const fresh = [...ended.map(({ runId }) => runId), ...begunInPlace(now, before)];
    if (fresh.length === 0) return;
    for (const runId of fresh) {
      clearTimeout(timers.get(runId));
      timers.set(
        runId,
        setTimeout(() => forget(runId), switchPauseMs),
      );
    }
    store.setState(({ runs }) => ({ runs: new Set([...runs, ...fresh]) }));
  });
  return [
    store,
    () => {
      end();
      for (const timer of timers.values()) clearTimeout(timer);
    },
  ];
}
