/**
 * Views of a run at an earlier moment: the bar over the canvas, and the keys that lead through time.
 */
import { History } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { isUnfinished, type LiveRun } from '../../stores/runs/live/live-runs.ts';
import type { RunMoments } from '../../stores/runs/live/run-moments.ts';
import { momentMs, spannedMs } from '../../stores/runs/live/run-time.ts';
import { shownStateOfRun } from '../../stores/runs/shown-run.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useRunNowPart, useShownRunPart } from '../../stores/use-flow.ts';
import { useRunNumber } from '../../stores/use-run.ts';
import { durationText, elapsedText } from '../../ui/quantity-text.ts';
import { visualStateLabels } from '../../ui/state-icon.tsx';
import { useNow } from '../../ui/use-now.ts';
import { startedText } from '../run-header.tsx';
import { text as words } from '../text.ts';
import { text } from './text.ts';

const secondMs = 1000;
/** Milliseconds between updates of the length of an active run. */
const tickEveryMs = 200;

/** Formats a time since the start of a run of that length: `0:21.4`, or `14 ms` in a run of less than a second. */
function momentText(ms: number, totalMs: number): string {
  return totalMs < secondMs ? durationText(ms) : elapsedText(ms);
}

/** Returns the run by which the moments of a shown run are selected. */
export function rootIdOf({ caller, runId }: LiveRun): LiveRun['runId'] {
  return caller?.runId ?? runId;
}

/** Returns the length of a run up to its latest event, in milliseconds. */
function lengthOf({ track, state }: LiveRun): number {
  return Math.max(0, track.timeOf(track.lastSeq) - (state.startedAt ?? track.timeOf(0)));
}

/** Returns the moment of the shown run in words, such as `Showing 0:21.4, event 87 of 148`. Null if that is now. */
export function useMomentWords(path: string): string | null {
  const ms = useShownRunPart(path, momentMs) ?? null;
  const seq = useShownRunPart(path, ({ moment }) => moment?.seq) ?? 0;
  // Not read while the run is shown as it is now, because they change with each event.
  const total = useRunNowPart(path, ({ track }) => (ms === null ? 0 : track.lastSeq + 1)) ?? 0;
  const length = useRunNowPart(path, (run) => (ms === null ? 0 : lengthOf(run))) ?? 0;
  return ms === null ? null : text.status({ time: momentText(ms, length), number: seq + 1, total });
}

/** The time of the moment on screen since the start of the run, or of its latest event. */
export function MomentTime({ path }: { readonly path: string }) {
  const past = useShownRunPart(path, momentMs) ?? null;
  const time = useRunNowPart(path, (run) => {
    const length = lengthOf(run);
    return momentText(past ?? length, length);
  });
  return <span className="moment-time">{time}</span>;
}

interface PastHeaderProps {
  /** The run as it is on screen. */
  readonly run: LiveRun;
  readonly now: LiveRun;
  /** Content at the start of the bar. */
  readonly lead: ReactNode;
  /** The buttons at the right end. */
  readonly children: ReactNode;
}

/** The bar over the canvas while an earlier moment of a run is on screen. */
export function PastHeader({ run, now, lead, children }: PastHeaderProps) {
  const number = useRunNumber(run.runId);
  const total = spannedMs(now, useNow(isUnfinished(now.state), tickEveryMs));
  const { of, showing } = text;
  return (
    <section className="run-header" aria-label={words.header.label}>
      {lead}
      <span className="run-pill run-pill-past">
        <History aria-hidden size={13} />
        {showing({ time: momentText(momentMs(run) ?? 0, total) })}
      </span>
      <b className="run-header-name">{startedText(now.state, number)}</b>
      <span className="run-stat run-header-cut">
        {of({ time: momentText(total, total), state: visualStateLabels[shownStateOfRun(now)] })}
      </span>
      <span className="run-header-gap" />
      {children}
    </section>
  );
}

/** Keys that lead through time, in the format of `data-own-keys`. */
const timeKeys = ['ArrowLeft', 'ArrowRight', 'Shift+ArrowLeft', 'Shift+ArrowRight'];

function moveByKey(moments: RunMoments, run: LiveRun, { key, shiftKey }: KeyboardEvent): boolean {
  const rootId = rootIdOf(run);
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    void moments.step(rootId, key === 'ArrowLeft' ? -1 : 1, shiftKey ? 'node' : 'event');
    return true;
  }
  if (shiftKey || (key !== 'Home' && key !== 'End')) return false;
  void moments.show(rootId, key === 'Home' ? 0 : run.track.lastSeq);
  return true;
}

/**
 * Returns the attributes of an element in which arrow keys lead through the events of the shown run, and Shift with
 * them through its nodes.
 * @param hasEnds whether Home and End lead to the first event and to now
 */
export function useTimeKeys(run: LiveRun | undefined, hasEnds: boolean) {
  const { moments } = useStores();
  if (run === undefined) return {};
  return {
    'data-own-keys': [...timeKeys, ...(hasEnds ? ['Home', 'End'] : [])].join(' '),
    onKeyDownCapture(event: KeyboardEvent) {
      const { ctrlKey, altKey, metaKey, key } = event;
      const isEnd = key === 'Home' || key === 'End';
      if (ctrlKey || altKey || metaKey || (isEnd && !hasEnds) || !moveByKey(moments, run, event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
