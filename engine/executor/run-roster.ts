/**
 * The runs that go on or wait for their turn, and those who listen to them.
 */
import type { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { Listeners } from '../base/listeners.ts';
import { cancellation } from '../kernel/cancel-scope.ts';
import type { RunListener } from '../kernel/hub.ts';
import type { AcceptedRun } from './action.ts';
import { type ActiveRun, createActiveRun, type EndedRun, type RunWorld } from './active-run.ts';
import type { RunJob } from './run-job.ts';
import { createRunSlots } from './run-slots.ts';
import { warn } from './warn.ts';

export interface RosterWorld extends Omit<RunWorld, 'listener'> {
  readonly maxConcurrentRuns: number;
}

export class RunRoster {
  readonly #world: RosterWorld;
  readonly #slots;
  readonly #active = new Map<RunId, { readonly run: ActiveRun; readonly skipLine: () => void }>();
  readonly #listeners = new Listeners<Parameters<RunListener>>();

  constructor(world: RosterWorld) {
    this.#world = world;
    this.#slots = createRunSlots(world.maxConcurrentRuns);
  }

  has(runId: RunId): boolean {
    return this.#active.has(runId);
  }

  /** Puts a recorded run in line; with a reason to stop, only for its end. */
  enter(job: RunJob, stop?: EngineError): AcceptedRun {
    const run = createActiveRun(job, { ...this.#world, listener: (events) => this.#listeners.tell(warn, events) });
    if (stop !== undefined) run.cancel(stop);
    this.#active.set(job.runId, { run, ...this.#slots.enter(() => this.#execute(run)) });
    return { runId: job.runId, ended: run.ended };
  }

  /** Asks one run, or all, to stop. */
  cancel(runId: RunId | undefined): void {
    for (const { run, skipLine } of this.#active.values()) {
      if (runId !== undefined && run.runId !== runId) continue;
      run.cancel(cancellation());
      skipLine();
    }
  }

  whenEnded(runId: RunId): Promise<EndedRun> | undefined {
    return this.#active.get(runId)?.run.ended;
  }

  subscribe(listener: RunListener): () => void {
    return this.#listeners.add(listener);
  }

  /** Cancels all and waits for them. */
  async end(): Promise<void> {
    this.cancel(undefined);
    await Promise.all(Array.from(this.#active.values(), ({ run }) => run.ended));
  }

  async #execute(run: ActiveRun): Promise<void> {
    // A turn of its own, so that whoever asked for the run learns its id before its first event.
    await Promise.resolve();
    try {
      await run.start();
    } finally {
      this.#active.delete(run.runId);
    }
  }
}
