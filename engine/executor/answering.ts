/**
 * Answers on their way to the runs that have asked, whoever runs them; and deadlines, which answer in place of people.
 */
import type { Clock } from '../base/clock.ts';
import { asEngineError, EngineError } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import { answerAtDeadline, deadlineName } from '../kernel/ask-deadline.ts';
import type { RunRecord, RunStore } from '../store/run-store.ts';
import { engineClosed } from './actions.ts';
import type { AcceptedRun, ActiveRuns, EndedRun } from './active-runs.ts';
import { unlessInvalid } from './refusals.ts';
import { warn } from './warn.ts';

export interface AnsweringParts {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly runs: Pick<ActiveRuns, 'has' | 'count' | 'whenEnded' | 'subscribe'>;
  /** @throws EngineError `run.not-found` */
  readonly recordOf: (runId: RunId) => RunRecord;
  /** Has a run that goes on here look for answers. */
  readonly lookForAnswers: (runId: RunId) => void;
  /** Goes on with a run that nobody has. @param isOwn it was taken over already @throws EngineError `run.invalid-state` */
  readonly goOn: (record: RunRecord, isOwn: boolean) => Promise<AcceptedRun>;
  /** Counts what is done as an action. */
  readonly act: (handle: () => Promise<AcceptedRun>) => Promise<AcceptedRun>;
  /** Whether runs that nobody has go on here, when they were answered or their deadlines have come; absent = never. */
  readonly resumesAnswered?: (() => Promise<boolean>) | undefined;
  /** Deadlines have had people told again. */
  readonly onReminded: () => void;
  /** Gets why a run could not go on that was answered. */
  readonly onRefused: (error: EngineError) => void;
}

/** Whoever has a run takes its answers within a second; one that was about to be suspended has been by then. */
const mostLooks = 40;
const lookMs = 100;

/** The clock may be put forward or back, and others may ask and answer: no timer is trusted for longer. */
const lookAgainMs = 30_000;

export class Answering {
  readonly #parts: AnsweringParts;
  /** Runs that are about to go on here. */
  readonly #beginning = new Map<RunId, Promise<AcceptedRun>>();
  /** Runs that were answered and could not go on: they are not tried again and again. */
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

  /** Whether this engine has the run, or is about to. */
  isGoingOn(runId: RunId): boolean {
    return this.#parts.runs.has(runId) || this.#beginning.has(runId);
  }

  /** An answer is claimed: whoever has the run gets it, and who finds it without an owner goes on with it. */
  async answered(runId: RunId, isOwn: boolean): Promise<AcceptedRun> {
    const { runs, recordOf, store, clock, lookForAnswers } = this.#parts;
    await this.#beginning.get(runId)?.catch(() => undefined);
    const ended = runs.whenEnded(runId);
    if (ended !== undefined) {
      lookForAnswers(runId);
      return { runId, ended: ended.then((end) => this.#afterSuspension(end)) };
    }
    if (isOwn) return await this.#goOn(runId, true);
    for (let look = 0; look < mostLooks && store.waiting.hasNews(runId); look++) {
      // A deadline or another caller may have continued the run here in the meantime.
      const begun = await (this.#beginning.get(runId)?.catch(() => undefined) ?? this.#activeRun(runId));
      if (begun !== undefined) return begun;
      const { status } = recordOf(runId);
      const isOpen = status === 'suspended' || status === 'interrupted';
      const accepted = isOpen ? await unlessInvalid(() => this.#goOn(runId, false)) : undefined;
      if (accepted !== undefined) return accepted;
      await new Promise<void>((resolve) => clock.setTimer(resolve, lookMs));
    }
    const { inputs: _inputs, nodeSettings: _settings, ...summary } = recordOf(runId);
    return { runId, ended: Promise.resolve(summary) };
  }

  /**
   * Resolves when a run of this engine ends or waits for a person. A suspension that has been answered by then is not reported: the
   * run continues here, and its end is what counts. Undefined for a run that is not active here.
   */
  whenEnded(runId: RunId): Promise<EndedRun> | undefined {
    const begun = this.#beginning.get(runId) ?? this.#activeRun(runId);
    return begun?.then(({ ended }) => ended.then((end) => this.#afterSuspension(end)));
  }

  /**
   * Does what deadlines have come for.
   * @param isMeant of which runs. @param takesOver whether those that nobody has are taken over, to go on with them
   * @returns the runs that were answered so, and whether they were taken over
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

  /** Deadlines, and answers that nobody has taken up. */
  async #look(): Promise<void> {
    const { store, clock, runs } = this.#parts;
    const ofAll = (await this.#parts.resumesAnswered?.()) ?? false;
    if (this.#isClosed) return;
    try {
      const isMeant = (runId: RunId): boolean => ofAll || runs.has(runId);
      const answered = new Map(this.applyDue(isMeant, ofAll));
      if (ofAll) for (const runId of store.waiting.runsWithNews()) answered.set(runId, answered.get(runId) ?? false);
      for (const [runId, isOwn] of answered) this.#takeUp(runId, isOwn);
      const now = clock.now();
      const next = store.waiting.nextDeadline(now);
      const untilNext = next === undefined ? lookAgainMs : next - now;
      if (this.#parts.resumesAnswered !== undefined || (next !== undefined && runs.count > 0))
        this.#lookIn(Math.min(lookAgainMs, untilNext));
    } catch (error) {
      // The history cannot be read or written just now; whoever acts hears why.
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

  #activeRun(runId: RunId): Promise<AcceptedRun> | undefined {
    const ended = this.#parts.runs.whenEnded(runId);
    return ended === undefined ? undefined : Promise.resolve({ runId, ended });
  }

  /** The end after a suspension that had been answered already. If another process continues the run, it stays suspended here. */
  async #afterSuspension(end: EndedRun): Promise<EndedRun> {
    const { runId, status } = end;
    if (status !== 'suspended' || this.#isClosed) return end;
    const isAnswered = this.#beginning.has(runId) || this.#parts.store.waiting.hasNews(runId);
    if (!isAnswered) return end;
    // Why it could not continue is reported when somebody resumes it.
    const next = await this.answered(runId, false).then(
      ({ ended }) => ended,
      () => end,
    );
    return next.status === 'running' || next.status === 'queued' ? end : next;
  }

  async #goOn(runId: RunId, isOwn: boolean): Promise<AcceptedRun> {
    const { goOn, recordOf, store } = this.#parts;
    // Closing cancels what runs. A run that has not continued yet keeps its answer for the next program instead.
    if (this.#isClosed) {
      if (isOwn) store.giveUp(runId);
      throw engineClosed();
    }
    const begun = goOn(recordOf(runId), isOwn);
    this.#beginning.set(runId, begun);
    try {
      return await begun;
    } finally {
      this.#beginning.delete(runId);
    }
  }
}
