/**
 * What `kill-child.ts` is told to do, and what it tells.
 */

export type KillOrder = { readonly isTrusted: boolean } & (
  | { readonly path: string; readonly text: string }
  /** An ended run that is to run again. */
  | { readonly rerun: string }
  /** A run that was cut, or waits. */
  | { readonly goOn: string }
);

/** An event of the run, that it was accepted, or how the program leaves it. */
export interface KillNews {
  readonly type: string;
  readonly runId?: string;
  readonly status?: string;
}
