/**
 * The text about the time of a run: its earlier moments, and the bars of its timeline.
 */
import { type Counted, inLanguage, type Named, numberText } from '../../ui/language.ts';

interface Moment {
  /** A formatted time since the start of the run. */
  readonly time: string;
}

/** `start` and `duration` are formatted durations. */
interface BarTime {
  readonly start: string;
  readonly duration: string;
}

interface MomentEvent extends Moment {
  /** Number of the event, from 1. */
  readonly number: number;
  readonly total: number;
}

export const text = inLanguage('run-view/time', {
  showing: ({ time }: Moment) => `Showing ${time}`,
  /** The length of the run, and its state now. */
  of: ({ time, state }: Moment & { readonly state: string }) => `of ${time}, ${state}`,
  status: ({ time, number, total }: MomentEvent) =>
    `Showing ${time}, event ${numberText(number)} of ${numberText(total)}`,
  playhead: 'Moment of the run',
  event: ({ time, number, total }: MomentEvent) => `${time}, event ${numberText(number)} of ${numberText(total)}`,
  around: 'Around this moment',
  eventOf: ({ number, total }: Pick<MomentEvent, 'number' | 'total'>) =>
    `event ${numberText(number)} of ${numberText(total)}`,
  now: 'now',
  tip: {
    bar: ({ what, state, start, duration }: BarTime & { readonly what: string; readonly state: string }) =>
      `${what}: ${state}, from ${start} for ${duration}`,
    attempt: ({ name, number }: Named & { readonly number: number }) => `${name}, attempt ${numberText(number)}`,
    pause: 'pause before the next attempt',
    wait: 'waiting for a person',
    items: ({ name, count, start, duration }: Named & Counted & BarTime) =>
      `${name}: ${numberText(count)} items, from ${start} for ${duration}`,
    longest: ({ item, state, duration }: Omit<BarTime, 'start'> & { readonly item: string; readonly state: string }) =>
      `Longest: ${item}, ${state}, ${duration}`,
  },
  sum: ({ time }: Moment) => `Σ ${time}`,
  sumOf: ({ count, time }: Counted & Moment) => `Sum of ${numberText(count)} items: ${time}`,
  views: {
    timeline: 'Show the timeline',
    timelineWords: 'bars duration slow nodes gantt waterfall',
    log: 'Show the log',
    logWords: 'events lines trace messages filter search',
    outputs: 'Show the outputs of the run',
    outputsWords: 'table results data values rows',
    items: 'Go to the items of the loop',
    itemsWords: 'iterations index select slowest failed',
  },
  commands: {
    earlier: 'Show the previous event of the run',
    later: 'Show the next event of the run',
    earlierNode: 'Show the run before the last change of a node',
    laterNode: 'Show the run after the next change of a node',
    first: 'Show the first event of the run',
    now: 'Show the run as it is now',
    runAgain: 'Run again from this moment…',
  },
});
