/**
 * What the timeline draws: a row for each node, with its bars.
 */
import type { ShownState } from '../stores/runs/shown-run.ts';

/** `pause` = the wait before the next attempt, `loop` = other nodes work for it, `wait` = a person is asked. */
export type BarKind = 'work' | 'failed-attempt' | 'pause' | 'loop' | 'wait';

export interface TimelineBar {
  readonly kind: BarKind;
  /** Milliseconds since the run began. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface TimelineRow {
  readonly nodeId: string;
  /** As on the card. */
  readonly name: string;
  /** How many loops stand around it. */
  readonly depth: number;
  readonly state: ShownState;
  readonly durationMs: number | null;
  readonly tokens: number | null;
  readonly bars: readonly TimelineBar[];
  /** Why, or how often; stands beside the last bar. */
  readonly note: string;
}

export interface TimelineNode {
  readonly id: string;
  readonly name: string;
  readonly isTolerated: boolean;
  readonly depth: number;
  /** In whose body it stands; null outside of loops. */
  readonly loopId: string | null;
}
