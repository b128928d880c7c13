/**
 * One run in this process: the host for its runner, on top of the journal of a durable engine.
 *
 * A session outlives attempts. If the connection breaks and this process gets the run again, the runner and its running
 * steps continue: the session only requests its operations again, in the same order.
 */
import { sleep, systemClock } from '../../base/clock.ts';
import type { EngineError } from '../../base/engine-error.ts';
import { randomText } from '../../base/ids.ts';
import { Listeners } from '../../base/listeners.ts';
import type { RunHost, TimerPurpose } from '../../runtime/kernel/capabilities/run-host.ts';
import { isInStep, runAsStep } from './inside-step.ts';
import type { Finished, Handle, Journal } from './journal.ts';
import type { StartHold } from './run-message.ts';
import { RunSignals, SessionWaits } from './run-signals.ts';
import { type Entry, newEntry } from './session-entry.ts';
import { SessionDrained, StepBug } from './session-errors.ts';
import type { SessionWorld } from './session-world.ts';

export class RunSession implements RunHost {
  readonly keepsSteps = true;
  readonly incarnation = randomText();
  readonly shared = new Map<string, unknown>();
  readonly waits = new SessionWaits(() => this.#now);
  readonly #world: SessionWorld;
  readonly #entries: Entry[] = [];
  /** Operations that have not been delivered, in the order of their requests. */
  readonly #open = new Set<Entry>();
  readonly #signals = new RunSignals();
  readonly #cancelListeners = new Listeners<[EngineError | undefined]>();
  /** Local work of the runner that replays must wait for. */
  readonly #local = new Set<Promise<unknown>>();
  #isDraining = false;
  /** Ends a wait that no running step can end. */
  #onDrain: (() => void) | undefined;
  /** Steps that are running in this process. */
  #working = 0;
  #journal: Journal | undefined;
  #messages = 0;
  #now = 0;
  #ended: Promise<void> | undefined;
  #isOver = false;
  #isCanceled = false;

  constructor(world: SessionWorld) {
    this.#world = world;
  }

  /** Whether an unfinished step belongs to this process, so that another process could not continue it. */
  get hasSteps(): boolean {
    return [...this.#open].some(({ kind }) => kind === 'step');
  }

  /** Number of steps that are running. */
  get working(): number {
    return this.#working;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  step<T>(name: string, work: () => Promise<T>): Promise<T> {
    let text: Promise<string> | undefined;
    const once = () => (text ??= this.#worked(work));
    return this.#request({ kind: 'step', name, work: once }).asked as Promise<T>;
  }

  timer(name: string, ms: number, purpose: TimerPurpose, signal?: AbortSignal): Promise<void> {
    if (purpose === 'housekeeping') return sleep(systemClock, ms, signal ?? new AbortController().signal);
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const { entry, asked } = this.#request({
      kind: 'timer',
      name,
      ms,
      dueAt: this.#now + ms,
      isLimit: purpose === 'limit',
    });
    return new Promise((resolve, reject) => {
      const stop = (): void => void (this.#open.delete(entry) && reject(signal?.reason));
      signal?.addEventListener('abort', stop, { once: true });
      asked.then(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, reject);
    });
  }

  signal<T>(name: string): Promise<T> {
    return this.#signals.wait(name) as Promise<T>;
  }

  now(): number {
    return this.#now;
  }

  onCancel(listener: (reason?: EngineError) => void): () => void {
    // The run may be canceled before it listens.
    if (this.#isCanceled) listener();
    return this.#cancelListeners.add(listener);
  }

  /** Performs work outside the journal whose result is the same in each replay. Nothing is delivered meanwhile. */
  async locally<T>(work: () => Promise<T>): Promise<T> {
    if (isInStep()) return await work();
    const done = work();
    this.#local.add(done);
    try {
      return await done;
    } finally {
      this.#local.delete(done);
    }
  }

  /**
   * Runs until the run has ended.
   * @param journal the journal of a new attempt
   * @param run executes the run; called in the first attempt
   * @throws SessionDrained; errors of `run`
   */
  async attach(journal: Journal, run: () => Promise<void>): Promise<void> {
    this.#journal = journal;
    for (const entry of this.#entries) entry.handle = this.#handleOf(journal, entry);
    this.#ended ??= this.#start(run);
    while (!journal.ended.aborted && this.#journal === journal) {
      await this.#untilQuiet();
      if (this.#isOver) return await this.#ended;
      const waitsFor = this.#waitsFor();
      if (waitsFor !== undefined) this.waits.begin();
      this.#world.onQuiet(waitsFor);
      await this.#world.whenRoom();
      const next = await this.#next(journal);
      if (this.#journal !== journal) return await new Promise(() => undefined);
      await this.#take(next, journal);
    }
  }

  /** Ends the current attempt when its running steps have ended. Nothing new begins. */
  drain(): void {
    this.#isDraining = true;
    this.#onDrain?.();
  }

  #start(run: () => Promise<void>): Promise<void> {
    this.#request({ kind: 'cancel', name: '' });
    this.#request({ kind: 'message', name: '0' });
    const ended = run().finally(() => {
      this.#isOver = true;
    });
    // `attach` reports it. Between two attempts nobody listens.
    ended.catch(() => undefined);
    return ended;
  }

  #request(wanted: Pick<Entry, 'kind' | 'name'> & Partial<Entry>): { entry: Entry; asked: Promise<unknown> } {
    let resolve: Entry['resolve'] = () => undefined;
    const asked = new Promise<unknown>((take) => {
      resolve = take;
    });
    const entry: Entry = { ...newEntry, resolve, ...wanted };
    this.#entries.push(entry);
    this.#open.add(entry);
    if (this.#journal !== undefined) entry.handle = this.#handleOf(this.#journal, entry);
    return { entry, asked };
  }

  #handleOf(journal: Journal, entry: Entry): Handle {
    const { kind, name, ms } = entry;
    if (kind === 'timer') return journal.sleep(ms);
    if (kind === 'message') return journal.message(Number(name));
    if (kind === 'cancel') return journal.cancellation();
    return journal.step(name, () => this.#begin(journal, entry));
  }

  /** A step must not begin for an attempt that has ended, nor in a process that shuts down. */
  #begin(journal: Journal, entry: Entry): Promise<string> {
    const { work, name } = entry;
    if (work === undefined) throw new Error(`The journal has lost the result of step ${name}`);
    if (this.#isDraining || journal.ended.aborted) return new Promise(() => undefined);
    entry.hasBegun = true;
    return work();
  }

  async #worked(work: () => Promise<unknown>): Promise<string> {
    this.#working++;
    this.#world.onStep();
    try {
      const value = await runAsStep(work);
      return await this.#world.texts.write({ at: Date.now(), value });
    } catch (thrown) {
      // A step never rejects, so this is a bug. Rejecting would make the journal repeat the work.
      return await this.#world.texts.write({
        at: Date.now(),
        bug: thrown instanceof Error ? thrown.message : String(thrown),
      });
    } finally {
      this.#working--;
    }
  }

  /** Waits until the runner has made every request that follows from the last completion. */
  async #untilQuiet(): Promise<void> {
    do {
      await Promise.allSettled(this.#local);
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#local.size > 0);
  }

  async #take(next: Finished, journal: Journal): Promise<void> {
    const entry = [...this.#open].find(({ handle }) => handle === next.handle);
    if (entry === undefined) throw new Error('The journal has completed an operation that nobody waits for');
    // Another process continues with this completion.
    if (this.#isDraining) this.#open.delete(entry);
    else await this.#deliver(entry, next.text, journal);
  }

  async #deliver(entry: Entry, text: string, journal: Journal): Promise<void> {
    const result = entry.kind === 'step' ? await this.#world.texts.read(text) : undefined;
    if (this.#journal !== journal) return;
    if (result?.bug !== undefined) throw new StepBug(entry.name, result.bug);
    this.#open.delete(entry);
    entry.work = undefined;
    this.#now = Math.max(this.#now, result?.at ?? entry.dueAt);
    if (entry.kind === 'message') this.#takeMessage(text);
    else if (entry.kind === 'cancel') this.#cancel();
    else entry.resolve(result?.value);
  }

  /**
   * Returns the next completion. A run that only waits leaves memory; in a process that shuts down, at once.
   * @throws SessionDrained when no step is running in a process that shuts down
   */
  async #next(journal: Journal): Promise<Finished> {
    if (this.#isDraining && !this.#hasBegun) throw new SessionDrained();
    const { idleMs } = this.#world;
    const stopTimer = this.hasSteps ? () => undefined : systemClock.setTimer(() => journal.suspend(), idleMs);
    // The journal supports only one call at a time, so this one continues until the running steps have ended.
    const next = journal.next(this.#handles(({ hasBegun }) => hasBegun || !this.#isDraining));
    try {
      return await new Promise((resolve, reject) => {
        next.then(resolve, reject);
        this.#onDrain = () => {
          if (!this.#hasBegun) reject(new SessionDrained());
        };
      });
    } finally {
      stopTimer();
      this.#onDrain = undefined;
    }
  }

  /** Whether steps are running, or their results are not in the journal yet. */
  get #hasBegun(): boolean {
    return [...this.#open].some(({ hasBegun }) => hasBegun);
  }

  #handles(isMeant: (entry: Entry) => boolean): readonly Handle[] {
    return [...this.#open].flatMap((entry) => (entry.handle !== undefined && isMeant(entry) ? [entry.handle] : []));
  }

  #takeMessage(text: string): void {
    this.#messages++;
    this.#request({ kind: 'message', name: String(this.#messages) });
    const news = this.#signals.read(text);
    if (news === undefined) return;
    this.#now = Math.max(this.#now, news.at);
    if (news.isCancel) this.#cancel();
    else if (news.hold?.kind === 'pause') this.#world.pause.pause();
    else if (news.hold !== undefined) this.#letGo(news.hold, news.hold.kind);
    else if (news.answered.length > 0) {
      this.#takeNews();
      for (const give of news.answered) give();
    }
  }

  #letGo(hold: StartHold, action: 'continue' | 'step'): void {
    this.#takeNews(hold);
    this.#world.pause.apply(action);
  }

  #takeNews(hold?: StartHold): void {
    this.#world.onNews(hold);
    this.waits.end();
  }

  #waitsFor(): string | undefined {
    const isBusy = [...this.#open].some(({ kind, isLimit }) => kind === 'step' || (kind === 'timer' && !isLimit));
    return isBusy ? undefined : (this.#world.pause.firstHeld?.name ?? this.#signals.oldestNode);
  }

  #cancel(): void {
    this.#isCanceled = true;
    this.#takeNews();
    this.#cancelListeners.tell((thrown) => {
      throw thrown;
    }, undefined);
  }
}
