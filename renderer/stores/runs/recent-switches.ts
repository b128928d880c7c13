/**
 * Runs whose buttons have just become others: who is about to press the former one must not press what took its place.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RunId } from '../../../engine/isomorphic.ts';
import { isUnfinished, type LiveRun, type LiveRuns } from './live-runs.ts';

/** Milliseconds for which buttons that took the place of others do nothing. */
export const switchPauseMs = 1000;

export interface RecentSwitches {
  /** Runs that ended under their Cancel, or began where another run had its Run again, less than `switchPauseMs` ago. */
  readonly runs: ReadonlySet<RunId>;
}

/** Whether the run was on screen with Cancel, and has none any more. */
function hasEnded(run: LiveRun, before: LiveRun | undefined, { shown }: LiveRuns): boolean {
  if (before === undefined || !isUnfinished(before.state) || isUnfinished(run.state)) return false;
  // Of a run of the history nothing was known at first; nobody saw it run.
  return before.state.seq >= 0 || ![...shown.values()].some(({ runId, isChosen }) => isChosen && runId === run.runId);
}

/** Runs that now are shown as unfinished where an ended one was. */
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

/** Watches runs for such moments. The second value ends that. */
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
