/**
 * An in-memory host that records finished work and replays it after a restart, like durable-execution engines. It
 * varies the order of completions as much as permitted, to expose code that depends on it.
 */
import type { RunHost, TimerPurpose } from '../runtime/kernel/capabilities/run-host.ts';

/** A completion as JSON, in the order in which it was delivered. */
export interface Completion {
  readonly name: string;
  readonly kind: 'step' | 'timer' | 'signal' | 'cancel';
  readonly text: string | undefined;
  /** Time in epoch milliseconds. */
  readonly at: number;
}

interface Asked {
  readonly kind: 'step' | 'timer' | 'signal';
  readonly resolve: (value: unknown) => void;
  /** Due time of a timer. */
  readonly dueAt?: number;
  /** Result of a finished step or an answered signal. */
  result?: { readonly text: string | undefined };
}

export interface ReplayingHostOptions {
  /** Completions of an earlier life. */
  readonly journal: readonly Completion[];
  /** Distinguishes this life from others. */
  readonly incarnation: string;
  /** Returns a number from 0 to `count` - 1: which of several completions is delivered first. */
  readonly choose: (count: number) => number;
  readonly answer: (name: string) => unknown;
  /** Number of delivered completions after which the run is canceled. */
  readonly cancelAfter?: number;
}

const startAt = 1_700_000_000_000;

/** Number of turns of the event loop to wait for other steps. */
const mostTurns = 50;

export class ReplayingHost implements RunHost {
  readonly keepsSteps = true;
  readonly incarnation: string;
  /** All requests, in order. */
  readonly commands: string[] = [];
  /** Names of the steps that this life has started. */
  readonly worked: string[] = [];
  readonly journal: Completion[];
  readonly #options: ReplayingHostOptions;
  readonly #asked = new Map<string, Asked>();
  readonly #cancelListeners = new Set<() => void>();
  #now = startAt;
  #handedOver = 0;
  #atWork = 0;

  constructor(options: ReplayingHostOptions) {
    this.#options = options;
    this.journal = [...options.journal];
    this.incarnation = options.incarnation;
  }

  step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const asked = this.#ask(name, 'step');
    if (!this.#isKept(name, 'step')) void this.#work(name, work);
    return asked as Promise<T>;
  }

  timer(name: string, ms: number, purpose: TimerPurpose, signal?: AbortSignal): Promise<void> {
    if (purpose === 'housekeeping') throw new Error(`${name} is no affair of a host that repeats`);
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => {
        if (this.#asked.delete(name)) reject(signal.reason);
      });
      this.#ask(name, 'timer', this.#now + ms).then(() => resolve(), reject);
    });
  }

  signal<T>(name: string): Promise<T> {
    const asked = this.#ask(name, 'signal');
    const own = this.#asked.get(name);
    if (own !== undefined) own.result = { text: JSON.stringify(this.#options.answer(name)) };
    return asked as Promise<T>;
  }

  now(): number {
    return this.#now;
  }

  onCancel(listener: () => void): () => void {
    this.#cancelListeners.add(listener);
    return () => this.#cancelListeners.delete(listener);
  }

  /**
   * Delivers one completion after the other. @param isOver called before each. @param atPlace called before each with
   * the number of delivered completions
   */
  async run(isOver: () => boolean, atPlace: (handedOver: number) => void = () => undefined): Promise<void> {
    for (;;) {
      await this.#untilQuiet();
      if (isOver()) return;
      atPlace(this.#handedOver);
      const next = this.journal[this.#handedOver] ?? this.#pick();
      if (next === undefined) throw new Error(`Nothing is left to wait for: ${[...this.#asked.keys()].join(', ')}`);
      if (this.#handedOver === this.journal.length) this.journal.push(next);
      this.#handedOver++;
      this.#handOver(next);
    }
  }

  #ask(name: string, kind: Asked['kind'], dueAt?: number): Promise<unknown> {
    if (this.commands.includes(`${kind} ${name}`)) throw new Error(`${name} was asked for twice`);
    this.commands.push(`${kind} ${name}`);
    return new Promise((resolve) => {
      this.#asked.set(name, { kind, resolve, ...(dueAt === undefined ? {} : { dueAt }) });
    });
  }

  #isKept(name: string, kind: Completion['kind']): boolean {
    return this.journal.some((one) => one.name === name && one.kind === kind);
  }

  async #work(name: string, work: () => Promise<unknown>): Promise<void> {
    this.worked.push(name);
    this.#atWork++;
    // Never in the same turn as the request, so that code which continues without waiting does so in every life.
    await new Promise((resolve) => setImmediate(resolve));
    const value = await work();
    const asked = this.#asked.get(name);
    if (asked !== undefined) asked.result = { text: JSON.stringify(value) };
    this.#atWork--;
  }

  /**
   * Waits until all promises have settled that can, and until no step is running. A step may need the result of another
   * one, so the wait ends early if there is a result.
   */
  async #untilQuiet(): Promise<void> {
    let turns = 0;
    do {
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    } while (this.#atWork > 0 && (turns < mostTurns || !this.#hasResult()));
  }

  #hasResult(): boolean {
    return (
      this.#handedOver < this.journal.length || [...this.#asked.values()].some(({ result }) => result !== undefined)
    );
  }

  #pick(): Completion | undefined {
    if (this.#options.cancelAfter === this.#handedOver) {
      return { name: '', kind: 'cancel', text: undefined, at: this.#now };
    }
    const all = [...this.#asked];
    const timers = all.filter(([, { dueAt }]) => dueAt !== undefined);
    // Time passes only while nothing else happens.
    if (this.#atWork > 0) timers.length = 0;
    const soonest = Math.min(...timers.map(([, { dueAt = 0 }]) => dueAt));
    const ready = [
      ...all.filter(([, { result }]) => result !== undefined),
      ...timers.filter(([, { dueAt }]) => dueAt === soonest),
    ];
    const picked = ready[this.#options.choose(ready.length)];
    if (picked === undefined) return undefined;
    const [name, { kind, result, dueAt = this.#now }] = picked;
    return { name, kind, text: result?.text, at: Math.max(this.#now, dueAt) };
  }

  #handOver({ name, kind, text, at }: Completion): void {
    this.#now = at;
    if (kind === 'cancel') {
      for (const listener of this.#cancelListeners) listener();
      return;
    }
    const asked = this.#asked.get(name);
    if (asked?.kind !== kind) throw new Error(`Nobody has asked for ${kind} ${name} any more`);
    this.#asked.delete(name);
    asked.resolve(text === undefined ? undefined : JSON.parse(text));
  }
}
