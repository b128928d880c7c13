/**
 * Runs the triggers of a workspace: turns what is due into firings, and starts their runs.
 *
 * Everything it knows is in the history, so that a service that was killed continues where it stopped, and several
 * services share the work. The wall clock is read again at least every minute: a clock that is set back repeats nothing,
 * and one that is set forward leaves times that were missed.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { Firing, NewFiring } from '../../history/store/firing-store.ts';
import { resolveBindings } from '../../language/bindings/bindings.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { nextTimes } from '../../language/triggers/next-times.ts';
import { eventRoot } from '../../language/triggers/trigger-findings.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { StartRun } from '../executor/start-request.ts';
import { dueFirings, firingsAfter } from './due-firings.ts';
import { ReportedFiles } from './file-changes.ts';
import { RunBudgets } from './run-budgets.ts';
import type { TriggerEntry } from './trigger-list.ts';
import type { TriggerService, TriggerServiceOptions } from './trigger-serving.ts';

/** The wall clock may be set at any time, so it is read again after this time. */
const longestSleepMs = 60_000;

/** How often the past of a trigger is marked as seen while nothing is due. */
const seenMs = 10 * 60_000;

/** A run that ended at the same time as the last look may not have been visible yet. */
const endMarginMs = 10_000;

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
  readonly #files: ReportedFiles;
  readonly #stops: (() => void)[] = [];
  #entries: readonly TriggerEntry[] = [];
  /** Whether the triggers have to be read again. */
  #isStale = true;
  #isClosed = false;
  #isAwake = false;
  #work: Promise<void> = Promise.resolve();
  #endTimer: (() => void) | undefined;
  /** When each trigger is due next. */
  readonly #nextAt = new Map<TriggerEntry, number>();
  #prunedAt = 0;
  #resumedAt = 0;
  /** When files that are changing may be at rest. */
  #filesAgainMs = longestSleepMs;
  #stopFiles: (() => void) | undefined;

  constructor(options: TriggerServiceOptions) {
    this.#options = options;
    this.#budgets = new RunBudgets(options);
    this.#files = new ReportedFiles(options.workspace);
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

  fire(firing: NewFiring): { readonly firing: Firing; readonly isNew: boolean } {
    const added = this.#options.store.firings.add(firing);
    this.#wake();
    return added;
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
  }

  /** Works soon. Calls before the work begins are one. */
  #wake(): void {
    if (this.#isClosed || this.#isAwake) return;
    this.#isAwake = true;
    this.#work = this.#work.then(async () => {
      this.#isAwake = false;
      if (!this.#isClosed) await this.#handleDue();
    });
  }

  async #handleDue(): Promise<void> {
    this.#endTimer?.();
    try {
      if (this.#isStale) {
        this.#isStale = false;
        this.#entries = await this.#options.list();
        this.#nextAt.clear();
      }
      this.#filesAgainMs = longestSleepMs;
      for (const entry of this.#entries) if (isOn(entry)) await this.#look(entry);
      this.#watchFiles();
      await this.#resumeInterrupted();
      await this.#startWaiting();
      this.#prune();
    } catch (error) {
      // The history or a file is temporarily not accessible. Nothing is lost, because nothing was moved on.
      if (!EngineError.is(error)) throw error;
      this.#isStale = true;
      this.#options.onNote(error.message);
    }
    if (this.#isClosed) return;
    this.#sleep();
    this.#options.onChange?.();
  }

  #sleep(): void {
    const { clock } = this.#options;
    const now = clock.now();
    const next = this.#entries.flatMap((entry) => this.#nextOf(entry) ?? []);
    const untilNext = Math.min(this.#filesAgainMs, ...next.map((time) => Math.max(time - now, 0)));
    this.#endTimer = clock.setTimer(() => this.#wake(), untilNext);
  }

  /** Watches files while a trigger needs it. */
  #watchFiles(): void {
    const isNeeded = this.#entries.some((entry) => entry.doc.files !== undefined && isOn(entry));
    if (!isNeeded) this.#stopFiles?.();
    this.#stopFiles = isNeeded ? (this.#stopFiles ?? this.#options.watchFiles(() => this.#wake())) : undefined;
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
    const { firings } = this.#options.store;
    const now = this.#options.clock.now();
    const from = firings.watchOf(entry);
    const watch = from ?? { definitionHash: entry.hash, lookedAt: now };
    const { schedule, after, files } = entry.doc;
    const changed = files && (await this.#files.firingsOf(entry, { files, watch, now }));
    if (changed?.againIn !== undefined) this.#filesAgainMs = Math.min(this.#filesAgainMs, changed.againIn);
    const seen = { ...entry, watch, now };
    const found = [
      ...(schedule === undefined ? [] : dueFirings({ ...seen, schedule, lastStarted: firings.lastStarted(entry) })),
      ...(after === undefined ? [] : firingsAfter({ ...seen, after }, this.#options.store)),
      ...(changed?.firings ?? []),
    ];
    const seenAt = changed?.lookedAt ?? (after === undefined ? now : now - endMarginMs);
    const to = { definitionHash: entry.hash, lookedAt: Math.max(seenAt, watch.lookedAt) };
    // A service that is faster has recorded the same, and the next look continues from there.
    if (found.length > 0 || from === undefined || to.lookedAt - from.lookedAt >= seenMs)
      firings.look(entry, { from, to }, found);
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

  async #startWaiting(): Promise<void> {
    const blocked = new Set<string>();
    for (const firing of this.#options.store.firings.waiting()) {
      if (this.#isClosed) return;
      const entry = this.#entries.find(({ flow, trigger }) => flow === firing.flow && trigger === firing.trigger);
      const name = `${firing.flow}\n${firing.trigger}`;
      // Firings of a trigger start in order. A changed trigger waits for a person.
      if (blocked.has(name) || entry?.state === 'changed') continue;
      if (entry === undefined || entry.state === 'off') this.#settle(firing, 'canceled', 'Its trigger is off.');
      else if (!(await this.#start(firing, entry))) blocked.add(name);
    }
  }

  /** @returns false if it has to wait */
  async #start(firing: Firing, entry: TriggerEntry): Promise<boolean> {
    const { doc } = entry;
    const { store, clock, mostPerFlow = 10, cancelRun } = this.#options;
    const { overlap = 'skip', limit } = doc;
    if (limit !== undefined && store.firings.countStarted(entry, clock.now() - hourMs) >= limit) {
      this.#settle(firing, 'skipped', `limit: ${limit} runs have started in the last hour.`);
      return true;
    }
    if (overlap === 'cancelPrevious') for (const runId of store.firings.unfinishedRuns(entry)) cancelRun(runId);
    const most = typeof overlap === 'object' ? overlap.parallel : overlap === 'cancelPrevious' ? undefined : 1;
    try {
      const { text } = await this.#options.readFlow(firing.flow);
      const request = requestOf(firing, { doc, text });
      const claim = { id: firing.id, mostOfFlow: mostPerFlow, ...(most === undefined ? {} : { mostOfTrigger: most }) };
      const { runId } = await this.#options.startRun({ ...request, firing: claim, unlessChanged: entry.flowHash });
      if (doc.budget !== undefined) this.#budgets.watch(runId, doc.budget);
      return true;
    } catch (error) {
      return this.#handleRefusal(error, firing, overlap === 'skip');
    }
  }

  /** @returns false if the firing has to wait */
  #handleRefusal(error: unknown, firing: Firing, isSkipped: boolean): boolean {
    if (!EngineError.is(error)) throw error;
    if (error.code === 'firing.taken') return true;
    if (error.code === 'flow.changed') {
      // The list of triggers is older than the flow. It then waits for a person to confirm the flow.
      this.#isStale = true;
      this.#wake();
      return false;
    }
    // The history cannot be written now. The firing stays as it is.
    if (error.code.startsWith('store.')) throw error;
    if (error.code !== 'firing.blocked') {
      this.#settle(firing, 'refused', error.message);
      this.#options.onNote(`${firing.flow}, trigger ${firing.trigger}: ${error.message}`);
      return true;
    }
    const isOverlap = isJsonMap(error.details as JsonValue) && (error.details as JsonMap)['by'] === 'trigger';
    if (!isSkipped || !isOverlap) return false;
    this.#settle(firing, 'skipped', 'overlap: an earlier run is not finished.');
    return true;
  }

  #settle({ id }: Firing, state: 'skipped' | 'refused' | 'canceled', reason: string): void {
    this.#options.store.firings.settle(id, state, reason);
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

/** Returns the request for a run. @throws EngineError `binding.missing` if the event lacks a value for an input */
function requestOf(
  { flow, event, trigger }: Firing,
  { doc, text }: Pick<TriggerEntry, 'doc'> & { readonly text: string },
): StartRun {
  const context = new Map<string, JsonValue>([[eventRoot, event]]);
  const body = doc.webhook === undefined ? undefined : event['body'];
  const inputs =
    doc.inputs === undefined
      ? isJsonMap(body ?? null)
        ? (body as JsonMap)
        : {}
      : resolveBindings(doc.inputs, context);
  return { path: flow, text, inputs, startedBy: { kind: 'trigger', name: trigger } };
}
