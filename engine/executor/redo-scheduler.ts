/**
 * Which top-level run can be redone, and when one that asked for it is: 500 ms after its end, with the count one higher.
 * Runs only ask; nobody else decides.
 */
import { type Clock, sleep } from '../base/clock.ts';
import { asEngineError, EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { AcceptedRun, EndedRun } from './active-runs.ts';

/** Milliseconds between the end of a run and the next one of its chain. */
const redoPauseMs = 500;

/** One run of a chain. */
export interface RedoStep {
  /** 0 for the first. */
  readonly count: number;
}

/**
 * Runs something once, and again as long as what it gives says so: 500 ms after its end, with the count one higher.
 * @param firstCount 0, or that of the run of the chain with which an earlier process stopped
 * @throws what `runOnce` throws, or the signal's reason when it aborts in between
 */
export async function runChain<Result extends { readonly redoRequested: boolean }>(
  runOnce: (step: RedoStep, former: Result | undefined) => Promise<Result>,
  { clock, signal, firstCount }: { readonly clock: Clock; readonly signal: AbortSignal; readonly firstCount: number },
): Promise<Result> {
  let former: Result | undefined;
  for (let count = firstCount; ; count++) {
    const result = await runOnce({ count }, former);
    if (!result.redoRequested) return result;
    await sleep(clock, redoPauseMs, signal);
    former = result;
  }
}

/** A run that is to be run again. */
export interface RedoContext {
  readonly runId: RunId;
  /** How many runs of the chain come before the next one: 0 when a person asked for it. */
  readonly count: number;
}

interface SchedulerOptions {
  readonly clock: Clock;
  /** Starts the next run of a chain. */
  readonly redo: (context: RedoContext) => Promise<AcceptedRun>;
  /** Gets why a redo that was due could not start. */
  readonly onRefused: (error: EngineError) => void;
}

export class RedoScheduler {
  readonly #options: SchedulerOptions;
  /** By run: ends the pause before the next one. */
  readonly #pauses = new Map<RunId, AbortController>();
  /** By run: the next one of its chain. */
  readonly #next = new Map<RunId, Promise<RunId | undefined>>();
  /** The last top-level run that has ended; undefined while one goes on or when there was none. */
  #slot: RedoContext | undefined;
  #isClosed = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /** The run that a person means who names none. @throws EngineError `redo.nothing` */
  current(): RedoContext {
    if (this.#slot === undefined) {
      throw new EngineError({ code: 'redo.nothing', message: 'Agent currently running, wait until done.' });
    }
    return { ...this.#slot, count: 0 };
  }

  /**
   * Looks after a run that was accepted.
   * @param former what it redoes; undefined for a new run
   */
  watch(run: AcceptedRun, former: RedoContext | undefined): void {
    this.#slot = undefined;
    const next = run.ended.then((end) => this.#follow(end, former));
    this.#next.set(run.runId, next);
    void next.then(() => {
      if (former !== undefined) this.#next.delete(former.runId);
    });
  }

  /** The next run of the chain, once it has been accepted; undefined when there is none. */
  async whenRedone(runId: RunId): Promise<RunId | undefined> {
    return await this.#next.get(runId);
  }

  /** No run is redone from now on. */
  close(): void {
    this.#isClosed = true;
    this.cancel(undefined);
  }

  /** The run, or any of them, is not redone even if it is about to be. */
  cancel(runId: RunId | undefined): void {
    for (const [waiting, pause] of this.#pauses) {
      if (runId === undefined || runId === waiting) pause.abort();
    }
  }

  async #follow(end: EndedRun, former: RedoContext | undefined): Promise<RunId | undefined> {
    const { runId, status } = end;
    // What failed is no better base for another try than what it was a try of.
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

  /** False when the pause was ended by a cancel. */
  async #pause(runId: RunId): Promise<boolean> {
    if (this.#isClosed) return false;
    const pause = new AbortController();
    this.#pauses.set(runId, pause);
    try {
      await sleep(this.#options.clock, redoPauseMs, pause.signal);
      return true;
    } catch {
      return false;
    } finally {
      this.#pauses.delete(runId);
    }
  }
}
