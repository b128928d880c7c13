/**
 * What leads back to any moment of a run: when its events happened, which of them start or settle nodes, and the run as
 * it was after every page of them. The events themselves are read from the history again, because streamed text makes
 * them too many to keep.
 */
import { type EventEnvelope, isNodeStep, type RunState, type WorkedTime } from '../../../../engine/isomorphic.ts';
import type { FollowedCalls } from './model-calls.ts';
import type { WindowRunLog } from './run-log.ts';

/** Number of events in a page. To show a moment, at most so many are read and folded. */
export const trackPageSize = 1000;

/** A run after the last event of a page. Its parts share what did not change. The log has no lines, only their number. */
interface TrackPoint {
  readonly state: RunState;
  readonly worked: WorkedTime;
  readonly log: WindowRunLog;
  readonly calls: FollowedCalls;
}

/** Grows with the run. All versions of the run share it. */
export class RunTrack {
  /** By `seq`, in epoch milliseconds. Never decreasing, even if a clock was set back. */
  readonly #times: number[] = [];
  readonly #nodeSteps: number[] = [];
  readonly #points: TrackPoint[] = [];

  /** `seq` of the last event, or -1. */
  get lastSeq(): number {
    return this.#times.length - 1;
  }

  /** Adds the next events of the run. Ignores known ones. */
  add(events: readonly EventEnvelope[]): void {
    for (const { seq, at, event } of events) {
      if (seq !== this.#times.length) continue;
      this.#times.push(Math.max(at, this.#times.at(-1) ?? at));
      if (isNodeStep(event)) this.#nodeSteps.push(seq);
    }
  }

  /** Keeps the run as it is after the last event, if that ends a page. */
  keep({ state, worked, log, calls }: TrackPoint): void {
    const page = Math.floor(state.seq / trackPageSize);
    if (state.seq !== this.lastSeq || (state.seq + 1) % trackPageSize !== 0 || page !== this.#points.length) return;
    const lines = { events: [], omittedCount: log.omittedCount + log.events.length };
    this.#points.push({ state, worked, log: { ...log, ...lines }, calls });
  }

  /** Returns the last kept point before an event. Undefined in the first page. */
  pointBefore(seq: number): TrackPoint | undefined {
    const page = Math.min(Math.floor(seq / trackPageSize), this.#points.length);
    return this.#points[page - 1];
  }

  /** Returns the time of an event in epoch milliseconds. */
  timeOf(seq: number): number {
    return this.#times[Math.max(0, Math.min(seq, this.lastSeq))] ?? 0;
  }

  /** Returns the last event that has happened at a time, in epoch milliseconds, or the first one. */
  seqAt(time: number): number {
    return Math.max(0, countUpTo(this.#times, time) - 1);
  }

  /** Returns the next event after this one that starts or settles a node, or the one before it. Else the last or first. */
  nodeStepFrom(seq: number, direction: 1 | -1): number {
    if (direction === 1) return this.#nodeSteps[countUpTo(this.#nodeSteps, seq)] ?? this.lastSeq;
    return this.#nodeSteps[countUpTo(this.#nodeSteps, seq - 1) - 1] ?? 0;
  }
}

/** Returns how many of the ascending numbers are at most `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((numbers[middle] ?? 0) <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}
