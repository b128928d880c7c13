/**
 * The run shown over a flow, for views of all its nodes or items, which need not follow each event.
 */
import { useEffect, useState } from 'react';
import { isUnfinished, type LiveRun } from '../../stores/runs/live/live-runs.ts';
import { selectRunNow } from '../../stores/runs/shown-run.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { inLiveFrame } from '../../ui/live-frame.ts';

/** Milliseconds between updates of an active run. */
const tickEveryMs = 200;
/** Milliseconds between updates while the run waits for a person. */
const waitEveryMs = 10_000;

/** A run as it is at a time, in epoch milliseconds. */
interface SteadyRun {
  readonly run: LiveRun | undefined;
  readonly now: number;
}

/** Returns milliseconds until the next update of a run that no event changes, or undefined if there is none. */
function restMsOf(run: LiveRun | undefined): number | undefined {
  if (run === undefined || !isUnfinished(run.state)) return undefined;
  return run.state.status === 'suspended' ? waitEveryMs : tickEveryMs;
}

/**
 * Returns the run shown over a flow, as it is now. Updates at a fixed interval while it is active, and at once when it ends or
 * another run is shown: a view of all nodes and items need not follow each event.
 */
export function useSteadyRun(path: string): SteadyRun {
  const { liveRuns } = useStores();
  const [steady, setSteady] = useState(
    (): SteadyRun => ({ run: selectRunNow(liveRuns.getState(), path), now: Date.now() }),
  );
  useEffect(() => {
    let shown: LiveRun | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cancelUpdate = (): void => undefined;
    let isSoon = false;
    const takeIn = (ms: number | undefined): void => {
      clearTimeout(timer);
      isSoon = ms === tickEveryMs;
      if (ms !== undefined)
        timer = setTimeout(() => {
          cancelUpdate = inLiveFrame(take);
        }, ms);
    };
    const take = (): void => {
      cancelUpdate();
      shown = selectRunNow(liveRuns.getState(), path);
      setSteady({ run: shown, now: Date.now() });
      takeIn(restMsOf(shown));
    };
    const follow = (): void => {
      const latest = selectRunNow(liveRuns.getState(), path);
      if (latest === shown) return;
      if (latest?.runId !== shown?.runId || restMsOf(latest) === undefined) take();
      else if (!isSoon) takeIn(tickEveryMs);
    };
    take();
    const end = liveRuns.subscribe(follow);
    return () => {
      end();
      clearTimeout(timer);
      cancelUpdate();
    };
  }, [liveRuns, path]);
  return steady;
}
