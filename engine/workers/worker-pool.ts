/**
 * The workers of a runtime: how many scripts may compute at once, and which workers are kept for the next ones.
 */
import type { ScriptLanguage } from './script-language.ts';
import type { ScriptStop } from './script-stop.ts';
import { ScriptWorker } from './script-worker.ts';

interface WorkerPoolOptions {
  readonly language: ScriptLanguage;
  /** How many scripts may compute at once. Those that wait for the engine do not count. */
  readonly size: number;
  /** Milliseconds after which a worker without work is ended. */
  readonly idleMs: number;
}

/** The right to compute, with a worker to do it. */
export interface Seat<Script> {
  readonly worker: ScriptWorker<Script>;
  /** The script waits for the engine: another one may compute meanwhile. */
  pause(): void;
  /** It goes on, at once: to queue again could wait for a script that waits for this one. */
  resume(): void;
  /** The worker goes back to the pool, or is ended when it cannot be used again. */
  leave(): void;
  /** Ends the worker. */
  kill(): void;
}

/** Scripts that wait for scripts they have called hold their workers; so many more are kept on any machine. */
const leastKept = 8;

interface Waiting {
  readonly start: () => void;
}

interface IdleWorker<Script> {
  readonly worker: ScriptWorker<Script>;
  readonly timer: NodeJS.Timeout;
}

export class WorkerPool<Script> {
  readonly #options: WorkerPoolOptions;
  readonly #idle: IdleWorker<Script>[] = [];
  readonly #all = new Set<ScriptWorker<Script>>();
  readonly #ending = new Set<Promise<void>>();
  readonly #waiting: Waiting[] = [];
  #computing = 0;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Workers that there are, with and without work. */
  get workerCount(): number {
    return this.#all.size;
  }

  /**
   * Waits for a seat, in the order of asking.
   * @throws the reason of `stop` when the script is stopped; EngineError `<area>.crashed` | `<area>.memory` when no worker can be started
   */
  async take(stop: ScriptStop): Promise<Seat<Script>> {
    await this.#turn(stop);
    try {
      const worker = this.#takeIdle() ?? (await this.#startWorker());
      await worker.whenReady();
      if (!stop.isStopped) return this.#seat(worker);
      this.#keep(worker);
      throw stop.reason;
    } catch (thrown) {
      this.#step(-1);
      throw stop.isStopped ? stop.reason : thrown;
    }
  }

  /** Ends all workers, for good. Scripts that wait for a seat must have been stopped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    for (const worker of this.#all) this.#end(worker);
    await Promise.all(this.#ending);
  }

  #turn(stop: ScriptStop): Promise<void> {
    return new Promise((resolve, reject) => {
      if (stop.isStopped) {
        reject(stop.reason);
        return;
      }
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(stop.reason);
      };
      const entry: Waiting = {
        start: () => {
          stopListening();
          resolve();
        },
      };
      const stopListening = stop.onStop(giveUp);
      this.#waiting.push(entry);
      this.#step(0);
    });
  }

  /** More or fewer scripts compute; whoever has a right to start does. */
  #step(change: number): void {
    this.#computing += change;
    while (this.#computing < this.#options.size) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#computing++;
      next.start();
    }
  }

  #seat(worker: ScriptWorker<Script>): Seat<Script> {
    let share = 1;
    let isTaken = true;
    const set = (next: number): void => {
      // Calls of the engine may still come back when the script is long gone.
      if (!isTaken) return;
      const change = next - share;
      share = next;
      this.#step(change);
    };
    const free = (putAway: (worker: ScriptWorker<Script>) => void): void => {
      if (!isTaken) return;
      putAway(worker);
      set(0);
      isTaken = false;
    };
    return {
      worker,
      pause: () => set(0),
      resume: () => set(1),
      leave: () => free((one) => this.#keep(one)),
      kill: () => free((one) => this.#end(one)),
    };
  }

  #takeIdle(): ScriptWorker<Script> | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (!idle.worker.isReusable) continue;
      idle.worker.keepAlive(true);
      return idle.worker;
    }
    return undefined;
  }

  async #startWorker(): Promise<ScriptWorker<Script>> {
    const { language } = this.#options;
    const program = await language.loadProgram();
    if (this.#isClosed) throw new Error('The pool is closed');
    const worker = new ScriptWorker<Script>(program, language);
    this.#all.add(worker);
    return worker;
  }

  #keep(worker: ScriptWorker<Script>): void {
    if (this.#isClosed || !worker.isReusable || this.#idle.length >= Math.max(this.#options.size, leastKept)) {
      this.#end(worker);
      return;
    }
    worker.keepAlive(false);
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((idle) => idle.worker === worker),
        1,
      );
      this.#end(worker);
    }, this.#options.idleMs);
    timer.unref();
    this.#idle.push({ worker, timer });
  }

  #end(worker: ScriptWorker<Script>): void {
    this.#all.delete(worker);
    const ending = worker.end().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}
