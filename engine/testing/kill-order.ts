/**
 * The order that `kill-child.ts` gets, and the lines that it prints.
 */

export type KillOrder = { readonly isTrusted: boolean } & (
  | { readonly path: string; readonly text: string }
  /** An ended run that is to run again. */
  | { readonly rerun: string }
  /** A run that was interrupted, or waits. */
  | { readonly goOn: string }
);

/** An event of the run, that it was accepted, or how the program leaves it. */
export interface KillNews {
  readonly type: string;
  readonly runId?: string;
  readonly status?: string;
}
