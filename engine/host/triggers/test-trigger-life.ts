/**
 * A process with a service for triggers, for tests: its own connection to the history, and runs that end by a clock.
 */
import { join } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { asRunId, type RunId } from '../../base/ids.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { TriggerDoc } from '../../language/triggers/trigger-doc.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import type { RunListener } from '../../runtime/kernel/hub/hub-core.ts';
import type { ManualClock } from '../../testing/manual-clock.ts';
import { envelope, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import type { StartRun } from '../executor/start-request.ts';
import { CallerDesk } from './caller-desk.ts';
import type { TriggerEntry } from './trigger-list.ts';
import { startTriggerService } from './trigger-service.ts';
import type { TriggerService } from './trigger-serving.ts';

/** Returns a trigger that is on. */
export function entry(trigger: string, doc: Omit<TriggerDoc, 'id'>, flow = 'a.flow.yaml'): TriggerEntry {
  return { flow, trigger, doc: { id: trigger, ...doc }, hash: 'h', flowHash: 'f', state: 'on' };
}

let pid = 4_000_000;

/** One life of the process: from its start until it is killed. */
export class TriggerLife {
  readonly #world: { readonly folder: string; readonly clock: ManualClock };
  readonly started: StartRun[] = [];
  readonly notes: string[] = [];
  readonly listeners = new Set<RunListener>();
  /** Throws instead of doing what the store is about to do, or has done. */
  killAt: ((step: string) => boolean) | undefined;
  runMs = 30_000;
  /** How often a flow was read to start it. */
  reads = 0;
  /** Thrown instead of starting a run. */
  refusal: EngineError | undefined;
  /** Reports that flows have changed. */
  changeFlows = (): void => undefined;
  /** Reports that files have changed. */
  changeFiles = (): void => undefined;
  service: TriggerService | undefined;
  #store: RunStore | undefined;
  isDead = false;

  constructor(world: { readonly folder: string; readonly clock: ManualClock }) {
    this.#world = world;
  }

  get store(): RunStore {
    if (this.#store === undefined) throw new Error('It has not begun.');
    return this.#store;
  }

  async begin(entries: readonly TriggerEntry[]): Promise<this> {
    // Another process that no longer exists: its unfinished runs are interrupted.
    const owner = { ...currentOwner(), pid: pid++, start: 'gone' };
    this.#store = await openRunStore({ file: join(this.#world.folder, 'runs.db'), clock: this.#world.clock, owner });
    this.service = await startTriggerService({
      clock: {
        now: () => this.#world.clock.now(),
        setTimer: (call, ms) => this.#world.clock.setTimer(() => this.isDead || call(), ms),
      },
      store: this.#withKills(this.store),
      list: async () => [...entries],
      readFlow: async () => {
        this.reads++;
        return { text: '' };
      },
      callers: new CallerDesk(),
      openSecrets: () => Promise.reject(new Error('No trigger has secrets.')),
      startRun: async (request) => this.#run(request),
      resumeRun: async ({ runId }) => {
        this.store.claim(runId);
        this.store.append(runId, [this.#now(runId, { type: 'run:resumed' })]);
        this.#endLater(runId);
      },
      cancelRun: (runId) => this.#finish(runId, 'cancelled'),
      subscribe: (listener) => {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
      },
      watchFlows: (listener) => {
        this.changeFlows = listener;
        return () => undefined;
      },
      watchFiles: (listener) => {
        this.changeFiles = listener;
        return () => undefined;
      },
      workspace: this.#world.folder,
      onNote: (text) => this.notes.push(text),
    });
    return this;
  }

  /** The process is gone: nothing of it runs, and nothing is closed properly. */
  kill(): void {
    this.isDead = true;
  }

  async end(): Promise<void> {
    this.isDead = true;
    await this.service?.close();
    this.store.close();
  }

  #withKills(store: RunStore): RunStore {
    const step = (name: string): void => {
      if (this.isDead || this.killAt?.(name) === true) {
        this.kill();
        throw new EngineError({ code: 'store.write-failed', message: 'killed' });
      }
    };
    const firings: RunStore['firings'] = {
      ...store.firings,
      look: (...args) => {
        step('before look');
        const result = store.firings.look(...args);
        step('after look');
        return result;
      },
    };
    return Object.assign(Object.create(store) as RunStore, {
      firings,
      listRuns: store.listRuns.bind(store),
      findSummary: store.findSummary.bind(store),
      readEvents: store.readEvents.bind(store),
      lastSeq: store.lastSeq.bind(store),
    });
  }

  #run(request: StartRun): { runId: RunId } {
    if (this.refusal !== undefined) throw this.refusal;
    if (this.killAt?.('before run') === true) this.kill();
    if (this.isDead) throw new EngineError({ code: 'store.write-failed', message: 'killed' });
    const { firing, startedBy } = request;
    const runId = asRunId(`run-${firing !== undefined && 'id' in firing ? firing.id : 'none'}`);
    this.store.createRun(
      newRun(runId, { ...(firing && { firing }), ...(startedBy && { startedBy }), sourcePath: request.path }),
    );
    this.store.append(runId, [this.#now(runId, runStart, 0)]);
    this.started.push(request);
    if (this.killAt?.('after run') === true) this.kill();
    this.#endLater(runId);
    return { runId };
  }

  #now(runId: RunId, event: RunEvent, seq = this.store.lastSeq(runId) + 1): EventEnvelope {
    return { ...envelope(runId, event, seq), at: this.#world.clock.now() };
  }

  #endLater(runId: RunId): void {
    this.#world.clock.setTimer(() => this.isDead || this.#finish(runId, 'completed'), this.runMs);
  }

  #finish(runId: RunId, status: 'completed' | 'cancelled'): void {
    if (this.store.findSummary(runId)?.status !== 'running') return;
    const last = this.#now(runId, { ...runCompleted, status } as typeof runCompleted);
    this.store.append(runId, [last]);
    for (const listener of this.listeners) listener([last]);
  }
}
