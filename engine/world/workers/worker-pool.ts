/**
 * The thread pool: limits how many jobs of a kind compute at once, keeps workers for later jobs, and ends them.
 */
import { CancelSource } from '../../base/cancel-source.ts';
import type { EngineError } from '../../base/engine-error.ts';
import { limitComputing } from './computing-time.ts';
import type { WorkerKind } from './worker-kind.ts';
import { WorkerThread } from './worker-thread.ts';

/** A running job: its worker, and its place among the computing jobs. */
export interface WorkerJob {
  readonly worker: WorkerThread;
  /** Aborts when the job is ended. Created on first use. */
  readonly signal: AbortSignal;
  /** Ends the job and its worker immediately. @param reason fails the job */
  cancel(reason: unknown): void;
  /**
   * Ends the job, as `cancel` does, when its worker has computed for `limitMs` milliseconds.
   * @param reasonOf receives whether the measured time is exact
   */
  limitComputing(limitMs: number, reasonOf: (isExact: boolean) => EngineError): void;
  /** Lets another job compute while this one waits for the engine. */
  pause(): void;
  /**
   * Continues immediately, even above the limit: waiting for a place could deadlock with a job that waits for this one.
   */
  resume(): void;
}

interface IdleWorker {
  readonly worker: WorkerThread;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Workers of one kind. No worker is started before the first job. */
export class WorkerPool {
  readonly #kind: WorkerKind;
  readonly #idle: IdleWorker[] = [];
  readonly #all = new Set<WorkerThread>();
  readonly #ending = new Set<Promise<void>>();
  readonly #jobs = new Set<CancelSource<unknown>>();
  /** Starts the jobs that wait for a place, in order. */
  readonly #waiting: (() => void)[] = [];
  #computing = 0;
  #closed: { readonly reason: EngineError } | undefined;

  constructor(kind: WorkerKind) {
    this.#kind = kind;
  }

  /** Number of workers, busy and idle. */
  get workerCount(): number {
    return this.#all.size;
  }

  /**
   * Runs a job in a worker. Jobs start in the order of their calls. Canceling a job ends its worker.
   * @throws errors from `work`; the kind's error for a worker that died; the signal's reason; the reason of `close`
   */
  async run<Result>(signal: AbortSignal, work: (job: WorkerJob) => Promise<Result>): Promise<Result> {
    if (this.#closed !== undefined) throw this.#closed.reason;
    const ending = new CancelSource<unknown>();
    ending.followSignal(signal, ({ reason }) => reason);
    this.#jobs.add(ending);
    try {
      await this.#turn(ending);
      return await this.#runInTurn(ending, work);
    } finally {
      this.#jobs.delete(ending);
      ending.close();
    }
  }

  /** Ends all jobs and workers permanently. @param reason error for these and all later jobs */
  async close(reason: EngineError): Promise<void> {
    this.#closed = { reason };
    for (const job of this.#jobs) job.cancel(reason);
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    for (const worker of this.#all) void this.#end(worker, reason);
    await Promise.all(this.#ending);
  }

  /** Waits for a place among the computing jobs. */
  #turn(ending: CancelSource<unknown>): Promise<void> | undefined {
    if (ending.reason !== undefined) throw ending.reason;
    if (this.#computing < this.#kind.size) {
      this.#computing++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const stopListening = ending.onCancel(() => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(ending.reason);
      });
      const start = (): void => {
        stopListening();
        resolve();
      };
      this.#waiting.push(start);
    });
  }

  async #runInTurn<Result>(ending: CancelSource<unknown>, work: (job: WorkerJob) => Promise<Result>): Promise<Result> {
    let worker: WorkerThread;
    try {
      worker = this.#takeIdle() ?? (await this.#startWorker(ending));
    } catch (thrown) {
      this.#step(-1);
      throw thrown;
    }
    const stopListening = ending.onCancel(() => void this.#end(worker, ending.reason));
    const job = new WorkerPoolJob(worker, ending, (change) => this.#step(change));
    try {
      await worker.whenReady();
      return await work(job);
    } finally {
      stopListening();
      const ended = this.#putAway(worker);
      job.leave();
      if (this.#kind.kept === 0) await ended;
    }
  }

  /** Changes the number of computing jobs, and starts waiting jobs if there is a place for them. */
  #step(change: number): void {
    this.#computing += change;
    while (this.#computing < this.#kind.size) {
      const start = this.#waiting.shift();
      if (start === undefined) return;
      this.#computing++;
      start();
    }
  }

  #takeIdle(): WorkerThread | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (idle.worker.isReusable) {
        idle.worker.keepAlive(true);
        return idle.worker;
      }
      void this.#end(idle.worker);
    }
    return undefined;
  }

  async #startWorker(ending: CancelSource<unknown>): Promise<WorkerThread> {
    const program = await this.#kind.loadProgram();
    if (ending.reason !== undefined) throw ending.reason;
    const worker = new WorkerThread(program, this.#kind);
    this.#all.add(worker);
    return worker;
  }

  /** Keeps a worker for later jobs, or ends it and returns a promise of its end. */
  #putAway(worker: WorkerThread): Promise<void> | undefined {
    const { kept, idleMs } = this.#kind;
    if (!worker.isReusable || this.#idle.length >= kept) return this.#end(worker);
    worker.keepAlive(false);
    this.#idle.push({ worker, timer: idleMs === undefined ? undefined : this.#endLater(worker, idleMs) });
    return undefined;
  }

  #endLater(worker: WorkerThread, idleMs: number): NodeJS.Timeout {
    const end = (): void => {
      const index = this.#idle.findIndex((idle) => idle.worker === worker);
      this.#idle.splice(index, 1);
      void this.#end(worker);
    };
    return setTimeout(end, idleMs).unref();
  }

  async #end(worker: WorkerThread, reason?: unknown): Promise<void> {
    this.#all.delete(worker);
    const ended = worker.end(reason);
    this.#ending.add(ended);
    await ended;
    this.#ending.delete(ended);
  }
}

class WorkerPoolJob implements WorkerJob {
  readonly worker: WorkerThread;
  readonly #ending: CancelSource<unknown>;
  /** Changes the pool's number of computing jobs. */
  readonly #step: (change: number) => void;
  #endLimit: (() => void) | undefined;
  #isComputing = true;
  #isOver = false;

  constructor(worker: WorkerThread, ending: CancelSource<unknown>, step: (change: number) => void) {
    this.worker = worker;
    this.#ending = ending;
    this.#step = step;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  cancel(reason: unknown): void {
    this.#ending.cancel(reason);
  }

  limitComputing(limitMs: number, reasonOf: (isExact: boolean) => EngineError): void {
    const meter = this.worker.startMeter();
    this.#endLimit = limitComputing(meter, limitMs, () => this.cancel(reasonOf(meter.isExact)));
  }

  pause(): void {
    this.#compute(false);
  }

  resume(): void {
    this.#compute(true);
  }

  /** Permanently gives up the job's place. */
  leave(): void {
    this.#endLimit?.();
    this.#compute(false);
    this.#isOver = true;
  }

  #compute(isComputing: boolean): void {
    // Engine calls may return long after the job has ended.
    if (this.#isOver || this.#isComputing === isComputing) return;
    this.#isComputing = isComputing;
    this.#step(isComputing ? 1 : -1);
  }
}
