/**
 * One line of the run history.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { RunEndStatus, RunKind } from './run-event.ts';

/** `interrupted` is derived, never stored: a run without `run:end` whose owner is dead. */
export type RunStatus = 'queued' | 'running' | 'suspended' | RunEndStatus | 'interrupted';

/** A run as the history lists it. */
export interface RunSummary {
  readonly runId: RunId;
  readonly kind: RunKind;
  readonly name: string;
  /** Relative to the workspace, with `/`. */
  readonly sourcePath: string;
  readonly definitionHash: string;
  readonly status: RunStatus;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Milliseconds; absent while the run goes on and for an interrupted one. */
  readonly durationMs?: number;
  readonly redoOf?: RunId;
  readonly redoCount?: number;
  readonly rerunOf?: RunId;
  readonly error?: ErrorRecord;
  readonly failedNodes: readonly string[];
}
