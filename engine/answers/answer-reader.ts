/**
 * Reads values out of answers and checks them, in threads that are ended when they take too long.
 */
import { Worker } from 'node:worker_threads';
import { systemClock } from '../base/clock.ts';
import { EngineError, toErrorRecord } from '../base/engine-error.ts';
import { onAbort } from '../base/on-abort.ts';
import type { AnswerReading, AnswersCapability, ReadAnswer } from '../kernel/capabilities.ts';
import { findJson } from '../schema/find-json.ts';
import type { AnswerReport } from './answer-worker.ts';

const maxThreads = 4;
const resourceLimits = { maxOldGenerationSizeMb: 512 };
/** Characters that are read right here, where nothing has to be checked: a message to a thread would take longer. */
const shortText = 64 * 1024;

/**
 * Makes the reader. Its threads keep no process alive.
 * @param limitMs milliseconds that one answer may take
 */
export function createAnswerReader(limitMs = 5_000): AnswersCapability {
  const threads = new Threads();
  return {
    async read(reading, signal) {
      signal.throwIfAborted();
      const { text, find, schema } = reading;
      if (schema === undefined && text.length <= shortText) return findJson(text, find);
      const thread = await threads.take(signal);
      let isWhole = false;
      try {
        const answer = await ask(thread, reading, { signal, limitMs });
        isWhole = true;
        return answer;
      } finally {
        threads.give(thread, isWhole);
      }
    },
  };
}

class Threads {
  readonly #idle: Worker[] = [];
  readonly #waiting: (() => void)[] = [];
  #count = 0;

  async take(signal: AbortSignal): Promise<Worker> {
    while (this.#count === maxThreads && this.#idle.length === 0) await this.#turn(signal);
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      idle.ref();
      return idle;
    }
    this.#count++;
    try {
      const { code } = await import('virtual:answer-worker');
      const thread = new Worker(code, { eval: true, env: {}, argv: [], execArgv: [], resourceLimits });
      // What goes wrong in a thread that nobody waits for is of no interest.
      return thread.on('error', () => undefined);
    } catch (thrown) {
      this.#count--;
      throw thrown;
    }
  }

  /** @param isWhole whether it can be asked again; else it is ended */
  give(thread: Worker, isWhole: boolean): void {
    if (isWhole) {
      thread.unref();
      this.#idle.push(thread);
    } else {
      this.#count--;
      void thread.terminate();
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

function ask(thread: Worker, { text, find, schema }: AnswerReading, { signal, limitMs }: Limits): Promise<ReadAnswer> {
  return new Promise<ReadAnswer>((resolve, reject) => {
    const fail = (thrown: unknown): void => end(() => reject(broken(thrown)));
    const hear = (report: AnswerReport): void =>
      'answer' in report ? end(() => resolve(report.answer)) : fail(report.error);
    const exit = (): void => fail(new Error('its thread ended'));
    const stopListening = onAbort(signal, () => end(() => reject(signal.reason)));
    // Of real time, whatever clock runs have: the thread works in no other.
    const stopTimer = systemClock.setTimer(() => end(() => reject(tooSlow(limitMs))), limitMs);
    const end = (settle: () => void): void => {
      stopListening();
      stopTimer();
      thread.off('message', hear).off('error', fail).off('exit', exit);
      settle();
    };
    thread.on('message', hear).on('error', fail).on('exit', exit);
    thread.postMessage(schema === undefined ? { text, find } : { text, find, schema });
  });
}

function tooSlow(limitMs: number): EngineError {
  return new EngineError({
    code: 'schema.too-slow',
    message: `Checking the answer took more than ${limitMs / 1000} s and was given up. Simplify the schema: its patterns, or the parts that refer to each other many times.`,
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
