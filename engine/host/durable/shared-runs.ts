/**
 * Starts, follows and cancels runs through a shared history. Needs no access to the workers.
 */
import type { Clock } from '../../base/clock.ts';
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import type { IdSource, RunId, SessionId } from '../../base/ids.ts';
import { Listeners } from '../../base/listeners.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import type { AutonomyLevel } from '../../language/flow/autonomy.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import type { BreakpointsByFile } from '../../runtime/kernel/hub/run-pause.ts';
import { systemUser } from '../executor/decide-answer.ts';
import type { PreparedRun } from '../executor/prepare-run.ts';
import { runNotFound } from '../executor/refusals.ts';
import { warn } from '../executor/warn.ts';
import { type AttemptFailure, noWorker, type RestateClient } from './restate-client.ts';
import { serviceOf } from './restate-url.ts';
import { untilReachable } from './until-reachable.ts';

/** A validated run to start with Restate. */
export interface StartSharedRun {
  readonly run: PreparedRun;
  readonly autonomy?: AutonomyLevel;
  readonly maxParallel?: number;
  readonly breakpoints?: BreakpointsByFile;
}

interface SharedRunsOptions {
  readonly history: SharedHistory;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Receives the error of a cancellation that could not be requested, and why a started run makes no progress. */
  readonly onNote: (note: EngineError) => void;
}

/** Number of events per read. */
const pageSize = 500;

/** Maximum time between two reads, in case a notification is lost, in milliseconds. */
const readAgainMs = 1000;

/** Events after which a run has ended or waits for a person. */
const lastTypes: ReadonlySet<string> = new Set(['run:end', 'run:refused', 'run:suspended']);

export class SharedRuns {
  readonly #options: SharedRunsOptions;
  readonly #sessionId: SessionId;
  readonly #listeners = new Listeners<[readonly EventEnvelope[]]>();
  /** Runs that were started or continued here, with the number of the last event that was read. */
  readonly #followed = new Map<RunId, number>();
  /** Watches of the runs that were started here. */
  readonly #watches = new Map<RunId, ProgressWatch>();

  constructor(options: SharedRunsOptions) {
    this.#options = options;
    this.#sessionId = options.ids.sessionId();
  }

  /** Records a run and starts it with Restate. @throws EngineError `restate.*` | `store.*` */
  async start(
    { run, breakpoints, ...options }: StartSharedRun,
    client: RestateClient,
  ): Promise<{ readonly runId: RunId }> {
    const { history, clock, ids, onNote } = this.#options;
    // Before anything is recorded, because a run without a worker would stay queued.
    if (!(await client.hasService())) throw noWorker(serviceOf(history.workspace));
    const runId = ids.runId();
    const sessionId = this.#sessionId;
    const host = { engine: 'restate' };
    const paths = Object.entries(breakpoints ?? {}).map(([path, list]) => [path, list.map((one) => ({ ...one }))]);
    const hostInput: JsonMap = {
      ...{ sessionId, ...options },
      ...(breakpoints === undefined ? {} : { breakpoints: Object.fromEntries(paths) }),
    };
    await history.createRun({ ...run, runId, sessionId, kind: 'flow', queuedAt: clock.now(), host, hostInput });
    const reference = await untilReachable(() => client.start(runId, hostInput));
    await untilReachable(() => history.markSubmitted(runId, reference));
    const { workspace } = history;
    this.#watches.set(runId, new ProgressWatch({ client, reference, workspace, clock, onNote }));
    this.#followed.set(runId, -1);
    return { runId };
  }

  /** Subscribes to the events of runs that are awaited with `whenEnded`. Returns a function that unsubscribes. */
  subscribe(listener: RunListener): () => void {
    return this.#listeners.add(listener);
  }

  /** Follows a run from its next event. */
  async follow(runId: RunId): Promise<void> {
    this.#followed.set(runId, await this.#options.history.projectedSeq(runId));
  }

