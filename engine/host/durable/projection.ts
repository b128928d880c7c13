/**
 * Writes the events of durable runs to the shared history, in batches. While the database is away, events wait in
 * memory, and a run with many of them pauses.
 */
import type { Clock } from '../../base/clock.ts';
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunBatch, SharedHistory } from '../../history/postgres/shared-history.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { untilReachable } from './until-reachable.ts';

/** A run with more unwritten events pauses. */
const mostWaiting = 1000;

/** Maximum number of events in a transaction, unless a single group is larger. */
const mostInBatch = 500;

/** How long events are collected for a transaction, in milliseconds. */
const collectMs = 25;

/** Pause before a batch is written again after an unexpected error, in milliseconds. */
const afterProblemMs = 5000;

interface ProjectionOptions {
  readonly history: Pick<SharedHistory, 'project'>;
  readonly clock: Pick<Clock, 'setTimer'>;
  /** Receives errors, after which the batch is written again. */
  readonly onProblem: (error: EngineError) => void;
}

/** The events of one run. */
export class RunProjection {
  readonly runId: RunId;
  readonly #onAdded: () => void;
  readonly #writtenSeq: number;
  #events: EventEnvelope[] = [];
  #texts: string[] = [];
  #unwritten = 0;
  #waiting: (() => void)[] = [];

  constructor(runId: RunId, writtenSeq: number, onAdded: () => void) {
    this.runId = runId;
    this.#writtenSeq = writtenSeq;
    this.#onAdded = onAdded;
  }

  /** Number of events that are not in the history yet. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** Adds a text that later events refer to by its hash. */
  addText(text: string): void {
    this.#texts.push(text);
  }

  /** Adds events. A replay emits events again that are already in the history; these are ignored. */
  add(events: readonly EventEnvelope[]): void {
    const fresh = events.filter(({ seq }) => seq > this.#writtenSeq);
    if (fresh.length === 0) this.#texts = [];
    this.#events.push(...fresh);
    this.#unwritten += fresh.length;
    if (fresh.length > 0) this.#onAdded();
  }

  /** Removes and returns the next events; undefined if there are none. */
  take(): RunBatch | undefined {
    if (this.#events.length === 0) return undefined;
    const batch = { runId: this.runId, events: this.#events, texts: this.#texts };
    this.#events = [];
    this.#texts = [];
    return batch;
  }

  noteWritten(count: number): void {
    this.#unwritten -= count;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const check of waiting) check();
  }

  /** Resolves when few events wait. */
  async whenRoom(): Promise<void> {
    await this.#until(() => this.#unwritten <= mostWaiting);
  }

  /** Resolves when all events are in the history. */
  async whenWritten(): Promise<void> {
    await this.#until(() => this.#unwritten === 0);
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** The writer that all runs of a worker share. */
export class Projection {
  readonly #options: ProjectionOptions;
  readonly #changed = new Set<RunProjection>();
  #isWriting = false;

  constructor(options: ProjectionOptions) {
    this.#options = options;
  }

  /** @param writtenSeq number of the run's last event in the history; -1 if there is none */
  open(runId: RunId, writtenSeq: number): RunProjection {
    const run = new RunProjection(runId, writtenSeq, () => {
      this.#changed.add(run);
      if (!this.#isWriting) void this.#write();
    });
    return run;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#changed.size > 0) {
      await this.#whenCollected();
      const taken = this.#take();
      await this.#written(taken.map(({ batch }) => batch));
      for (const { run, batch } of taken) run.noteWritten(batch.events.length);
    }
    this.#isWriting = false;
  }

  /** A transaction costs far more than an event, so events of all runs are collected for a moment. */
  async #whenCollected(): Promise<void> {
    const waiting = [...this.#changed].reduce((sum, { unwritten }) => sum + unwritten, 0);
    const ms = waiting >= mostInBatch ? 0 : collectMs;
    await this.#pause(ms);
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.#options.clock.setTimer(resolve, ms));
  }

  #take(): readonly { readonly run: RunProjection; readonly batch: RunBatch }[] {
    const taken: { readonly run: RunProjection; readonly batch: RunBatch }[] = [];
    let count = 0;
    for (const run of this.#changed) {
      if (count >= mostInBatch) break;
      this.#changed.delete(run);
      const batch = run.take();
      if (batch === undefined) continue;
      taken.push({ run, batch });
      count += batch.events.length;
    }
    return taken;
  }

  /** Writes until it succeeds. Events of a run that was deleted from the history are dropped. */
  async #written(batches: readonly RunBatch[]): Promise<void> {
    for (;;) {
      try {
        await untilReachable(() => this.#options.history.project(batches));
        return;
      } catch (thrown) {
        const error = asEngineError(thrown);
        const isDeleted = EngineError.is(thrown) && error.code === 'run.not-found';
        if (isDeleted && batches.length === 1) return;
        if (isDeleted) {
          for (const batch of batches) await this.#written([batch]);
          return;
        }
        this.#options.onProblem(error);
        await this.#pause(afterProblemMs);
      }
    }
  }
}
