import { useEffect, useState } from 'react';
import { isUnfinished, type LiveRun } from '../stores/runs/live-runs.ts';
import { selectShownRun } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';

/**
 * The run shown over a flow, anew every so many milliseconds while it goes on, and at once when it ends or another is
 * shown: a picture of all nodes and items together need not follow each event.
 */
export function useSteadyRun(path: string, everyMs: number): LiveRun | undefined {
  const { liveRuns } = useStores();
  const [run, setRun] = useState(() => selectShownRun(liveRuns.getState(), path));
  useEffect(() => {
    let shownId: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (): void => {
      clearTimeout(timer);
      timer = undefined;
      const latest = selectShownRun(liveRuns.getState(), path);
      shownId = latest?.runId;
      setRun(latest);
    };
    const follow = (): void => {
      const latest = selectShownRun(liveRuns.getState(), path);
      if (latest !== undefined && latest.runId === shownId && isUnfinished(latest.state)) {
        timer ??= setTimeout(take, everyMs);
      } else {
        take();
      }
    };
    take();
    const end = liveRuns.subscribe(follow);
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [liveRuns, path, everyMs]);
  return run;
}
