/**
 * Tracks active and queued runs from acceptance to end, and the subscribers to their events.
 */
import type { Clock } from '../../base/clock.ts';
import { asEngineError, type EngineError, type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import type { RunId, SessionId } from '../../base/ids.ts';
import { Listeners } from '../../base/listeners.ts';
import type { CassetteAnswers } from '../../history/cassette/cassette-answers.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { WorkRecord } from '../../history/store/work-store.ts';
import type { BudgetMeter } from '../../runtime/governance/budget.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import { endOfRefused } from '../../runtime/kernel/events/refused-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunStatus, RunSummary } from '../../runtime/kernel/events/run-state.ts';
import { cancellation, createCancelScope } from '../../runtime/kernel/hub/cancel-scope.ts';
import { createHub, type RunHub } from '../../runtime/kernel/hub/hub.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import { type NeededBudget, type PauseAction, RunPause } from '../../runtime/kernel/hub/run-pause.ts';
import type { SpentBudget } from '../../runtime/kernel/hub/spent-budget.ts';
import { createRunSlots } from './actions.ts';
import { BreakpointLists } from './breakpoint-lists.ts';
import { meterOf, spentOf } from './run-budget.ts';
import { executeJob, type LastEvent, type RunJob } from './run-job.ts';
import { warn } from './warn.ts';

export interface ActiveRunsOptions extends Omit<ActiveRunOptions, 'listener' | 'breakpoints'> {
  readonly maxConcurrentRuns: number;
}

/** How a run is queued. */
export interface EnteredRun {
  /** The run ends immediately, for this reason. */
  readonly stop?: EngineError | undefined;
  /** What a person has decided about a paused run. */
  readonly action?: PauseAction | undefined;
}

export class ActiveRuns {
  /** The breakpoints that the person has set. */
  readonly breakpoints: BreakpointLists;
  readonly #options: ActiveRunsOptions;
  readonly #slots;
  readonly #active = new Map<RunId, { readonly run: ActiveRun; readonly skipLine: () => void }>();
  readonly #listeners = new Listeners<Parameters<RunListener>>();

  constructor(options: ActiveRunsOptions) {
    this.#options = options;
    this.#slots = createRunSlots(options.maxConcurrentRuns);
    this.breakpoints = new BreakpointLists(options.store);
  }

  has(runId: RunId): boolean {
    return this.#active.has(runId);
  }

  /** Number of runs. */
  get count(): number {
    return this.#active.size;
  }

