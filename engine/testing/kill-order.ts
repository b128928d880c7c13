/**
 * The order that `kill-child.ts` receives, and the lines that it prints.
 */

export type KillOrder = { readonly isTrusted: boolean } & (
  | { readonly path: string; readonly text: string }
  /** An ended run to run again. */
  | { readonly rerun: string }
  /** An interrupted or waiting run. */
  | { readonly proceed: string }
);

/** An event of the run, its acceptance, or its state when the program exits. */
export interface KillNews {
  readonly type: string;
  readonly runId?: string;
  readonly status?: string;
}
