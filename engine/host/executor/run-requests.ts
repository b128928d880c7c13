/**
 * Cancels and pauses runs across processes. Only the owner of a run acts on it, so other processes record a request in
 * the history, which the owner handles within a second.
 */
import type { Clock } from '../../base/clock.ts';
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import type { RunSummary } from '../../runtime/kernel/events/run-state.ts';
import type { PauseAction } from '../../runtime/kernel/hub/run-pause.ts';
import type { Actions } from './actions.ts';
import { type AcceptedRun, type ActiveRuns, type EndedRun, leftAsItIs } from './active-runs.ts';
import { invalidState, type ResumeRun } from './continuation.ts';
import { answererOf } from './decide-answer.ts';
import { type ChangeOutput, changedOutputOf, type HeldWorld, heldAnswerOf } from './held-answers.ts';
import { unlessInvalid } from './refusals.ts';
import { raisedBy } from './run-budget.ts';
import { warn } from './warn.ts';

export interface RunRequestsParts {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly actions: Pick<Actions, 'subscribe'>;
  readonly runs: Pick<ActiveRuns, 'has' | 'whenEnded' | 'pauseOf' | 'held' | 'followPauses' | 'publish'>;
  /** The policies that limit runs; undefined if there are none. */
  readonly policies: PolicySource | undefined;
  readonly cancelActive: (runId: RunId) => void;
  /**
   * Claims a suspended or interrupted run in order to end it as canceled. @throws EngineError `run.invalid-state` if
   * another process has claimed it, and the errors of a resumption
   */
  readonly end: (runId: RunId) => Promise<AcceptedRun>;
  /** Resumes a paused run that no process owns. @throws EngineError `run.invalid-state`, and the errors of a resumption */
  readonly proceed: (record: RunRecord, request: PauseDecision) => Promise<AcceptedRun>;
  /** For answers about nodes. */
  readonly world: HeldWorld;
  /** Receives the reason a run could not be ended here. */
  readonly onRefused: (error: EngineError) => void;
}

/** A person's decision about a paused run. */
type PauseDecision = ResumeRun & { readonly action: PauseAction };

/** SQLite does not notify about writes by other processes. Checking for them takes microseconds. */
const lookMs = 250;

