/**
 * Handles runs that are shown over a text that has changed since.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { OpenFiles } from '../../text/files.ts';
import { type LiveRuns, mayLoosen } from './live-runs.ts';

/** When the text under an ended run changes, also on disk, shows the new text and keeps the run over it. */
export function loosenOutdatedRuns(openFiles: StoreApi<OpenFiles>, liveRuns: StoreApi<LiveRuns>): () => void {
  return openFiles.subscribe(({ files }, former) => {
    for (const [path, flow] of files) {
      const before = former.files.get(path);
      if (before?.status !== 'ready' || before.text === flow.text) continue;
      const { shown, runs } = liveRuns.getState();
      const current = shown.get(path);
      const run = current === undefined ? undefined : runs.get(current.runId);
      if (current?.isChosen === false && run !== undefined && mayLoosen(run.state)) liveRuns.getState().loosen(path);
    }
  });
}
