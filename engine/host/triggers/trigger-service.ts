/**
 * Runs the triggers of a workspace: turns what is due into firings, and starts their runs.
 *
 * Everything it knows is in the history, so that a service that was killed continues where it stopped, and several
 * services share the work. The wall clock is read again at least every minute: a clock that is set back repeats nothing,
 * and one that is set forward leaves times that were missed.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { AddedFiring, Firing, NewFiring } from '../../history/store/firing-store.ts';
import { nextTimes } from '../../language/triggers/next-times.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { WaitingCaller } from './caller-desk.ts';
import { pastOf } from './due-firings.ts';
import { FiringStarter } from './firing-starter.ts';
import { ReceivedFirings } from './received-firings.ts';
import { RunBudgets } from './run-budgets.ts';
import type { TriggerEntry } from './trigger-list.ts';
import type { TriggerService, TriggerServiceOptions } from './trigger-serving.ts';

/** The wall clock may be set at any time, so it is read again after this time. */
const longestSleepMs = 60_000;

/** How often the past of a trigger is marked as seen while nothing is due. */
const seenMs = 10 * 60_000;

/** Another service that looks at the same time is finished after this time. */
const againMs = 1_000;

const hourMs = 3_600_000;

/** Settled firings are kept this long. */
const keptMs = 90 * 24 * hourMs;

/** Starts the service. It works until it is closed. */
export async function startTriggerService(options: TriggerServiceOptions): Promise<TriggerService> {
  const service = new RunningService(options);
  await service.begin();
  return service;
}

class RunningService implements TriggerService {
  readonly #options: TriggerServiceOptions;
  readonly #budgets: RunBudgets;
  readonly #starter: FiringStarter;
  readonly #received: ReceivedFirings;
  readonly #stops: (() => void)[] = [];
  #entries: readonly TriggerEntry[] = [];
  /** Whether the triggers have to be read again. */
  #isStale = true;
  #isClosed = false;
  #isAwake = false;
  /** Whether to look for what is due, in addition to starting what waits. */
  #looks = true;
  #work: Promise<void> = Promise.resolve();
  #endTimer: (() => void) | undefined;
  /** When each trigger is due next. */
  readonly #nextAt = new Map<TriggerEntry, number>();
  #prunedAt = 0;
  #resumedAt = 0;
  /** When to look again, because files are changing or a look was not complete. */
  #againMs = longestSleepMs;
  readonly #beganAt: number;
  #stopFiles: (() => void) | undefined;

