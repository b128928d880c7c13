/**
 * The engine's side of one worker: sends it orders, receives its reports, and can end it at any time.
 */
import { Worker } from 'node:worker_threads';
import { type ComputingMeter, startMeter } from './computing-time.ts';
import type { WorkerKind } from './worker-kind.ts';
import type { WorkerProgram, WorkerReady, WorkerSetup } from './worker-protocol.ts';

/** An order that a worker is executing. `end` or `fail` is called once, when the worker reports the outcome. */
export interface OrderInWork<Result> {
  /** Sends the worker the answer for which it waits. Does nothing once the order is over. @throws DataCloneError */
  send(answer: unknown): void;
  /** Completes the order. */
  end(result: Result): void;
  fail(reason: unknown): void;
}

/** Receives the worker's reports on one order. */
type ReportListener<Report, Result> = (report: Report, order: OrderInWork<Result>) => void;

interface WorkerOrderHandlers {
  readonly onReport: (report: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export class WorkerThread {
  readonly #worker: Worker;
  readonly #flag = new Int32Array(new SharedArrayBuffer(4));
  readonly #ready: Promise<void>;
  #thread: number | undefined;
  #order: WorkerOrderHandlers | undefined;
  #isRetired = false;
  /** Why it died or was ended. */
  #failure: { readonly reason: unknown } | undefined;
  /** Rejects the callers that wait for it to be ready. */
  #rejectReady: (reason: unknown) => void = () => undefined;

  constructor({ code, module }: WorkerProgram, { name, resourceLimits, failureOf }: WorkerKind) {
    const workerData: WorkerSetup = { module, flag: this.#flag.buffer };
    // The worker inherits nothing from this process, and its output is discarded.
    const isolation = { argv: [], env: {}, execArgv: [], stdout: true, stderr: true };
    this.#worker = new Worker(code, { eval: true, name, workerData, resourceLimits, ...isolation });
    this.#worker.once('exit', () => this.#fail(failureOf(undefined)));
    this.#worker.once('error', (error: unknown) =>
      this.#fail(failureOf(error instanceof Error ? error : new Error(String(error)))),
    );
    this.#ready = new Promise((resolve, reject) => {
      this.#rejectReady = reject;
      this.#worker.once('message', ({ thread }: WorkerReady) => {
        this.#thread = thread;
        this.#worker.on('message', (report: unknown) => this.#order?.onReport(report));
        resolve();
      });
    });
    // Callers that wait for it receive the error. Without callers, the rejection must still be handled.
    this.#ready.catch(() => undefined);
  }

  /** False if it has died, was ended or was retired. */
  get isReusable(): boolean {
    return !this.#isRetired && this.#failure === undefined;
  }

  /** Marks it as not to be used for another order. */
  retire(): void {
    this.#isRetired = true;
  }

  /** Resolves when it can accept orders. @throws the kind's error for a worker that died; the reason passed to `end` */
  whenReady(): Promise<void> {
    return this.#ready;
  }

  /** Starts measuring its computing time. It must be ready. */
  startMeter(): ComputingMeter {
    return startMeter(this.#thread);
  }

  /**
   * Sends it an order and waits for the outcome. Only one order can be active at a time.
   * @throws the kind's error for a worker that died; the reason passed to `end`; DataCloneError
   */
  run<Report, Result>(order: unknown, listener: ReportListener<Report, Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure.reason);
        return;
      }
      this.#send(order);
      const inWork: OrderInWork<Result> = {
        send: (answer) => {
          if (this.#order === own) this.#send(answer);
        },
        end: (result) => {
          this.#order = undefined;
          resolve(result);
        },
        fail: (reason) => {
          this.#order = undefined;
          reject(reason);
        },
      };
      const own: WorkerOrderHandlers = { onReport: (report) => listener(report as Report, inWork), reject };
      this.#order = own;
    });
  }

  /** Sets whether the process must wait for it. */
  keepAlive(isKept: boolean): void {
    if (isKept) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Ends it immediately, whatever it is doing. @param reason fails its order */
  async end(reason: unknown): Promise<void> {
    this.#fail(reason);
    await this.#worker.terminate();
  }

  #send(message: unknown): void {
    this.#worker.postMessage(message);
    Atomics.store(this.#flag, 0, 1);
    Atomics.notify(this.#flag, 0);
  }

  #fail(reason: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { reason };
    this.#rejectReady(reason);
    this.#order?.reject(reason);
    this.#order = undefined;
  }
}
