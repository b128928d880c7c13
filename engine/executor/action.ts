/**
 * Requests to the executor: what it may be asked to do. A request may be refused; what became of it is told as events.
 */
import type { RunId } from '../base/ids.ts';
import type { WorkRecord } from '../store/work-store.ts';
import type { EndedRun } from './active-runs.ts';
import type { StartAgent } from './agent-api.ts';
import type { RerunFrom, ResumeRun, StartRun } from './engine-api.ts';

/** The closed list of requests. */
export type Action =
  | { readonly type: 'cmdRun'; readonly request: StartRun }
  | { readonly type: 'cmdRunAgent'; readonly request: StartAgent }
  /**
   * Runs the definition of an earlier run again: the text given here, else the file read anew. Without an id, that of the
   * last run.
   */
  | { readonly type: 'redo'; readonly runId?: RunId; readonly text?: string }
  /** Goes on with an interrupted run, or answers a suspended one. */
  | { readonly type: 'resumeRun'; readonly request: ResumeRun }
  /** Runs an earlier run again from one node on. */
  | { readonly type: 'rerunFrom'; readonly request: RerunFrom }
  /** Stops one run, or all of them. A suspended or interrupted one that is named ends as cancelled. */
  | { readonly type: 'cancelRun'; readonly runId?: RunId }
  /** Does work that waited for a person, and then what waited for it. */
  | { readonly type: 'workConfirm'; readonly workId: string }
  | { readonly type: 'workCancel'; readonly workId: string };

/** A run that was accepted. It may still wait for its turn. */
export interface AcceptedRun {
  readonly runId: RunId;
  /** Resolves when the run has ended and its events are stored; never rejects. */
  readonly ended: Promise<EndedRun>;
}

/** A run, or what has to be agreed to before there can be one. */
export type AcceptedWork = AcceptedRun | { readonly work: WorkRecord };

/** What each request answers when it is accepted. */
export interface ActionResult {
  readonly cmdRun: AcceptedRun;
  readonly cmdRunAgent: AcceptedWork;
  readonly redo: AcceptedRun;
  readonly resumeRun: AcceptedRun;
  readonly rerunFrom: AcceptedRun;
  readonly cancelRun: undefined;
  readonly workConfirm: AcceptedWork;
  readonly workCancel: undefined;
}
