/**
 * Defines jobs: recorded runs that are ready to start, for any kind of definition.
 */

import type { Clock } from '../../base/clock.ts';
import { EngineError, type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import type { IdSource, RunId, SessionId } from '../../base/ids.ts';
import type { NewRun, RunStore } from '../../history/store/run-store.ts';
import type { RunOrigin } from '../../runtime/flow/run-root.ts';
import type {
  RunEndEvent,
  RunKind,
  RunRefusedEvent,
  RunSuspendedEvent,
  StartedBy,
} from '../../runtime/kernel/events/run-event.ts';
import type { CancelScope } from '../../runtime/kernel/hub/cancel-scope.ts';
import type { Hub } from '../../runtime/kernel/hub/hub.ts';

export type LastEvent = RunEndEvent | RunSuspendedEvent | RunRefusedEvent;

/** The objects that a job uses while it runs. */
export interface RunningJob {
  readonly hub: Hub;
  readonly scope: CancelScope;
  /** Like `StepConstraints.budgetsLeft`, at the start of the node's latest attempt. */
  readonly budgetsLeft: () => Readonly<Record<string, number>>;
}

export interface RunJob {
  readonly runId: RunId;
  /** See `RunSummary.number`. */
  readonly number: number;
  readonly kind: RunKind;
  readonly name: string;
  readonly origin: RunOrigin;
  /** `seq` of its next event: 0 unless the run is resumed. */
  readonly firstSeq: number;
  /** Does the work and emits all events on `hub`, including the last one. Throws only in case of a bug. */
  execute(running: RunningJob): Promise<LastEvent>;
}

export interface RecordWorld {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sessionId: SessionId;
  /** Who starts runs, if a request does not say it. */
  readonly startedBy?: StartedBy;
  /** Receives the error if the store could not record the run. */
  readonly onRecordFailure: (error: EngineError) => void;
}

/**
 * Executes a job and converts a bug to the end of the run. Otherwise, callers that wait for the run would wait forever.
 */
export async function executeJob(job: RunJob, running: RunningJob): Promise<LastEvent> {
  const { hub } = running;
  try {
    return await job.execute(running);
  } catch (thrown) {
    const end = failedEnd(toErrorRecord(thrown));
    hub.emit(end);
    return end;
  }
}

/** Returns the last event of a run that a bug has ended. */
export function failedEnd(error: ErrorRecord): RunEndEvent {
  return { type: 'run:end', status: 'failed', error, failedNodes: [], durationMs: 0 };
}

/** Returns a job for a run that ends because a policy does not allow it to start. */
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

/** A run started by a conversation, with an ID that was chosen and recorded earlier. */
export interface RunOfConversation {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  readonly flowId: string;
}

/**
 * Records a queued run under a new ID, or under the ID chosen by its conversation. @throws EngineError the store's
 * error if it cannot record the run
 */
export function recordRun(
  run: Omit<NewRun, 'runId' | 'sessionId' | 'queuedAt'>,
  { store, clock, ids, sessionId: ownSession, onRecordFailure }: RecordWorld,
  { runId = ids.runId(), sessionId = ownSession }: Partial<RunOfConversation> = {},
): { readonly runId: RunId; readonly definitionHash: string; readonly number: number } {
  try {
    return { runId, ...store.createRun({ ...run, runId, sessionId, queuedAt: clock.now() }) };
  } catch (error) {
    // Other errors refuse the run: its firing was started by another process, or has to wait.
    if (EngineError.is(error) && error.code.startsWith('store.')) onRecordFailure(error);
    throw error;
  }
}
