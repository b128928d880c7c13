/**
 * A run that is recorded and ready to start, whatever it is a run of.
 */
import type { RunId } from '../base/ids.ts';
import type { RunOrigin } from '../flow/run-root.ts';
import type { Hub } from '../kernel/hub.ts';
import type { RunEndEvent, RunKind, RunSuspendedEvent } from '../kernel/run-event.ts';

export type LastEvent = RunEndEvent | RunSuspendedEvent;

export interface RunJob {
  readonly runId: RunId;
  readonly kind: RunKind;
  readonly name: string;
  readonly origin: RunOrigin;
  /** Number of its next event: 0 unless it goes on. */
  readonly firstSeq: number;
  /** Does the work; all of its events are told on `hub`, the last one included. Throws only for a bug. */
  execute(hub: Hub, signal: AbortSignal): Promise<LastEvent>;
}
