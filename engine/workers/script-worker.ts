/**
 * One worker, seen from the engine: it is given a script, asks on the script's behalf, and reports how it ended.
 */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { EngineError, toErrorRecord } from '../base/engine-error.ts';
import { type ComputingMeter, startMeter } from './computing-time.ts';
import type { ScriptLanguage } from './script-language.ts';
import type { HostAnswer, ScriptOutcome, WorkerProgram, WorkerReport, WorkerSetup } from './worker-protocol.ts';

/** Answers a call of the script. */
type CallAnswerer = (name: string, params: unknown) => Promise<unknown>;

interface Job {
  readonly answer: CallAnswerer;
  readonly resolve: (outcome: ScriptOutcome) => void;
  readonly reject: (error: EngineError) => void;
}

/** Beyond these the worker's own JavaScript, not the script, has run wild. */
const resourceLimits = { maxOldGenerationSizeMb: 1024, stackSizeMb: 4 };
/** A machine's memory never shrinks, so a worker that has grown beyond this is not used again. */
const reusableBytes = 64 * 2 ** 20;

export class ScriptWorker<Script> {
  readonly #worker: Worker;
  readonly #answers: MessagePort;
  readonly #flag = new SharedArrayBuffer(4);
  readonly #ready: Promise<void>;
  #thread: number | undefined;
  #job: Job | undefined;
  #isReusable = true;

  constructor({ code, module }: WorkerProgram, language: ScriptLanguage) {
    const { port1, port2 } = new MessageChannel();
    const setup: WorkerSetup = { module, answers: port2, flag: this.#flag };
    this.#answers = port1;
    this.#worker = new Worker(code, {
      eval: true,
      workerData: setup,
      transferList: [port2],
      argv: [],
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits,
    });
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (report: WorkerReport) => {
        if (report.type !== 'ready') {
          this.#hear(report);
          return;
        }
        this.#thread = report.thread;
        resolve();
      });
      this.#worker.once('exit', () => this.#die(diedError(language), reject));
      this.#worker.once('error', (error) => this.#die(failureOf(error, language), reject));
    });
    // Whoever waits for it gets the error; nobody may be waiting.
    this.#ready.catch(() => undefined);
  }

  /** False when it has died, or must not be used for another script. */
  get isReusable(): boolean {
    return this.#isReusable;
  }

  /** Counts its computing from now on. It has to be ready. */
  startMeter(): ComputingMeter {
    return startMeter(this.#thread);
  }

  /** Resolves when it can run scripts. @throws EngineError `<area>.crashed` | `<area>.memory`, the area being that of the language */
  whenReady(): Promise<void> {
    return this.#ready;
  }

  /**
   * Runs a script.
   * @throws EngineError `<area>.crashed` | `<area>.memory` | `<area>.error` (the calls went too deep) when the worker died of it
   */
  run(script: Script, answer: CallAnswerer): Promise<ScriptOutcome> {
    return new Promise((resolve, reject) => {
      this.#job = { answer, resolve, reject };
      this.#answers.postMessage(script);
      this.#wake();
    });
  }

  /** Whether the process has to wait for it. */
  keepAlive(isKept: boolean): void {
    if (isKept) this.#worker.ref();
    else this.#worker.unref();
  }

  /** Ends it at once, whatever its script is doing. */
  async end(): Promise<void> {
    this.#isReusable = false;
    this.#job = undefined;
    this.#answers.close();
    await this.#worker.terminate();
  }

  #hear(report: Exclude<WorkerReport, { type: 'ready' }>): void {
    const job = this.#job;
    if (job === undefined) return;
    if (report.type === 'call') {
      this.#answerCall(job, report.name, report.params);
      return;
    }
    this.#job = undefined;
    if (report.memoryBytes > reusableBytes) this.#isReusable = false;
    job.resolve(report.outcome);
  }

  #answerCall(job: Job, name: string, params: unknown): void {
    const tell = (answer: HostAnswer): void => {
      if (this.#job !== job) return;
      this.#send(answer);
    };
    job.answer(name, params).then(
      (value) => tell({ isOk: true, value }),
      (thrown: unknown) => tell({ isOk: false, error: toErrorRecord(thrown) }),
    );
  }

  #send(answer: HostAnswer): void {
    try {
      this.#answers.postMessage(answer);
    } catch (thrown) {
      this.#answers.postMessage({ isOk: false, error: toErrorRecord(thrown) });
    }
    this.#wake();
  }

  #wake(): void {
    const flag = new Int32Array(this.#flag);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  }

  #die(error: EngineError, rejectReady: (error: EngineError) => void): void {
    this.#isReusable = false;
    this.#answers.close();
    rejectReady(error);
    this.#job?.reject(error);
    this.#job = undefined;
  }
}

function diedError({ area }: ScriptLanguage): EngineError {
  return new EngineError({ code: `${area}.crashed`, message: 'The worker that ran the script ended unexpectedly' });
}

function failureOf(error: Error, { area, name }: ScriptLanguage): EngineError {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY' || code === `${area}.memory`)
    return new EngineError({ code: `${area}.memory`, message: `${name} error:\nnot enough memory`, cause: error });
  if (error instanceof RangeError || error.name === 'RangeError') {
    return new EngineError({
      code: `${area}.error`,
      message: `${name} error:\nstack overflow (${error.message})`,
      cause: error,
    });
  }
  const message = `The worker that ran the script failed: ${error.message}`;
  return new EngineError({ code: `${area}.crashed`, message, cause: error });
}
