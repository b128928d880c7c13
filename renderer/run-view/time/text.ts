/**
 * The text about earlier moments of a run.
 */
import { inLanguage, numberText } from '../../ui/language.ts';

interface Moment {
  /** A formatted time since the start of the run. */
  readonly time: string;
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
