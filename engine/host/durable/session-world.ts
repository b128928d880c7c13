/**
 * Defines what a session needs from the run it belongs to.
 */
import type { RunPause } from '../../runtime/kernel/hub/run-pause.ts';
import type { StartHold } from './run-message.ts';
import type { StepTexts } from './step-text.ts';

/** Dependencies of a session. */
export interface SessionWorld {
  readonly texts: StepTexts;
  /** Resolves when the run may continue, which may emit further events. */
  readonly whenRoom: () => Promise<void>;
  /**
   * Called after each completion, when the runner waits for the next one. @param waitsFor full name of the node that the
   * run waits for, if it only waits for people
   */
  readonly onQuiet: (waitsFor: string | undefined) => void;
  /** Called before an answer, a cancellation or the end of a pause is delivered. */
  readonly onNews: (hold?: StartHold) => void;
  /** Whether the run's nodes may start. */
  readonly pause: RunPause;
  /** How long a run may only wait before it leaves memory, in milliseconds. */
  readonly idleMs: number;
  readonly onStep: () => void;
}
