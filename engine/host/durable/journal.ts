/**
 * The durable engine as one attempt of a run sees it. An attempt ends when the connection breaks; the next one replays
 * the journal.
 */

/** A pending operation of the journal. Only the journal that created it understands it. */
export type Handle = object;

/** The next finished operation. */
export interface Finished {
  readonly handle: Handle;
  /** The result of a step, or a message; empty for a timer or a cancellation. */
  readonly text: string;
}

/** The journal of a run during one attempt. Operations must be requested in the same order in each attempt. */
export interface Journal {
  /** Requests a step. `work` is called only if the journal has no result, and never rejects. */
  step(name: string, work: () => Promise<string>): Handle;
  /** Requests a timer that survives restarts. */
  sleep(ms: number): Handle;
  /** Requests the message with this number, starting at 0. */
  message(index: number): Handle;
  /** Requests the next cancellation by the durable engine. */
  cancellation(): Handle;
  /** Resolves to the first of the operations that finished, in the order of the journal. */
  next(handles: readonly Handle[]): Promise<Finished>;
  /** Ends the attempt. The durable engine starts the next one when an operation has finished. */
  suspend(): void;
  /** Aborts when the attempt has ended, for whatever reason. */
  readonly ended: AbortSignal;
}
