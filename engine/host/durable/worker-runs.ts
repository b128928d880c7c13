/**
 * The runs that have, or recently had, an attempt in this worker.
 */
import type { RunId } from '../../base/ids.ts';
import type { DurableRun, DurableRunInput } from './durable-run.ts';
import type { Journal } from './journal.ts';

/** How long a run whose connection broke is kept after its last step has ended, in milliseconds. */
const keptMs = 60_000;

/** How often such runs are checked, in milliseconds. */
const checkMs = 1000;

interface KeptRun {
  readonly run: Promise<DurableRun>;
  /** The latest attempt. */
  journal: Journal;
}

interface WorkerRunsOptions {
  readonly open: (input: DurableRunInput) => Promise<DurableRun>;
  readonly onAttempt: () => void;
  readonly onEnded: () => void;
}

export class WorkerRuns {
  readonly #options: WorkerRunsOptions;
  readonly #runs = new Map<RunId, KeptRun>();
  readonly #opened = new Map<RunId, DurableRun>();
  #isDraining = false;

  constructor(options: WorkerRunsOptions) {
    this.#options = options;
  }

  /** Number of steps that are running. */
  get working(): number {
    return [...this.#opened.values()].reduce((sum, { session }) => sum + session.working, 0);
  }

  /** Number of events that are not in the history yet. */
  get unwritten(): number {
    return [...this.#opened.values()].reduce((sum, { unwritten }) => sum + unwritten, 0);
  }

  /**
   * Runs during one attempt. Resolves when the run has ended.
   * @throws SessionDrained; errors after which the durable engine starts another attempt
   */
  async attempt(input: DurableRunInput, journal: Journal): Promise<void> {
    const { runId } = input;
    this.#options.onAttempt();
    const kept = this.#runs.get(runId) ?? { run: this.#options.open(input), journal };
    kept.journal = journal;
    this.#runs.set(runId, kept);
    journal.ended.addEventListener('abort', () => void this.#leave(runId, kept, journal), { once: true });
    try {
      const run = await kept.run;
      this.#opened.set(runId, run);
      if (this.#isDraining) run.session.drain();
      await run.attempt(journal);
      this.#options.onEnded();
    } catch (thrown) {
      this.#forget(runId, kept);
      throw thrown;
    }
  }

  /** Ends the current attempts when their running steps have ended. */
  drain(): void {
    this.#isDraining = true;
    for (const { session } of this.#opened.values()) session.drain();
  }

  /** Forgets a run, for example because its journal does not match what the run requests. */
  drop(runId: RunId): void {
    const kept = this.#runs.get(runId);
    if (kept !== undefined) this.#forget(runId, kept);
  }

  /** Forgets a run without an attempt, unless it has steps that the next attempt may continue. */
  async #leave(runId: RunId, kept: KeptRun, journal: Journal): Promise<void> {
    const run = await kept.run.catch(() => undefined);
    let idleSince = Date.now();
    while (run?.session.hasSteps === true && !run.session.isOver && Date.now() - idleSince < keptMs) {
      await new Promise<void>((resolve) => {
        setTimeout(resolve, checkMs).unref();
      });
      if (kept.journal !== journal) return;
      if (run.session.working > 0) idleSince = Date.now();
    }
    if (kept.journal === journal) this.#forget(runId, kept);
  }

  #forget(runId: RunId, kept: KeptRun): void {
    if (this.#runs.get(runId) !== kept) return;
    this.#runs.delete(runId);
    this.#opened.get(runId)?.close();
    this.#opened.delete(runId);
  }
}