export class RunRequests {
  readonly #parts: RunRequestsParts;
  readonly #stopListening: () => void;
  /** Runs of other processes that were canceled here and have not ended. */
  readonly #followed = new Set<RunId>();
  #version: number | undefined;
  #isActive = false;
  #endTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: RunRequestsParts) {
    this.#parts = parts;
    this.#stopListening = parts.actions.subscribe(({ type }) => {
      this.#isActive = type === 'exec:start';
      this.#lookLater();
    });
  }

  /**
   * Cancels a run that is not active here. A process that executes it gets a request. If it is suspended or interrupted,
   * or becomes so before its owner has handled the request, it is ended here.
   * @param active the end of a run that is active here and already canceled: if it was just being suspended, it did not
   * notice, and is ended afterwards
   * @throws EngineError `store.full` | `store.write-failed`
   */
  cancel(runId: RunId, active?: Promise<Pick<RunSummary, 'status'>>): void {
    if (active !== undefined) {
      void active.then(({ status }) => status === 'suspended' && this.cancel(runId)).catch(warn);
      return;
    }
    this.#followed.add(runId);
    this.#follow(runId);
    this.#lookLater();
  }

  /** @throws EngineError `run.invalid-state` for a run that is neither queued nor running; `store.*` */
  async pause(record: RunRecord): Promise<void> {
    const { store, clock, runs } = this.#parts;
    if (!store.requests.add(record.runId, 'pause', clock.now()))
      throw invalidState(record, 'Only a run that is queued or running can be paused.');
    runs.pauseOf(record.runId)?.pause();
  }

  /**
   * Lets a paused run continue or take a step, or gives a held node an output or an input.
   * @throws EngineError `run.invalid-state` if it is not paused; the errors of a resumption
   */
  async letGo(record: RunRecord, asked: PauseDecision): Promise<AcceptedRun> {
    const { store, clock, runs, proceed, world } = this.#parts;
    const { runId, status, waitStatus } = record;
    if (!store.requests.has(runId, 'pause') && waitStatus !== 'PAUSED') throw invalidState(record, 'It is not paused.');
    const by = answererOf(asked);
    const given = heldAnswerOf(record, asked, world);
    const { nodeId: _, ...decision } = asked;
    const request = {
      ...decision,
      ...(by === undefined ? {} : { by }),
      ...(given === undefined ? {} : { nodeId: given.name }),
    };
    if (request.action === 'raise') return await this.#raise(record, request);
    const isStep = request.action === 'step';
    // On disk before anything continues.
    if (given !== undefined) store.requests.give(runId, given);
    else if (!isStep) store.requests.letGo(runId);
    if (status === 'suspended' || status === 'interrupted') {
      store.requests.remove(runId, 'step');
      return await proceed(record, request);
    }
    const ended = runs.whenEnded(runId);
    if (ended === undefined) {
      // Its owner acts within a second.
      if (isStep) store.requests.add(runId, 'step', clock.now());
      return leftAsItIs(record);
    }
    const pause = runs.pauseOf(runId);
    if (given !== undefined) pause?.give(given.name, given.answer);
    pause?.apply(request.action);
    const afterEnd = async (end: EndedRun): Promise<EndedRun> => {
      // It was about to be suspended when it was let go.
      const isLeft = end.status === 'suspended' && pause?.mayStart === true;
      const suspended = isLeft ? store.getRun(runId) : undefined;
      return suspended?.waitStatus === 'PAUSED' ? await (await proceed(suspended, request)).ended : end;
    };
    return { runId, ended: ended.then(afterEnd) };
  }

  /** Changes an output in a paused run, which stays paused. @throws EngineError as `changedOutputOf` does; `store.*` */
  change(record: RunRecord, request: ChangeOutput): void {
    const { store, clock, runs, world } = this.#parts;
    const { event, like } = changedOutputOf(record, request, world) ?? {};
    if (event === undefined || like === undefined) return;
    runs.publish([store.note(record.runId, event, { at: clock.now(), like })]);
  }

  /** Returns how a person has let a paused run continue, if the process ended before it continued. */
  letGoBy({ runId, waitStatus }: RunRecord): 'continue' | 'raise' | undefined {
    const { requests } = this.#parts.store;
    if (waitStatus !== 'PAUSED' || requests.has(runId, 'pause')) return undefined;
    return requests.raiseOf(runId) === undefined ? 'continue' : 'raise';
  }

  /** Continues with a higher budget. Work that still runs finishes before that. */
  async #raise(record: RunRecord, request: PauseDecision): Promise<AcceptedRun> {
    const { store, runs, policies, proceed } = this.#parts;
    const { runId, status } = record;
    const raised = raisedBy(request, record, { store, policies });
    const isOver = status === 'suspended' || status === 'interrupted';
    const ended = runs.whenEnded(runId);
    if (!isOver && ended === undefined)
      throw invalidState(record, 'Wait until its running nodes have finished, and raise its budget then.');
    // On disk before anything continues.
    store.requests.raise(runId, raised);
    const resume = async (): Promise<AcceptedRun> => {
      store.requests.letGo(runId);
      return await proceed(record, request);
    };
    if (isOver || ended === undefined) return await resume();
    const afterEnd = async (end: EndedRun): Promise<EndedRun> =>
      end.status === 'suspended' ? await (await resume()).ended : end;
    return { runId, ended: ended.then(afterEnd) };
  }

  /** Stops checking. Open requests stay in the history for the owners. */
  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    this.#endTimer?.();
  }

  #lookLater(): void {
    this.#endTimer?.();
    this.#endTimer = undefined;
    const { store, clock } = this.#parts;
    // A history in memory has no other processes.
    const hasRequests = this.#isActive && store.file !== null;
    if (this.#isClosed || (!hasRequests && this.#followed.size === 0)) return;
    this.#endTimer = clock.setTimer(() => {
      try {
        if (hasRequests) this.#handleRequests();
        for (const runId of this.#followed) this.#follow(runId);
      } catch (error) {
        // The history is temporarily inaccessible. The next write of a run reports the reason.
        if (!EngineError.is(error)) warn(error);
      }
      this.#lookLater();
    }, lookMs);
  }

  /** Acts on the runs of this process for which others have recorded or withdrawn a request. */
  #handleRequests(): void {
    const { store, runs, cancelActive } = this.#parts;
    const version = store.foreignVersion();
    if (version === this.#version) return;
    for (const runId of store.requests.runsWith('cancel')) if (runs.has(runId)) cancelActive(runId);
    for (const { runId, pause } of runs.held())
      for (const [name, answer] of store.requests.answersOf(runId)) pause.give(name, answer);
    runs.followPauses(new Set(store.requests.runsWith('pause')));
    for (const runId of store.requests.runsWith('step')) {
      const pause = runs.pauseOf(runId);
      if (pause === undefined) continue;
      store.requests.remove(runId, 'step');
      pause.apply('step');
    }
    this.#version = version;
  }

  #follow(runId: RunId): void {
    const { store, clock, runs, cancelActive } = this.#parts;
    const status = store.findSummary(runId)?.status;
    if (runs.has(runId)) {
      this.#followed.delete(runId);
      cancelActive(runId);
    } else if (status === 'queued' || status === 'running') {
      if (!store.requests.has(runId, 'cancel')) store.requests.add(runId, 'cancel', clock.now());
    } else {
      this.#followed.delete(runId);
      if (status === 'suspended' || status === 'interrupted') void this.#end(runId);
    }
  }

  async #end(runId: RunId): Promise<void> {
    const { end, onRefused } = this.#parts;
    try {
      const ended = await unlessInvalid(() => end(runId));
      if (ended !== undefined || this.#isClosed) return;
      // Another process has claimed the run in the meantime.
      this.#followed.add(runId);
      this.#lookLater();
    } catch (thrown) {
      if (!this.#isClosed) onRefused(asEngineError(thrown));
    }
  }
}
