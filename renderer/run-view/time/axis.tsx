/**
 * The scale of the timeline, with the playhead that marks the moment on screen.
 */
import { type PointerEvent, type RefObject, useRef } from 'react';
import type { LiveRun } from '../../stores/runs/live/live-runs.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { durationText } from '../../ui/quantity-text.ts';
import { text as words } from '../text.ts';
import { tickText } from '../timeline-model.ts';
import { rootIdOf } from './moments.tsx';
import { text } from './text.ts';

/** A click this close to the end, in pixels, leads to now. */
const snapPixels = 3;
/** Fraction of the axis reserved for the label of the current time. */
const nowLabelShare = 0.1;

/** Returns a place on the scale for a style. */
export function percent(ms: number, spanMs: number): string {
  return `${((100 * ms) / spanMs).toFixed(3)}%`;
}

interface AxisProps {
  /** The run as it is now. */
  readonly run: LiveRun;
  /** The run as it is on screen, if that is not now. */
  readonly then: LiveRun | undefined;
  readonly ticks: readonly number[];
  readonly spanMs: number;
  /** Milliseconds from the start of the run to its end, or to now. */
  readonly elapsedMs: number;
  /** The moment on screen, in milliseconds since the start. */
  readonly shownMs: number;
}

/** The scale. A click selects a moment, and so does dragging in it. */
export function Axis({ run, then, ticks, spanMs, elapsedMs, shownMs }: AxisProps) {
  const { moments } = useStores();
  const playhead = useRef<HTMLSpanElement>(null);
  const flags = then === undefined ? [shownMs] : [shownMs, elapsedMs];
  const isFree = (tick: number): boolean => flags.every((ms) => Math.abs(tick - ms) > nowLabelShare * spanMs);
  const showAt = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const ms = ((clientX - left) / width) * spanMs;
    const { lastSeq } = run.track;
    const isEnd = ms >= elapsedMs - (spanMs * snapPixels) / width;
    const seq = isEnd ? lastSeq : run.track.seqAt((run.state.startedAt ?? run.track.timeOf(0)) + ms);
    void moments.show(rootIdOf(run), seq);
  };
  return (
    <div className="timeline-grid timeline-header">
      <span aria-hidden className="timeline-name">
        {words.timeline.node}
      </span>
      <span aria-hidden className="timeline-number">
        {words.timeline.time}
      </span>
      <span aria-hidden className="timeline-number timeline-optional">
        {words.timeline.tokens}
      </span>
      <div
        className="timeline-track timeline-scale"
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          // Keeps the focus on the playhead, so that its keys go on from here.
          event.preventDefault();
          playhead.current?.focus();
          event.currentTarget.setPointerCapture(event.pointerId);
          showAt(event);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) showAt(event);
        }}
      >
        {ticks.filter(isFree).map((tick) => (
          <span key={tick} aria-hidden className="timeline-tick" style={{ left: percent(tick, spanMs) }}>
            {tickText(tick, ticks[1] ?? spanMs)}
          </span>
        ))}
        {then === undefined ? null : (
          <span aria-hidden className="timeline-now" style={{ left: percent(elapsedMs, spanMs) }}>
            {text.now}
          </span>
        )}
        <Playhead ref={playhead} run={then ?? run} place={percent(shownMs, spanMs)} ms={shownMs} />
      </div>
    </div>
  );
}

interface PlayheadProps {
  readonly ref: RefObject<HTMLSpanElement | null>;
  /** The run as it is on screen. */
  readonly run: LiveRun;
  readonly place: string;
  readonly ms: number;
}

/** Marks the moment on screen. Its keys are those of the timeline. */
function Playhead({ ref, run: { moment, track }, place, ms }: PlayheadProps) {
  const seq = moment?.seq ?? track.lastSeq;
  const time = durationText(ms);
  return (
    <span
      ref={ref}
      className="timeline-playhead"
      role="slider"
      tabIndex={0}
      aria-label={text.playhead}
      aria-valuemin={1}
      aria-valuemax={track.lastSeq + 1}
      aria-valuenow={seq + 1}
      aria-valuetext={text.event({ time, number: seq + 1, total: track.lastSeq + 1 })}
      style={{ left: place }}
    >
      {time}
    </span>
  );
}
