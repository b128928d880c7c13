/**
 * Reads values out of answers and checks them, in threads that are ended when they take too long.
 */
import { Worker } from 'node:worker_threads';
import { EngineError, toErrorRecord } from '../base/engine-error.ts';
import { onAbort } from '../base/on-abort.ts';
import type { AnswerReading, AnswersCapability, ReadAnswer } from '../kernel/capabilities.ts';
import { findJson } from '../schema/find-json.ts';
import { limitComputing, startMeter } from '../workers/computing-time.ts';
import type { AnswerReport, AnswerThreadReady } from './answer-worker.ts';

const maxThreads = 4;
const resourceLimits = { maxOldGenerationSizeMb: 512 };
/** Characters that are read right here, where nothing has to be checked: a message to a thread would take longer. */
const shortText = 64 * 1024;

/**
 * Makes the reader. Its threads keep no process alive.
 * @param limitMs milliseconds of computing that one answer may take
 */
export function createAnswerReader(limitMs = 5_000): AnswersCapability {
  const threads = new Threads();
  const readOnce = async (reading: AnswerReading, signal: AbortSignal): Promise<ReadAnswer | TooSlow> => {
    const thread = await threads.take(signal);
    let isWhole = false;
    try {
      const answer = await ask(thread, reading, { signal, limitMs });
      isWhole = !('isExact' in answer);
      return answer;
    } finally {
      threads.give(thread, isWhole);
    }
  };
  return {
    async read(reading, signal) {
      signal.throwIfAborted();
      const { text, find, schema } = reading;
      if (schema === undefined && text.length <= shortText) return findJson(text, find);
      const first = await readOnce(reading, signal);
      if (!('isExact' in first)) return first;
      // An estimate may have counted other work of this process.
      const second = first.isExact ? first : await readOnce(reading, signal);
      if ('isExact' in second) throw tooSlow(limitMs);
      return second;
    },
  };
}

/** The limit was reached: by the time of the thread, or by an estimate of it. */
interface TooSlow {
  readonly isExact: boolean;
}

/** A thread, and the number under which the system knows it; undefined where the system has none. */
interface AnswerThread {
  readonly worker: Worker;
  readonly thread: number | undefined;
}

class Threads {
  readonly #idle: AnswerThread[] = [];
  readonly #waiting: (() => void)[] = [];
  #count = 0;

  async take(signal: AbortSignal): Promise<AnswerThread> {
    while (this.#count === maxThreads && this.#idle.length === 0) await this.#turn(signal);
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      idle.worker.ref();
      return idle;
    }
    this.#count++;
    try {
      return await startThread(signal);
    } catch (thrown) {
      this.#count--;
      this.#waiting.shift()?.();
      throw thrown;
    }
  }

  /** @param isWhole whether it can be asked again; else it is ended */
  give(thread: AnswerThread, isWhole: boolean): void {
    if (isWhole) {
      thread.worker.unref();
      this.#idle.push(thread);
    } else {
      this.#count--;
      void thread.worker.terminate();
    }
    this.#waiting.shift()?.();
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopListening = onAbort(signal, () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal.reason);
      });
      const start = (): void => {
        stopListening();
        resolve();
      };
      this.#waiting.push(start);
    });
  }
}

interface Limits {
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/** Starts a thread and waits until it can read answers, however long the machine takes for that. */
async function startThread(signal: AbortSignal): Promise<AnswerThread> {
  const { code } = await import('virtual:answer-worker');
  const worker = new Worker(code, { eval: true, env: {}, argv: [], execArgv: [], resourceLimits });
  // An error of an idle thread concerns no reading.
  worker.on('error', () => undefined);
  return await new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => end(() => reject(signal.reason), true));
    const hear = ({ thread }: AnswerThreadReady): void => end(() => resolve({ worker, thread }), false);
    const fail = (thrown: unknown): void => end(() => reject(broken(thrown)), true);
    const exit = (): void => fail(new Error('its thread ended'));
    const end = (settle: () => void, isUseless: boolean): void => {
      stopListening();
      worker.off('message', hear).off('error', fail).off('exit', exit);
      if (isUseless) void worker.terminate();
      settle();
    };
    worker.once('message', hear).once('error', fail).once('exit', exit);
  });
}

function ask(
  { worker, thread }: AnswerThread,
  { text, find, schema }: AnswerReading,
  { signal, limitMs }: Limits,
): Promise<ReadAnswer | TooSlow> {
  return new Promise((resolve, reject) => {
    const meter = startMeter(thread);
    const fail = (thrown: unknown): void => end(() => reject(broken(thrown)));
    const hear = (report: AnswerReport): void =>
      'answer' in report ? end(() => resolve(report.answer)) : fail(report.error);
    const exit = (): void => fail(new Error('its thread ended'));
    const stopListening = onAbort(signal, () => end(() => reject(signal.reason)));
    const stopLimit = limitComputing(meter, limitMs, () => end(() => resolve({ isExact: meter.isExact })));
    const end = (settle: () => void): void => {
      stopListening();
      stopLimit();
      worker.off('message', hear).off('error', fail).off('exit', exit);
      settle();
    };
    worker.on('message', hear).on('error', fail).on('exit', exit);
    worker.postMessage(schema === undefined ? { text, find } : { text, find, schema });
  });
}

function tooSlow(limitMs: number): EngineError {
  return new EngineError({
    code: 'schema.too-slow',
    message: `Checking the answer against its schema took more than ${limitMs / 1000} s of computing, so it was stopped. The usual cause is a regular expression in "pattern" that tries very many ways to match, or definitions that refer to each other many times.`,
  });
}

function broken(thrown: unknown): EngineError {
  const { message: reason } = toErrorRecord(thrown);
  return new EngineError({
    code: 'schema.too-much',
    message: `Checking the answer broke off: ${reason}. The answer or its schema is too large.`,
    cause: thrown,
  });
}
