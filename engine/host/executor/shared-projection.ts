/**
 * Copies the runs of an engine to a shared history in the background. The engine's own history stays first: it records
 * without waiting, and it decides about answers. After an outage, missing events are read from it.
 */
import { type Clock, sleep } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunBatch, SharedHistory } from '../../history/postgres/shared-history.ts';
import type { RunRecord } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import { warn } from './warn.ts';

interface ProjectionParts {
  readonly store: RunStore;
  /** Opened with `home`. */
  readonly shared: SharedHistory;
  /** Subscribes to recorded events. */
  readonly subscribe: (listener: RunListener) => () => void;
  readonly clock: Clock;
  /** Receives the reason events cannot be copied now, once for each outage, and runs that can never be copied. */
  readonly onFailure: (error: EngineError) => void;
}

const runsAtOnce = 50;
const eventsAtOnce = 500;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** Codes of errors that concern one run and do not go away. */
const lastingCodes: ReadonlySet<string> = new Set(['store.unreadable', 'run.elsewhere']);
/** Number of runs to look up at the start before other work continues. */
const lookedUpAtOnce = 200;

/** The events that a run lacks in the shared history. */
interface Copied {
  seq: number;
  isOwned: boolean;
}

export class SharedProjection {
  readonly #parts: ProjectionParts;
  readonly #pending = new Set<RunId>();
  readonly #copied = new Map<RunId, Copied>();
  /** Runs that cannot be copied. */
  readonly #skipped = new Set<RunId>();
  readonly #stop = new AbortController();
  readonly #stopListening: () => void;
  #isFailing = false;
  #working: Promise<void> | undefined;
  #catchingUp: Promise<void>;

  /** Starts to copy: events from now on, and whatever the shared history lacks. */
  constructor(parts: ProjectionParts) {
    this.#parts = parts;
    this.#stopListening = parts.subscribe((events) => this.#note(events));
    this.#catchingUp = this.#repeat(() => this.#catchUp());
  }

  /** Resolves when everything that has been recorded so far is in the shared history, or when it is closed. */
  async copied(): Promise<void> {
    await this.#catchingUp;
    while (this.#working !== undefined) await this.#working;
  }

  /** Stops copying. The next start continues. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#stop.abort();
    await this.#catchingUp;
    await this.#working;
  }

  #note(events: readonly EventEnvelope[]): void {
    for (const { runId, rootRunId } of events) this.#add(rootRunId ?? runId);
  }

  #add(runId: RunId): void {
    this.#pending.add(runId);
    this.#working ??= this.#work()
      .catch(warn)
      .finally(() => {
        this.#working = undefined;
      });
  }

  async #work(): Promise<void> {
    while (this.#pending.size > 0 && !this.#stop.signal.aborted) await this.#repeat(() => this.#copySome());
  }

  /** Repeats work while the shared history cannot be written. */
  async #repeat(work: () => Promise<void>): Promise<void> {
    for (let pauseMs = firstPauseMs; !this.#stop.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await work();
        this.#isFailing = false;
        return;
      } catch (error) {
        if (!EngineError.is(error)) throw error;
        if (!this.#isFailing) this.#parts.onFailure(error);
        this.#isFailing = true;
        // Rejects only if this was closed.
        await sleep(this.#parts.clock, pauseMs, this.#stop.signal).catch(() => undefined);
      }
    }
  }

  /** Adds the runs that the shared history lacks wholly or in part, unless they were deleted there. */
  async #catchUp(): Promise<void> {
    const { store, shared } = this.#parts;
    const { runs, removedBefore } = await shared.readHome();
    const newest = store.listRuns({ limit: 1 })[0]?.number ?? 0;
    for (let number = newest; number > 0 && !this.#stop.signal.aborted; number--) {
      if (number % lookedUpAtOnce === 0) await new Promise((done) => setImmediate(done));
      const runId = store.findRun(number);
      if (runId === undefined || runs.get(runId)?.hasEnded === true) continue;
      const { startedAt = 0, durationMs } = store.findSummary(runId) ?? {};
      if (durationMs !== undefined && startedAt + durationMs < removedBefore && !runs.has(runId)) continue;
      this.#add(runId);
    }
  }

  async #copySome(): Promise<void> {
    const some = [...this.#pending].slice(0, runsAtOnce);
    // Events that arrive from here on add their runs again.
    for (const runId of some) this.#pending.delete(runId);
    try {
      const batches: RunBatch[] = [];
      for (const runId of some) batches.push(...(await this.#batchOf(runId)));
      await this.#parts.shared.project(batches);
      for (const { runId, events } of batches) this.#advance(runId, events);
    } catch (error) {
      for (const runId of some) this.#pending.add(runId);
      throw error;
    }
  }

  #advance(runId: RunId, events: readonly EventEnvelope[]): void {
    const last = events.at(-1);
    const copied = this.#copied.get(runId);
    if (last === undefined || copied === undefined) return;
    copied.seq = last.seq;
    if (events.length === eventsAtOnce) this.#pending.add(runId);
    const isRoot = last.rootRunId === undefined;
    if (isRoot && last.event.type === 'run:suspended') copied.isOwned = false;
    if (isRoot && (last.event.type === 'run:end' || last.event.type === 'run:refused')) this.#copied.delete(runId);
  }

  /** Returns the next events of a run; none for a run without events, and one that cannot be read, which is reported. */
  async #batchOf(runId: RunId): Promise<readonly RunBatch[]> {
    const { store, shared, onFailure } = this.#parts;
    try {
      const run = store.getRun(runId);
      const [first] = store.readEvents(runId, -1, 1);
      if (run === undefined || first === undefined) return [];
      const copied = this.#copied.get(runId) ?? (await this.#create(run, first));
      const events = store.readEvents(runId, copied.seq, eventsAtOnce);
      const isRunning = run.status === 'queued' || run.status === 'running';
      if (isRunning && !copied.isOwned) copied.isOwned = await shared.own(runId);
      if (run.status === 'interrupted') await shared.disown(runId);
      return [{ runId, events, texts: textsOf(store, events) }];
    } catch (error) {
      if (!EngineError.is(error) || !lastingCodes.has(error.code)) throw error;
      if (!this.#skipped.has(runId)) onFailure(error);
      this.#skipped.add(runId);
      return [];
    }
  }

  async #create({ startedAt: queuedAt, ...run }: RunRecord, first: EventEnvelope): Promise<Copied> {
    const { store, shared } = this.#parts;
    const definition = store.readDefinition(run.definitionHash) ?? '';
    await shared.createRun({ ...run, queuedAt, definition, sessionId: first.context.sessionId });
    const copied = { seq: await shared.projectedSeq(run.runId), isOwned: false };
    this.#copied.set(run.runId, copied);
    return copied;
  }
}

const references = /"(?:\$value|definitionHash)":"([0-9a-f]{64})"/g;

/** Returns the texts that events refer to: large values, and definitions of child runs. */
function textsOf(store: RunStore, events: readonly EventEnvelope[]): readonly string[] {
  const hashes = new Set<string>();
  for (const { event } of events)
    for (const [, hash = ''] of JSON.stringify(event).matchAll(references)) hashes.add(hash);
  return [...hashes].flatMap((hash) => store.readDefinition(hash) ?? []);
}
