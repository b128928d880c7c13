/**
 * Shows runs as they were at earlier moments. The events around a moment are read from the history.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { EventEnvelope, RunId } from '../../../../engine/isomorphic.ts';
import type { EngineClient } from '../../../bridge/engine-client.ts';
import type { WindowNotices } from '../../window/notices.ts';
import { text } from '../text.ts';
import { type LiveRun, runAt } from './live-run.ts';
import type { LiveRuns } from './live-runs.ts';
import { trackPageSize } from './run-track.ts';

/** Each method takes a root run. */
export interface RunMoments {
  /** Shows the run as it was right after an event. The last event shows it as it is now. */
  show(runId: RunId, seq: number): Promise<void>;
  /** Shows an earlier or later moment: the next event, or the next one that starts or settles a node. */
  step(runId: RunId, direction: 1 | -1, unit: 'event' | 'node'): Promise<void>;
}

interface Page {
  readonly runId: RunId;
  /** `seq` of the last event before it, or -1. */
  readonly after: number;
  readonly events: readonly EventEnvelope[];
}

/** Number of pages to keep, so that steps back and forth over the end of a page read nothing. */
const maxPages = 4;

export function createRunMoments(
  engine: EngineClient,
  liveRuns: StoreApi<LiveRuns>,
  notices: StoreApi<WindowNotices>,
): RunMoments {
  let pages: readonly Page[] = [];
  /** The moment that was requested last, until it is shown. */
  let wanted: { readonly runId: RunId; readonly seq: number } | null = null;
  let reading = Promise.resolve();
  let isReading = false;

  const pageOf = ({ runId, track }: LiveRun, seq: number): { readonly after: number; readonly page?: Page } => {
    const after = track.pointBefore(seq)?.state.seq ?? -1;
    const page = pages.find((one) => one.runId === runId && one.after === after);
    return page !== undefined && after + page.events.length >= seq ? { after, page } : { after };
  };

  /** Shows the wanted moment if its events are known. Returns the `seq` after which they must be read otherwise. */
  const showWanted = (): number | undefined => {
    if (wanted === null) return undefined;
    const { runId, seq } = wanted;
    const run = liveRuns.getState().runs.get(runId);
    if (run === undefined || seq >= run.track.lastSeq) liveRuns.getState().showNow(runId);
    else {
      const { after, page } = pageOf(run, seq);
      if (page === undefined) return after;
      liveRuns.getState().showPast(runAt(run, seq, page.events));
    }
    wanted = null;
    return undefined;
  };

  /** While the playhead is dragged, only the latest of the moments that were requested during a read is shown. */
  const readAndShow = async (): Promise<void> => {
    isReading = true;
    try {
      for (let after = showWanted(); after !== undefined && wanted !== null; after = showWanted()) {
        const { runId } = wanted;
        const events = await engine.call('readEvents', runId, after, trackPageSize);
        pages = [{ runId, after, events }, ...pages.filter((page) => page.runId === runId && page.after !== after)];
        pages = pages.slice(0, maxPages);
        // A history that has lost events must not be asked for them forever.
        if (wanted.runId === runId && after + events.length < Math.min(wanted.seq, after + trackPageSize))
          wanted = null;
      }
    } catch (error) {
      wanted = null;
      notices.getState().addError(text.moments.readFailed, error);
    } finally {
      isReading = false;
    }
  };

  const show = (runId: RunId, seq: number): Promise<void> => {
    wanted = { runId, seq: Math.max(0, seq) };
    if (!isReading) reading = readAndShow();
    return reading;
  };

  return {
    show,
    async step(runId, direction, unit) {
      const { runs, past } = liveRuns.getState();
      const run = runs.get(runId);
      if (run === undefined) return;
      const shown = wanted?.runId === runId ? wanted.seq : (past.get(runId)?.moment?.seq ?? run.track.lastSeq);
      await show(runId, unit === 'event' ? shown + direction : run.track.nodeStepFrom(shown, direction));
    },
  };
}