  /** Resolves when a followed run has ended or waits for a person. @throws EngineError `run.not-found` */
  async whenEnded(runId: RunId): Promise<RunSummary> {
    const changes = new Changes(this.#options);
    try {
      while (!(await this.#readOn(runId))) {
        await this.#watches.get(runId)?.check(this.#followed.get(runId) ?? -1);
        await changes.next();
      }
    } finally {
      changes.close();
    }
    return await this.#summary(runId);
  }

  /** Reads the run's new events. Returns whether it has ended or waits for a person. */
  async #readOn(runId: RunId): Promise<boolean> {
    const { history } = this.#options;
    for (;;) {
      const seq = this.#followed.get(runId) ?? -1;
      const events = await untilReachable(() => history.readEvents(runId, seq, pageSize));
      const last = events.at(-1);
      if (last === undefined) return false;
      this.#followed.set(runId, last.seq);
      this.#listeners.tell(warn, events);
      if (last.rootRunId === undefined && lastTypes.has(last.event.type)) return true;
    }
  }

  /** Requests that a run be canceled; without an ID, the runs that are followed here. */
  cancelRun(runId?: RunId): void {
    const { history, onNote } = this.#options;
    for (const one of runId === undefined ? this.#followed.keys() : [runId])
      untilReachable(() => history.request(one, 'cancel', systemUser())).catch(onNote);
  }

  async #summary(runId: RunId): Promise<RunSummary> {
    const summary = await untilReachable(() => this.#options.history.findSummary(runId));
    if (summary === undefined) throw runNotFound(runId);
    return summary;
  }
}

/** Changes of the history since the last look. */
class Changes {
  readonly #stopWatching: () => void;
  readonly #clock: Clock;
  #hasChanged = false;
  #wake: (() => void) | undefined;

  constructor({ history, clock }: Pick<SharedRunsOptions, 'history' | 'clock'>) {
    this.#clock = clock;
    this.#stopWatching = history.watch(() => {
      this.#hasChanged = true;
      this.#wake?.();
    });
  }

  /** Resolves at a change since the last call, or after a while. */
  async next(): Promise<void> {
    if (!this.#hasChanged) {
      let stopTimer = (): void => undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        stopTimer = this.#clock.setTimer(resolve, readAgainMs);
      });
      stopTimer();
    }
    this.#hasChanged = false;
  }

  close(): void {
    this.#stopWatching();
  }
}

interface ProgressWatchOptions {
  readonly client: Pick<RestateClient, 'attemptFailure'>;
  /** Restate's ID of the run. */
  readonly reference: string;
  /** Name of the workspace. */
  readonly workspace: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly onNote: (note: EngineError) => void;
}

/** How long a run has no events before Restate is asked about it, in milliseconds. */
const patienceMs = 5000;

export class ProgressWatch {
  readonly #options: ProgressWatchOptions;
  #seq = -1;
  #askAt: number;
  #hasReported = false;

  constructor(options: ProgressWatchOptions) {
    this.#options = options;
    this.#askAt = options.clock.now() + patienceMs;
  }

  /** Must be called regularly. Reports a problem once until the run continues. @param seq number of its last event */
  async check(seq: number): Promise<void> {
    const { client, reference, workspace, clock, onNote } = this.#options;
    if (seq !== this.#seq) {
      this.#seq = seq;
      this.#hasReported = false;
      this.#askAt = clock.now() + patienceMs;
    }
    if (this.#hasReported || clock.now() < this.#askAt) return;
    this.#askAt = clock.now() + patienceMs;
    const note = await client.attemptFailure(reference).then(
      (failure) => failure && failedAttempt(workspace, failure),
      (thrown: unknown) => asEngineError(thrown),
    );
    if (note === undefined) return;
    this.#hasReported = true;
    onNote(note);
  }
}

function failedAttempt(workspace: string, { address, isUnreachable, reason }: AttemptFailure): EngineError {
  const problem = isUnreachable
    ? `No worker of workspace ${workspace} answers at ${address}. The run continues when one is started there.`
    : `Restate cannot continue the run with the worker of workspace ${workspace} at ${address} now, and tries again.`;
  return new EngineError({ code: 'restate.no-answer', message: `${problem} Restate's reason: ${reason}` });
}
