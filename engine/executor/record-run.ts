/**
 * An accepted run becomes part of the history before it starts.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError } from '../base/engine-error.ts';
import type { IdSource, RunId, SessionId } from '../base/ids.ts';
import type { NewRun, RunStore } from '../store/run-store.ts';

export interface RecordWorld {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sessionId: SessionId;
  /** Gets what the store threw when it could not take the run. */
  readonly onRecordFailure: (error: EngineError) => void;
}

/** Records a queued run under a fresh id. @throws EngineError what the store throws when it cannot take it */
export function recordRun(
  run: Omit<NewRun, 'runId' | 'sessionId' | 'queuedAt'>,
  { store, clock, ids, sessionId, onRecordFailure }: RecordWorld,
): { readonly runId: RunId; readonly definitionHash: string } {
  const runId = ids.runId();
  try {
    return { runId, ...store.createRun({ ...run, runId, sessionId, queuedAt: clock.now() }) };
  } catch (error) {
    if (EngineError.is(error)) onRecordFailure(error);
    throw error;
  }
}
