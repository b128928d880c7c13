/**
 * The program of the thread that reads answers and checks them against their schemas.
 */
import { parentPort } from 'node:worker_threads';
import type { AnswerReading, ReadAnswer } from '../kernel/capabilities.ts';
import { findJson, lastValues } from '../schema/find-json.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { ownThread } from '../workers/computing-time.ts';
import { createValueCheck } from './check-value.ts';

/** One answer to read. */
export type AnswerOrder = Pick<AnswerReading, 'text' | 'find' | 'schema'>;

/** What came of it. */
export type AnswerReport = { readonly answer: ReadAnswer } | { readonly error: unknown };

/** The first message: the thread can read answers now. With its number, where the system has one. */
export interface AnswerThreadReady {
  readonly ready: true;
  readonly thread: number | undefined;
}

type Check = ReturnType<typeof createValueCheck>;

/** The schema of the answer before: a node in a loop asks for the same one again and again. */
let last: { readonly text: string; readonly check: Check } | undefined;

function checkOf(schema: JsonSchema): Check {
  const text = JSON.stringify(schema);
  if (last?.text !== text) last = { text, check: createValueCheck(schema) };
  return last.check;
}

/** Of the values of an answer the last one that fits counts, and the last one at all when none does. */
function read({ text, find, schema }: AnswerOrder): ReadAnswer {
  const check = schema === undefined ? () => [] : checkOf(schema);
  const found = find === 'last' && schema !== undefined ? lastValues(text) : [findJson(text, find)];
  let misfit: ReadAnswer | undefined;
  for (const one of found) {
    const problems = 'value' in one ? check(one.value) : [];
    if ('value' in one && problems.length === 0) return one;
    misfit ??= 'value' in one ? { problems } : one;
  }
  return misfit ?? findJson(text, find);
}

function report(order: AnswerOrder): AnswerReport {
  try {
    return { answer: read(order) };
  } catch (thrown) {
    // A schema may send the check round and round, until there is no room left.
    return { error: thrown };
  }
}

parentPort?.on('message', (order: AnswerOrder) => parentPort?.postMessage(report(order)));
const ready: AnswerThreadReady = { ready: true, thread: ownThread() };
parentPort?.postMessage(ready);
