/**
 * A run that is recorded and ready to start, whatever it is a run of.
 */

import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { IdSource, RunId, SessionId } from '../base/ids.ts';
import type { RunOrigin } from '../flow/run-root.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import type { Hub } from '../kernel/hub.ts';
import type { RunEndEvent, RunKind, RunRefusedEvent, RunSuspendedEvent } from '../kernel/run-event.ts';
import type { NewRun, RunStore } from '../store/run-store.ts';

export type LastEvent = RunEndEvent | RunSuspendedEvent | RunRefusedEvent;

/** What a job works with while it does its work. */
export interface RunningJob {
  readonly hub: Hub;
  readonly scope: CancelScope;
  /** As `StepConstraints.budgetsLeft`, when the latest attempt of a node began. */
  readonly budgetsLeft: () => Readonly<Record<string, number>>;
}

export interface RunJob {
  readonly runId: RunId;
  /** As `RunSummary.number`. */
  readonly number: number;
  readonly kind: RunKind;
  readonly name: string;
  readonly origin: RunOrigin;
  /** Number of its next event: 0 unless it goes on. */
  readonly firstSeq: number;
  /** Does the work; all of its events are told on `hub`, the last one included. Throws only for a bug. */
  execute(running: RunningJob): Promise<LastEvent>;
}

export interface RecordWorld {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sessionId: SessionId;
  /** Gets what the store threw when it could not take the run. */
  readonly onRecordFailure: (error: EngineError) => void;
}

/** The run as it ends when a policy does not let it begin. */
export function refusedJob(job: RunJob, refusal: Omit<RunRefusedEvent, 'type'> | undefined): RunJob {
  if (refusal === undefined) return job;
  const event: RunRefusedEvent = { type: 'run:refused', ...refusal };
  return {
    ...job,
    execute({ hub }) {
      hub.emit(event);
      return Promise.resolve(event);
    },
  };
}

/** Of a run that a conversation starts: its id was chosen, and noted, before. */
export interface RunOfConversation {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  readonly flowId: string;
}

/** Records a queued run under a fresh id, or that of its conversation. @throws EngineError what the store throws when it cannot take it */
export function recordRun(
  run: Omit<NewRun, 'runId' | 'sessionId' | 'queuedAt'>,
  { store, clock, ids, sessionId: ownSession, onRecordFailure }: RecordWorld,
  { runId = ids.runId(), sessionId = ownSession }: Partial<RunOfConversation> = {},
): { readonly runId: RunId; readonly definitionHash: string; readonly number: number } {
  try {
    return { runId, ...store.createRun({ ...run, runId, sessionId, queuedAt: clock.now() }) };
  } catch (error) {
    if (EngineError.is(error)) onRecordFailure(error);
    throw error;
  }
}
