/**
 * Accepts requests and holds the runs that go on. It alone starts, redoes, resumes and cancels runs.
 */
import type { EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { cancellation } from '../kernel/cancel-scope.ts';
import type { RunListener } from '../kernel/hub.ts';
import type { RunSummary } from '../kernel/run-summary.ts';
import type { RunRecord } from '../store/run-store.ts';
import type { AcceptedRun } from './action.ts';
import { type ActionQueue, createActionQueue } from './action-queue.ts';
import { invalidState, refuseUnfitting } from './continuation.ts';
import type { RerunFrom, RerunStep, ResumeRun } from './engine-api.ts';
import { type IntakeWorld, RunIntake } from './run-intake.ts';
import { type RosterWorld, RunRoster } from './run-roster.ts';

export interface ExecutorWorld extends IntakeWorld, RosterWorld {
  readonly registry: IntakeWorld['registry'];
}

export interface Executor {
  readonly send: ActionQueue['send'];
  /** What a rerun would do; nothing runs. */
  planRerun(request: RerunFrom): Promise<readonly RerunStep[]>;
  /** The run's end while it is queued or running; undefined for any other. */
  whenActiveEnded(runId: RunId): Promise<RunSummary> | undefined;
  /** Stored events of all runs, in order. Returns the subscription's end. */
  subscribe(listener: RunListener): () => void;
  /** Takes no more actions, cancels what runs and waits for it. */
  close(): Promise<void>;
}

/** Makes the executor of one store. */
export function createExecutor(world: ExecutorWorld): Executor {
  const core = new ExecutorCore(world);
  const { intake, roster } = core;
  const queue = createActionQueue({
    cmdRun: async ({ request }) => roster.enter(await intake.start(request)),
    redo: async ({ runId, text }) => roster.enter(await intake.redo(runId, text)),
    rerunFrom: async ({ request }) => roster.enter(await intake.rerun(request)),
    resumeRun: ({ request }) => core.resume(request),
    cancelRun: ({ runId }) => core.cancel(runId),
  });
  return {
    send: queue.send,
    planRerun: async (request) => (await intake.readRerun(request)).rerun.plan(),
    whenActiveEnded: (runId) => roster.whenEnded(runId),
    subscribe: (listener) => roster.subscribe(listener),
    async close() {
      await queue.close();
      await roster.end();
    },
  };
}

class ExecutorCore {
  readonly intake: RunIntake;
  readonly roster: RunRoster;
  readonly #world: ExecutorWorld;

  constructor(world: ExecutorWorld) {
    this.intake = new RunIntake(world);
    this.roster = new RunRoster(world);
    this.#world = world;
  }

  async resume(request: ResumeRun): Promise<AcceptedRun> {
    const record = this.intake.recordOf(request.runId);
    if (this.roster.has(record.runId)) throw invalidState(record, 'Wait for its end, or cancel it.');
    refuseUnfitting(record, request);
    // A person has to decide first: nothing changes.
    if (record.status === 'suspended' && request.decision === undefined) {
      const { inputs: _inputs, nodeSettings: _settings, ...summary } = record;
      return { runId: record.runId, ended: Promise.resolve(summary) };
    }
    return await this.#goOn(record, request);
  }

  async cancel(runId: RunId | undefined): Promise<undefined> {
    this.roster.cancel(runId);
    if (runId === undefined || this.roster.has(runId)) return;
    const record = this.#world.store.getRun(runId);
    if (record?.status !== 'suspended' && record?.status !== 'interrupted') return;
    // Nobody runs it: it goes on only to end.
    await this.#goOn(record, undefined, cancellation());
  }

  async #goOn(record: RunRecord, answer: ResumeRun | undefined, stop?: EngineError): Promise<AcceptedRun> {
    const { store } = this.#world;
    store.claim(record.runId);
    try {
      return this.roster.enter(await this.intake.goOn(record, answer), stop);
    } catch (error) {
      store.giveUp(record.runId);
      throw error;
    }
  }
}
