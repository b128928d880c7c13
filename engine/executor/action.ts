/**
 * Requests to the executor: what it may be asked to do. A request may be refused; what became of it is told as events.
 */
import type { RunId } from '../base/ids.ts';
import type { RunSummary } from '../kernel/run-summary.ts';
import type { StartRun } from './engine-api.ts';

/** The closed list of requests. */
export type Action =
  | { readonly type: 'cmdRun'; readonly request: StartRun }
  /** Runs the definition of an earlier run again: the text given here, else the file read anew. */
  | { readonly type: 'redo'; readonly runId: RunId; readonly text?: string }
  /** Stops one run, or all of them. */
  | { readonly type: 'cancelRun'; readonly runId?: RunId };

/** A run that was accepted. It may still wait for its turn. */
export interface AcceptedRun {
  readonly runId: RunId;
  /** Resolves when the run has ended and its events are stored; never rejects. */
  readonly ended: Promise<RunSummary>;
}

/** What each request answers when it is accepted. */
export interface ActionResult {
  readonly cmdRun: AcceptedRun;
  readonly redo: AcceptedRun;
  readonly cancelRun: undefined;
}