  constructor(options: TriggerServiceOptions) {
    this.#options = options;
    this.#beganAt = options.clock.now();
    this.#budgets = new RunBudgets(options);
    this.#starter = new FiringStarter({
      ...options,
      budgets: this.#budgets,
      isClosed: () => this.#isClosed,
      onOutdated: () => {
        this.#isStale = true;
        this.#wake();
      },
    });
    this.#received = new ReceivedFirings(options, () => this.#wakeToStart());
  }

  async begin(): Promise<void> {
    const { subscribe, watchFlows } = this.#options;
    this.#stops.push(
      watchFlows(() => {
        this.#isStale = true;
        this.#wake();
      }),
      subscribe((events) => {
        const isOver = ({ event: { type }, parentRunId }: EventEnvelope): boolean =>
          (type === 'run:end' || type === 'run:suspended') && parentRunId === undefined;
        if (events.some(isOver)) this.#wake();
      }),
    );
    this.#wake();
    await this.settled();
  }

  triggers(): readonly (TriggerEntry & { readonly nextAt: readonly number[] })[] {
    const now = this.#options.clock.now();
    return this.#entries.map((entry) => {
      const { schedule } = entry.doc;
      return { ...entry, nextAt: schedule === undefined ? [] : nextTimes(schedule, now, 5) };
    });
  }

  entries(): readonly TriggerEntry[] {
    return this.#entries;
  }

  async readSecrets({ flow: path }: TriggerEntry, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { readFlow, openSecrets } = this.#options;
    const { placeholders, fill } = await openSecrets({ path, text: (await readFlow(path)).text }, names);
    return new Map(names.map((name) => [name, fill(placeholders.get(name) ?? '', 'plain')]));
  }

  fire(firing: NewFiring): Promise<AddedFiring> {
    return this.#received.add(firing);
  }

  expectResponse(): WaitingCaller {
    return this.#options.callers.expect();
  }

  whenDecided(id: number): Promise<Firing | undefined> {
    return this.#received.whenDecided(id);
  }

  async settled(): Promise<void> {
    for (let work = this.#work; ; work = this.#work) {
      await work;
      if (work === this.#work) return;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endTimer?.();
    for (const stop of [...this.#stops, this.#stopFiles]) stop?.();
    this.#budgets.close();
    await this.settled();
    this.#received.report(true);
  }

  /** Works soon. Calls before the work begins are one. */
  #wake(): void {
    this.#looks = true;
    this.#wakeToStart();
  }

  #wakeToStart(): void {
    if (this.#isClosed || this.#isAwake) return;
    this.#isAwake = true;
    this.#work = this.#work.then(async () => {
      this.#isAwake = false;
      if (!this.#isClosed) await this.#handleDue();
    });
  }

  async #handleDue(): Promise<void> {
    const looks = this.#looks;
    this.#looks = false;
    try {
      if (looks) await this.#lookAtAll();
      await this.#starter.start(this.#entries);
      this.#received.report();
      this.#prune();
    } catch (error) {
      // The history or a file is temporarily not accessible. Nothing is lost, because nothing was moved on.
      if (!EngineError.is(error)) throw error;
      this.#isStale = true;
      this.#options.onNote(error.message);
    }
    if (!looks || this.#isClosed) return;
    this.#sleep();
    this.#options.onChange?.();
  }

  async #lookAtAll(): Promise<void> {
    this.#endTimer?.();
    this.#starter.unblock();
    if (this.#isStale) {
      this.#isStale = false;
      this.#entries = await this.#options.list();
      this.#nextAt.clear();
      this.#starter.settleOthers(this.#entries);
    }
    this.#againMs = longestSleepMs;
    for (const entry of this.#entries) if (isOn(entry)) await this.#look(entry);
    this.#watchFiles();
    this.#watchBudgets();
    await this.#resumeInterrupted();
  }

  #sleep(): void {
    const { clock } = this.#options;
    const now = clock.now();
    const next = this.#entries.flatMap((entry) => this.#nextOf(entry) ?? []);
    const untilNext = Math.min(this.#againMs, ...next.map((time) => Math.max(time - now, 0)));
    this.#endTimer = clock.setTimer(() => this.#wake(), untilNext);
  }

  #lookAgainIn(ms: number): void {
    this.#againMs = Math.min(this.#againMs, ms);
  }

  /** Watches files while a trigger needs it. */
  #watchFiles(): void {
    const isNeeded = this.#entries.some((entry) => entry.doc.files !== undefined && isOn(entry));
    if (!isNeeded) this.#stopFiles?.();
    this.#stopFiles = isNeeded ? (this.#stopFiles ?? this.#options.watchFiles(() => this.#wake())) : undefined;
  }

  /** Watches the runs that an earlier service has started, or another one. */
  #watchBudgets(): void {
    for (const { doc, ...name } of this.#entries)
      if (doc.budget !== undefined)
        for (const runId of this.#options.store.firings.unfinishedRuns(name)) this.#budgets.watch(runId, doc.budget);
  }

  /** Returns when a schedule is due next, also if the clock was set back since its last time. */
  #nextOf(entry: TriggerEntry): number | undefined {
    const { schedule } = entry.doc;
    if (schedule === undefined || !isOn(entry)) return undefined;
    const now = this.#options.clock.now();
    const known = this.#nextAt.get(entry);
    if (known !== undefined && known > now) return known;
    const lookedAt = this.#options.store.firings.watchOf(entry)?.lookedAt ?? now;
    const [next] = nextTimes(schedule, Math.max(now, lookedAt), 1);
    if (next !== undefined) this.#nextAt.set(entry, next);
    return next;
  }

  /** Turns what has happened since the last look into firings. */
  async #look(entry: TriggerEntry): Promise<void> {
    const { store, workspace } = this.#options;
    const from = store.firings.watchOf(entry);
    const now = this.#options.clock.now();
    const watch = from ?? { definitionHash: entry.hash, lookedAt: now };
    const seen = await pastOf(entry, { watch, now, store, workspace, beganAt: this.#beganAt });
    if (seen.againIn !== undefined) this.#lookAgainIn(seen.againIn);
    const lookedAt = Math.max(seen.lookedAt, watch.lookedAt);
    const isRecent = from !== undefined && lookedAt - from.lookedAt < seenMs;
    if (!seen.isNew && isRecent) return;
    const { state } = seen;
    const to = { definitionHash: entry.hash, lookedAt, ...(state === undefined ? {} : { state }) };
    const added = store.firings.look(entry, { from, to }, seen.firings);
    // Another service was faster. It may have seen less.
    if (added === undefined) this.#lookAgainIn(againMs);
  }

  /** Continues runs of triggers that a crash has interrupted, as far as that needs no person. */
  async #resumeInterrupted(): Promise<void> {
    const { store, resumeRun, clock } = this.#options;
    if (Math.abs(clock.now() - this.#resumedAt) < longestSleepMs) return;
    this.#resumedAt = clock.now();
    for (const runId of store.firings.unfinishedRuns({})) {
      if (store.findSummary(runId)?.status !== 'interrupted') continue;
      try {
        await resumeRun({ runId });
      } catch (error) {
        // Another service was faster, or its flow can no longer run.
        if (!EngineError.is(error)) throw error;
      }
    }
  }

  #prune(): void {
    const now = this.#options.clock.now();
    if (now - this.#prunedAt < hourMs) return;
    this.#prunedAt = now;
    this.#options.store.firings.deleteBefore(now - keptMs);
  }
}

function isOn({ state, problem }: TriggerEntry): boolean {
  return state === 'on' && problem === undefined;
}
