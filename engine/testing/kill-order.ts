/**
 * The order that `kill-child.ts` receives, and the lines that it prints.
 */

import type { JsonMap } from '../language/json/json-value.ts';
import type { Breakpoint } from '../runtime/kernel/hub/run-pause.ts';

/** What the person does at a held node, by its full name. Other nodes are let go by steps. */
export type KillDecision =
  | { readonly action: 'edit'; readonly input: JsonMap }
  | { readonly action: 'skip'; readonly output: JsonMap }
  /** Changes the output of a completed node before the run continues. */
  | { readonly action: 'change'; readonly of: string; readonly output: JsonMap };

/** A run in which a person stops, looks and changes values. */
export interface KillPerson {
  readonly breakpoints: Readonly<Record<string, readonly Breakpoint[]>>;
  /** The run is paused when this node starts. */
  readonly pausesAt: string;
  readonly decisions: Readonly<Record<string, KillDecision>>;
}

export type KillOrder = {
  readonly isTrusted: boolean;
  readonly person?: KillPerson;
  /** Decisions that an earlier process has acknowledged, and that are not made again. */
  readonly done?: readonly string[];
  /** Ends the program like a crash, around this commit of the history, counted from the order's start. */
  readonly crash?: { readonly commit: number; readonly when: 'before' | 'after' };
} & (
  | { readonly path: string; readonly text: string }
  /** An ended run to run again. */
  | { readonly rerun: string }
  /** An interrupted or waiting run. */
  | { readonly proceed: string }
);

/** An event of the run, its acceptance, a decision that is on disk, or the run's state when the program exits. */
export interface KillNews {
  readonly type: string;
  readonly runId?: string;
  readonly status?: string;
  /** The held node that the decision is about. */
  readonly decided?: string;
}
