/**
 * Delivers answers to the runs that requested them, in any process, and applies deadlines, which answer in place of
 * people.
 */
import type { Clock } from '../../base/clock.ts';
import { asEngineError, EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { answerAtDeadline, deadlineName } from '../../runtime/kernel/requests/ask-deadline.ts';
import { engineClosed } from './actions.ts';
import { type AcceptedRun, type ActiveRuns, type EndedRun, leftAsItIs } from './active-runs.ts';
import { unlessInvalid } from './refusals.ts';
import { warn } from './warn.ts';

export interface AnsweringParts {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly runs: Pick<ActiveRuns, 'has' | 'count' | 'whenEnded' | 'subscribe'>;
  /** @throws EngineError `run.not-found` */
  readonly recordOf: (runId: RunId) => RunRecord;
  /** Makes a run that is active here check for answers. */
  readonly lookForAnswers: (runId: RunId) => void;
  /**
   * Resumes a run that no process owns. @param isOwn whether it was already claimed @throws EngineError
   * `run.invalid-state`
   */
  readonly proceed: (record: RunRecord, isOwn: boolean) => Promise<AcceptedRun>;
  /** Counts the work as an action. */
  readonly act: (handle: () => Promise<AcceptedRun>) => Promise<AcceptedRun>;
  /**
   * Returns whether runs without an owner are resumed here after they were answered or their deadlines have passed;
   * absent for never.
   */
  readonly resumesAnswered?: (() => Promise<boolean>) | undefined;
  /** Called when deadlines have sent reminders. */
  readonly onReminded: () => void;
  /** Receives the reason an answered run could not be resumed. */
  readonly onRefused: (error: EngineError) => void;
}

/**
 * Maximum number of checks. By then, a run's owner has taken its answers, which takes at most a second, and a run that
 * is about to be suspended is suspended.
 */
const mostLooks = 40;
const lookMs = 100;

/**
 * Maximum time to trust a timer in milliseconds, because the clock may change, and other processes may ask and answer.
 */
const lookAgainMs = 30_000;

export class Answering {
  readonly #parts: AnsweringParts;
  /** Runs that are about to be resumed here. */
  readonly #beginning = new Map<RunId, Promise<AcceptedRun>>();
  /** Answered runs that could not be resumed. They are not retried. */
  readonly #refused = new Set<RunId>();
  readonly #stopListening: () => void;
  #endTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: AnsweringParts) {
    this.#parts = parts;
    this.#stopListening = parts.runs.subscribe((events) => {
      if (events.some(({ event }) => 'request' in event && 'deadlineAt' in event.request)) this.#lookIn(0);
    });
    if (parts.resumesAnswered !== undefined) this.#lookIn(0);
  }

  /** Returns whether this engine owns the run or is about to own it. */
  isGoingOn(runId: RunId): boolean {
    return this.#parts.runs.has(runId) || this.#beginning.has(runId);
  }

  /** Handles a claimed answer: the run's owner receives it, or a run without an owner is resumed. */
  async answered(runId: RunId, isOwn: boolean): Promise<AcceptedRun> {
    const { runs, recordOf, clock, lookForAnswers } = this.#parts;
    await this.#beginning.get(runId)?.catch(() => undefined);
    const ended = runs.whenEnded(runId);
    if (ended !== undefined) {
      lookForAnswers(runId);
      return { runId, ended: ended.then((end) => this.#afterSuspension(end)) };
    }
    if (isOwn) return await this.#proceed(runId, true);
    for (let look = 0; look < mostLooks && this.#mayContinue(runId); look++) {
      // A deadline or another caller may have continued the run here in the meantime.
      const begun = await (this.#beginning.get(runId)?.catch(() => undefined) ?? this.#activeRun(runId));
      if (begun !== undefined) return begun;
      const { status } = recordOf(runId);
      const isOpen = status === 'suspended' || status === 'interrupted';
      const accepted = isOpen ? await unlessInvalid(() => this.#proceed(runId, false)) : undefined;
      if (accepted !== undefined) return accepted;
      await new Promise<void>((resolve) => clock.setTimer(resolve, lookMs));
    }
    return leftAsItIs(recordOf(runId));
  }

  /**
   * Resolves when a run of this engine ends or waits for a person. A suspension that has already been answered is not
   * reported: the run continues here, and its later end is reported. Undefined for a run that is not active here.
   */
  whenEnded(runId: RunId): Promise<EndedRun> | undefined {
    const begun = this.#beginning.get(runId) ?? this.#activeRun(runId);
    return begun?.then(({ ended }) => ended.then((end) => this.#afterSuspension(end)));
  }

  /**
   * Applies passed deadlines.
   * @param isMeant selects runs. @param takesOver whether to claim runs without an owner in order to resume them
   * @returns the runs that were answered, and whether they were claimed
   * @throws EngineError `store.*`
   */
  applyDue(isMeant: (runId: RunId) => boolean, takesOver: boolean): ReadonlyMap<RunId, boolean> {
    const { store, clock, onReminded } = this.#parts;
    const now = clock.now();
    const answered = new Map<RunId, boolean>();
    let hasReminded = false;
    for (const ask of store.waiting.due(now)) {
      if (!isMeant(ask.runId)) continue;
      const payload = answerAtDeadline(ask.onDeadline);
      if (payload === undefined) {
        hasReminded = store.waiting.remind(ask, now) || hasReminded;
        continue;
      }
      const { runId, onDeadline: _policy, ...question } = ask;
      const answer = { ...question, payload, by: deadlineName, at: now };
      const takes = takesOver && !this.isGoingOn(runId);
      const isOwn = unlessInvalid(() => store.claimAnswer(runId, answer, takes));
      if (isOwn !== undefined) answered.set(runId, isOwn || answered.get(runId) === true);
    }
    if (hasReminded) onReminded();
    return answered;
  }

  close(): void {
    this.#isClosed = true;
    this.#stopListening();
    this.#endTimer?.();
  }

  #lookIn(ms: number): void {
    if (this.#isClosed) return;
    this.#endTimer?.();
    this.#endTimer = this.#parts.clock.setTimer(() => {
      this.#endTimer = undefined;
      void this.#look().catch(warn);
    }, ms);
  }

  /** Applies deadlines, and resumes answered runs without an owner. */
  async #look(): Promise<void> {
    const { store, clock, runs } = this.#parts;
    const ofAll = (await this.#parts.resumesAnswered?.()) ?? false;
    if (this.#isClosed) return;
    try {
      const isMeant = (runId: RunId): boolean => ofAll || runs.has(runId);
      const answered = new Map(this.applyDue(isMeant, ofAll));
      const ready = ofAll ? [...store.waiting.runsWithNews(), ...store.requests.runsWith('continue')] : [];
      for (const runId of ready) answered.set(runId, answered.get(runId) ?? false);
      for (const [runId, isOwn] of answered) this.#takeUp(runId, isOwn);
      const now = clock.now();
      const next = store.waiting.nextDeadline(now);
      const untilNext = next === undefined ? lookAgainMs : next - now;
      if (this.#parts.resumesAnswered !== undefined || (next !== undefined && runs.count > 0))
        this.#lookIn(Math.min(lookAgainMs, untilNext));
    } catch (error) {
      // The history is temporarily inaccessible. The next action reports the reason.
      if (!EngineError.is(error)) throw error;
      this.#lookIn(lookAgainMs);
    }
  }

  #takeUp(runId: RunId, isOwn: boolean): void {
    if (this.#refused.has(runId)) return;
    void this.#parts
      .act(() => this.answered(runId, isOwn))
      .catch((thrown: unknown) => {
        this.#refused.add(runId);
        if (!this.#isClosed) this.#parts.onRefused(asEngineError(thrown));
      });
  }

  /** Returns whether a person has answered a run, or let a paused one continue. */
  #mayContinue(runId: RunId): boolean {
    const { requests, waiting } = this.#parts.store;
    return waiting.hasNews(runId) || requests.has(runId, 'continue');
  }

  #activeRun(runId: RunId): Promise<AcceptedRun> | undefined {
    const ended = this.#parts.runs.whenEnded(runId);
    return ended === undefined ? undefined : Promise.resolve({ runId, ended });
  }

  /**
   * Returns the end after a suspension that had already been answered. If another process continues the run, it stays
   * suspended here.
   */
  async #afterSuspension(end: EndedRun): Promise<EndedRun> {
    const { runId, status } = end;
    if (status !== 'suspended' || this.#isClosed) return end;
    const isAnswered = this.#beginning.has(runId) || this.#parts.store.waiting.hasNews(runId);
    if (!isAnswered) return end;
    // The reason that it could not continue is reported when the run is resumed explicitly.
    const next = await this.answered(runId, false).then(
      ({ ended }) => ended,
      () => end,
    );
    return next.status === 'running' || next.status === 'queued' ? end : next;
  }

  async #proceed(runId: RunId, isOwn: boolean): Promise<AcceptedRun> {
    const { proceed, recordOf, store } = this.#parts;
    // Closing cancels active runs. A run that has not continued yet instead keeps its answer for the next start of the
    // program.
    if (this.#isClosed) {
      if (isOwn) store.giveUp(runId);
      throw engineClosed();
    }
    const begun = proceed(recordOf(runId), isOwn);
    this.#beginning.set(runId, begun);
    try {
      return await begun;
    } finally {
      this.#beginning.delete(runId);
    }
  }
}
