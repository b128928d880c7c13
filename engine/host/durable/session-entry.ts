/**
 * Defines the operations that a session requests from its journal.
 */
import type { Handle } from './journal.ts';

type EntryKind = 'step' | 'timer' | 'message' | 'cancel';

/** An operation that the session has requested. Kept after it has finished, for later attempts. */
export interface Entry {
  readonly kind: EntryKind;
  /** Name of a step or timer. */
  readonly name: string;
  /** Duration of a timer. */
  readonly ms: number;
  /** Due time of a timer in epoch milliseconds. */
  readonly dueAt: number;
  /** Whether it only limits other work. */
  readonly isLimit: boolean;
  /** Does a step's work and returns its text, once. Undefined when the result was delivered. */
  work: (() => Promise<string>) | undefined;
  /** Whether the work has started in this process. */
  hasBegun: boolean;
  /** The operation in the current attempt. */
  handle: Handle | undefined;
  resolve: (value: unknown) => void;
}

/** The fields of an operation that has neither work nor a duration. */
export const newEntry = { ms: 0, dueAt: 0, isLimit: false, work: undefined, hasBegun: false, handle: undefined };
