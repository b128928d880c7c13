/**
 * Reads values from responses and checks them, in workers that are terminated if they take too long.
 */
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { findJson } from '../../language/schema/find-json.ts';
import type { AnswersCapability, ParsedAnswer } from '../../runtime/kernel/capabilities/capabilities.ts';
import { type WorkerJob, WorkerPool } from '../workers/worker-pool.ts';
import type { AnswerOrder, AnswerReport } from './answer-worker.ts';

const atOnce = 4;
/** Maximum number of characters read on this thread without a schema, because a message to a worker takes longer. */
const shortText = 64 * 1024;

/** Reads responses until it is closed. */
export interface AnswerReader extends AnswersCapability {
  /** Terminates the workers. Pending reads fail. */
  close(): Promise<void>;
}

/**
 * Creates a reader. Its workers do not keep the process alive.
 * @param limitMs maximum computing time per response, in milliseconds
 */
export function createAnswerReader(limitMs = 5_000): AnswerReader {
  const pool = new WorkerPool({
    name: 'answers',
    loadProgram: () => import('virtual:answer-worker'),
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    size: atOnce,
    kept: atOnce,
    failureOf: (error = new Error('the thread exited')) => broken(error),
  });
  return {
    async read(reading, signal) {
      signal.throwIfAborted();
      const { text, find, schema } = reading;
      if (schema === undefined && text.length <= shortText) return findJson(text, find);
      const order = schema === undefined ? { text, find } : { text, find, schema };
      let isEstimate = false;
      const readOnce = (job: WorkerJob): Promise<ParsedAnswer> => {
        job.limitComputing(limitMs, (isExact) => {
          isEstimate = !isExact;
          return tooSlow(limitMs);
        });
        return ask(job, order);
      };
      try {
        return await pool.run(signal, readOnce);
      } catch (error) {
        // An estimate may include this process's other work.
        if (isEstimate) return await pool.run(signal, readOnce);
        throw error;
      }
    },
    close: () => pool.close(new EngineError({ code: 'engine.closed', message: 'The engine was closed' })),
  };
}

function ask({ worker }: WorkerJob, order: AnswerOrder): Promise<ParsedAnswer> {
  return worker.run<AnswerReport, ParsedAnswer>(order, (report, { end, fail }) => {
    if ('answer' in report) {
      end(report.answer);
      return;
    }
    worker.retire();
    fail(broken(report.error));
  });
}

function tooSlow(limitMs: number): EngineError {
  return new EngineError({
    code: 'schema.too-slow',
    message: `Checking the value against its schema took more than ${limitMs / 1000} s of computing, so it was stopped. Simplify the schema. The usual cause is a regular expression in "pattern" that backtracks too often, or definitions that refer to each other many times.`,
  });
}

function broken(thrown: unknown): EngineError {
  const { message: reason } = toErrorRecord(thrown);
  return new EngineError({
    code: 'schema.too-much',
    message: `Checking the value failed: ${reason}. The value or its schema is too large.`,
    cause: thrown,
  });
}