  /** Queues a recorded run. */
  enter(job: RunJob, { stop, action }: EnteredRun = {}): AcceptedRun {
    const run = createActiveRun(job, {
      ...{ ...this.#options, breakpoints: this.breakpoints },
      listener: (events) => this.#listeners.tell(warn, events),
    });
    if (stop !== undefined) run.cancel(stop);
    if (action !== undefined) run.pause.apply(action);
    this.#active.set(job.runId, { run, ...this.#slots.enter(() => this.#execute(run)) });
    return { runId: job.runId, ended: run.ended };
  }

  /** Cancels one run, or all runs. */
  cancel(runId: RunId | undefined): void {
    for (const { run, skipLine } of this.#active.values()) {
      if (runId !== undefined && run.runId !== runId) continue;
      run.cancel(cancellation());
      skipLine();
    }
  }

  /** Returns whether the work of an active run may start. */
  pauseOf(runId: RunId): RunPause | undefined {
    return this.#active.get(runId)?.run.pause;
  }

  /** Returns the active runs that are paused. */
  held(): readonly { readonly runId: RunId; readonly pause: RunPause }[] {
    return [...this.#active.values()].flatMap(({ run }) => (run.pause.isPaused ? [run] : []));
  }

  /** Pauses exactly the given runs, as far as they are active. */
  followPauses(paused: ReadonlySet<RunId>): void {
    for (const { run } of this.#active.values()) {
      const isPaused = paused.has(run.runId);
      if (isPaused === run.pause.isPaused) continue;
      if (isPaused) run.pause.pause();
      else run.pause.apply('continue');
    }
  }

  whenEnded(runId: RunId): Promise<EndedRun> | undefined {
    return this.#active.get(runId)?.run.ended;
  }

  /** Subscribes to stored events of all runs, in order. Returns a function that unsubscribes. */
  subscribe(listener: RunListener): () => void {
    return this.#listeners.add(listener);
  }

  /** Publishes events that were added to the history for a run that is not active. */
  publish(events: readonly EventEnvelope[]): void {
    this.#listeners.tell(warn, events);
  }

  /** Cancels all runs and waits for them. */
  async end(): Promise<void> {
    this.cancel(undefined);
    await Promise.all(Array.from(this.#active.values(), ({ run }) => run.ended));
  }

  async #execute(run: ActiveRun): Promise<void> {
    // Deferred, so that the caller learns the run's id before its first event.
    await Promise.resolve();
    try {
      await run.start();
    } finally {
      this.#active.delete(run.runId);
    }
  }
}

export interface ActiveRunOptions {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly sessionId: SessionId;
  /** Receives the run's events once they are stored. */
  readonly listener: RunListener;
  /** Receives the store's error when it cannot store further events. */
  readonly onRecordFailure: (error: EngineError) => void;
  /** The breakpoints that act in a run. */
  readonly breakpoints: Pick<BreakpointLists, 'sourceFor'>;
  /** Policies that limit runs; absent if there are none. */
  readonly policies?: PolicySource;
  /** What people gave nodes in a recording that is replayed; absent without a cassette. */
  readonly cassetteAnswers?: Pick<CassetteAnswers, 'of'> | undefined;
}

/** A run that has ended or waits for a person. */
export interface EndedRun extends RunSummary {
  /** Whether the agent requested another run. */
  readonly redoRequested?: true;
}

/** An accepted run, which may still be queued. */
export interface AcceptedRun {
  readonly runId: RunId;
  /** Resolves when the run has ended and its events are stored. Never rejects. */
  readonly ended: Promise<EndedRun>;
}

/** Returns a run that this process does not continue, in its current state. */
export function leftAsItIs(record: RunRecord): AcceptedRun {
  const { inputs: _inputs, nodeSettings: _settings, ...summary } = record;
  return { runId: record.runId, ended: Promise.resolve(summary) };
}

/** A run, or work that needs consent before it can start. */
export type AcceptedWork = AcceptedRun | { readonly work: WorkRecord };

interface ActiveRun {
  readonly runId: RunId;
  /**
   * Runs the flow. Must be called once, even for a run that was canceled while it was queued; such a run ends
   * immediately.
   */
  start(): Promise<void>;
  /** Cancels the run, queued or running. */
  cancel(reason: EngineError): void;
  /** Whether its work may start. */
  readonly pause: RunPause;
  /** Resolves when the run has ended and its events are stored. Never rejects. */
  readonly ended: Promise<EndedRun>;
}

function createPause({ runId, origin }: RunJob, options: ActiveRunOptions, spent: () => SpentBudget | undefined) {
  const { store, clock, breakpoints, cassetteAnswers } = options;
  const isUsedUp = (needs: NeededBudget) => spent()?.isUsedUp(needs, clock.now()) === true;
  return new RunPause(store.requests.has(runId, 'pause'), {
    breakpoints: breakpoints.sourceFor({ runId }),
    answers: [...(cassetteAnswers?.of(origin.sourcePath) ?? []), ...store.requests.answersOf(runId)],
    onHit: () => store.requests.add(runId, 'pause', clock.now()),
    ...(origin.budget === undefined ? {} : { isUsedUp }),
  });
}

/** Creates a queued run. Nothing happens before `start`. */
function createActiveRun(job: RunJob, options: ActiveRunOptions): ActiveRun {
  const scope = createCancelScope();
  const { runId, firstSeq } = job;
  let spent: SpentBudget | undefined;
  const pause = createPause(job, options, () => spent);
  let recordFailure: EngineError | undefined;
  let settle: (summary: EndedRun) => void;
  const ended = new Promise<EndedRun>((resolve) => {
    settle = resolve;
  });

  function openHub(meter: BudgetMeter | undefined): RunHub {
    const { store, clock } = options;
    return createHub({
      runId,
      sessionId: job.origin.sessionId ?? options.sessionId,
      clock,
      firstSeq,
      record: (events) => store.append(runId, events),
      intern: (value) => store.intern(value),
      keepDefinition: (text) => store.keepDefinition(text),
      ...((meter ?? spent) && {
        onEmit: (event, isOfCalled) => {
          meter?.take(event, isOfCalled);
          spent?.take(event, clock.now(), isOfCalled);
        },
      }),
      onRecordFailure(thrown) {
        recordFailure = asEngineError(thrown);
        options.onRecordFailure(recordFailure);
        scope.cancel(recordFailure);
      },
      onListenerError: warn,
    });
  }

  return {
    runId,
    ended,
    pause,
    cancel: (reason) => scope.cancel(reason),
    async start() {
      spent = spentOf(job, options.store);
      const meter = meterOf(job, { ...options, scope });
      const runHub = openHub(meter);
      let startedAt = options.clock.now();
      // Uses the start time in the history, which may be slightly later.
      runHub.subscribe(([first]) => {
        if (first?.event.type === 'run:start') startedAt = first.at;
      });
      runHub.subscribe(options.listener);
      const hub = runHub.hub.with({ pause });
      const end = await executeJob(job, { hub, scope, budgetsLeft: () => meter?.left() ?? {} });
      runHub.close();
      // Needed if the end of the run could not be stored. Otherwise, the run would be shown as running while this
      // process lives.
      options.store.giveUp(runId);
      scope.close();
      settle(summaryOf(job, asRecorded(end, recordFailure), startedAt));
    },
  };
}

interface RunEnding {
  readonly status: RunStatus;
  readonly durationMs?: number;
  readonly costUsd?: number;
  readonly unpricedCalls?: number;
  readonly failedNodes: readonly string[];
  readonly error?: ErrorRecord;
  readonly redoRequested?: true;
}

/**
 * Returns the end of the run according to the history. A success that could not be stored does not count, and the run
 * can be resumed.
 */
function asRecorded(end: LastEvent, failure: EngineError | undefined): RunEnding {
  const hasFailed = end.type === 'run:refused' || (end.type === 'run:end' && end.error !== undefined);
  if (failure !== undefined && !hasFailed) {
    return { status: 'interrupted', failedNodes: [], error: toErrorRecord(failure) };
  }
  if (end.type === 'run:suspended') return { status: 'suspended', failedNodes: [] };
  const last = end.type === 'run:refused' ? endOfRefused(end) : end;
  const { status, durationMs, costUsd, unpricedCalls, failedNodes, error, redoRequested } = last;
  return {
    ...{ status, durationMs, failedNodes },
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(unpricedCalls === undefined ? {} : { unpricedCalls }),
    ...(error === undefined ? {} : { error }),
    ...(redoRequested === undefined ? {} : { redoRequested }),
  };
}

/** Creates the summary of an ended run from its job and its end, because a full store has recorded neither. */
function summaryOf({ runId, number, kind, name, origin }: RunJob, ending: RunEnding, startedAt: number): EndedRun {
  const { rerunFromNode: _, rerunUntil: __, sessionId: ___, flowId: ____, ...told } = origin;
  return { runId, number, kind, name, ...told, startedAt, ...ending };
}
