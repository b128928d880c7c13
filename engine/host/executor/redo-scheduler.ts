/**
 * Tracks which top-level run can be redone, and schedules each requested redo 500 ms after its run ends, with the count
 * increased by one. Runs can request a redo, but only the scheduler starts one.
 */

import { type Clock, passTime } from '../../base/clock.ts';
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { AcceptedRun, EndedRun } from './active-runs.ts';

/** Milliseconds between the end of a run and the next run of its chain. */
const redoPauseMs = 500;

/** One run of a chain. */
export interface RedoStep {
  /** Position in the chain; 0 for the first run. */
  readonly count: number;
}

/**
 * Calls `runOnce`, and repeats it as long as its result requests a redo, each time after 500 ms and with the count
 * increased by one.
 * @param firstCount 0, or the count of the run at which an earlier process stopped
 * @throws errors of `runOnce`, or the signal's reason if it aborts between runs
 */
export async function runChain<Result extends { readonly redoRequested: boolean }>(
  runOnce: (step: RedoStep, former: Result | undefined) => Promise<Result>,
  { clock, signal, firstCount }: { readonly clock: Clock; readonly signal: AbortSignal; readonly firstCount: number },
): Promise<Result> {
  let former: Result | undefined;
  for (let count = firstCount; ; count++) {
    const result = await runOnce({ count }, former);
    if (!result.redoRequested) return result;
    await passTime(clock, redoPauseMs, signal);
    former = result;
  }
}

/** A run to redo. */
export interface RedoContext {
  readonly runId: RunId;
  /** Number of runs in the chain before the next one; 0 if a person requested it. */
  readonly count: number;
}

interface SchedulerOptions {
  readonly clock: Clock;
  /** Starts the next run of a chain. */
  readonly redo: (context: RedoContext) => Promise<AcceptedRun>;
  /** Receives the error if a scheduled redo could not start. */
  readonly onRefused: (error: EngineError) => void;
}

export class RedoScheduler {
  readonly #options: SchedulerOptions;
  /** Controllers that end the pause before the next run, by run ID. */
  readonly #pauses = new Map<RunId, AbortController>();
  /** The next run of each chain, by run ID. */
  readonly #next = new Map<RunId, Promise<RunId | undefined>>();
  /** The last top-level run that ended; undefined if one is in progress or there was none. */
  #slot: RedoContext | undefined;
  #isClosed = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** Returns the run to redo if the request names none. @throws EngineError `redo.nothing` */
  current(): RedoContext {
    if (this.#slot === undefined) {
      throw new EngineError({ code: 'redo.nothing', message: 'Agent currently running, wait until done.' });
    }
    return { ...this.#slot, count: 0 };
  }

  /**
   * Schedules the redo that an accepted run requests.
   * @param former the run that it redoes; undefined for a new run
   */
  watch(run: AcceptedRun, former: RedoContext | undefined): void {
    this.#slot = undefined;
    const next = run.ended.then((end) => this.#follow(end, former));
    this.#next.set(run.runId, next);
    void next.then(() => {
      if (former !== undefined) this.#next.delete(former.runId);
    });
  }

  /** Returns the next run of the chain once it has been accepted; undefined if there is none. */
  async whenRedone(runId: RunId): Promise<RunId | undefined> {
    return await this.#next.get(runId);
  }

  /** Prevents all further redos. */
  close(): void {
    this.#isClosed = true;
    this.cancel(undefined);
  }

  /** Cancels the pending redo of a run, or of all runs if undefined. */
  cancel(runId: RunId | undefined): void {
    for (const [waiting, pause] of this.#pauses) {
      if (runId === undefined || runId === waiting) pause.abort();
    }
  }

  async #follow(end: EndedRun, former: RedoContext | undefined): Promise<RunId | undefined> {
    const { runId, status } = end;
    // If a redo fails, the original run remains the one to redo.
    this.#slot = status === 'failed' && former !== undefined ? former : { runId, count: 0 };
    if (status !== 'completed' || end.redoRequested !== true) return undefined;
    if (!(await this.#pause(runId))) return undefined;
    try {
      const next = await this.#options.redo({ runId, count: (former?.count ?? 0) + 1 });
      return next.runId;
    } catch (thrown) {
      this.#options.onRefused(asEngineError(thrown));
      return undefined;
    }
  }

  /** Waits for the pause to end. Returns false if it was canceled. */
  async #pause(runId: RunId): Promise<boolean> {
    if (this.#isClosed) return false;
    const pause = new AbortController();
    this.#pauses.set(runId, pause);
    try {
      await passTime(this.#options.clock, redoPauseMs, pause.signal);
      return true;
    } catch {
      return false;
    } finally {
      this.#pauses.delete(runId);
    }
  }
}

/** Returns the run that a resumed run is a redo of. */
export function formerOf({ redoOf, redoCount = 0 }: RunRecord): RedoContext | undefined {
  return redoOf === undefined ? undefined : { runId: redoOf, count: redoCount };
}
