import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../language/schema/json-schema.ts';
import type { AnswerParseRequest } from '../../runtime/kernel/capabilities/capabilities.ts';
import { createAnswerReader } from './answer-reader.ts';

const reader = createAnswerReader(1_000);
const never = new AbortController().signal;
const read = (text: string, schema?: JsonSchema, find: AnswerParseRequest['find'] = 'first', signal = never) =>
  reader.read({ text, find, schema }, signal);

/** A pattern with catastrophic backtracking. */
const endless: JsonSchema = { pattern: '^(a|a)*$' };
const hard = JSON.stringify(`${'a'.repeat(60)}b`);

test('reads a value, with and without a schema', async () => {
  expect(await read('Sure: {"a": 1}')).toEqual({ value: { a: 1 } });
  expect(await read('Sure: {"a": 1}', { type: 'object' })).toEqual({ value: { a: 1 } });
  expect(await read('Sure: {"a": 1}', { type: 'object' }, 'whole')).toMatchObject({
    unreadable: { line: 1, column: 1 },
  });
  expect(await read('no value')).toMatchObject({ unreadable: { column: 1 } });
  expect(await read('{"a": 1}', { properties: { a: { type: 'string' } } })).toEqual({
    problems: [{ pointer: '/a', expected: 'string', found: '1' }],
  });
});

test('matches many concurrent reads with their own results', async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  const answers = await Promise.all(numbers.map((number) => read(`[${number}]`, { items: { maximum: 19 } })));
  expect(answers.map((answer) => ('value' in answer ? answer.value : 'unfit'))).toEqual(
    numbers.map((number) => (number < 20 ? [number] : 'unfit')),
  );
});

test('closing the reader fails pending reads and later ones', async () => {
  const closing = createAnswerReader();
  const order = { text: hard, find: 'first', schema: endless } as const;
  const reading = expect(closing.read(order, never)).rejects.toMatchObject({ code: 'engine.closed' });
  await closing.close();
  await reading;
  await expect(closing.read(order, never)).rejects.toMatchObject({ code: 'engine.closed' });
});

test('BB-02 time that the machine spends on other work does not count', async () => {
  const hasty = createAnswerReader(250);
  const check = () => hasty.read({ text: '{"a": 1}', find: 'last', schema: { type: 'object' } }, never);
  await check();
  const checked = check();
  // Blocks this thread until the limit has passed by the clock.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  expect(await checked).toEqual({ value: { a: 1 } });
});

describe('inputs that would never finish', () => {
  test('BB-02 are aborted at the timeout, and the next response is read', async () => {
    await expect(read(hard, endless)).rejects.toMatchObject({
      code: 'schema.too-slow',
      message: expect.stringContaining('more than 1 s of computing'),
    });
    expect(await read('[1]', { type: 'array' })).toEqual({ value: [1] });
  });

  test('are aborted when the caller cancels, also while they are queued', async () => {
    const stop = new AbortController();
    const waiting = Array.from({ length: 6 }, () => read(hard, endless, 'first', stop.signal));
    setTimeout(() => stop.abort(new Error('stopped')), 200);
    const ends = await Promise.allSettled(waiting);
    expect(ends.map((end) => end.status === 'rejected' && String(end.reason))).toEqual(Array(6).fill('Error: stopped'));
    expect(await read('[1]', { type: 'array' })).toEqual({ value: [1] });
  });

  test('are also rejected if a schema applies itself to a value too often', async () => {
    const $defs: Record<string, JsonSchema> = { a0: { type: 'string' } };
    for (let level = 1; level < 60; level++) {
      const ref = { $ref: `#/$defs/a${level - 1}` };
      $defs[`a${level}`] = { anyOf: [ref, ref, ref] };
    }
    await expect(read('1', { $defs, $ref: '#/$defs/a59' })).rejects.toMatchObject({
      // The limit that is reached first depends on the machine.
      code: expect.stringMatching(/^schema\.too-(?:slow|much)$/),
    });
  });
});

test('a response of 10 MB and one nested 10,000 levels deep are read or rejected with a reason', async () => {
  const patient = createAnswerReader();
  const long = JSON.stringify(Array.from({ length: 200_000 }, (_, index) => ({ id: index, name: 'n'.repeat(20) })));
  expect(long.length).toBeGreaterThan(8_000_000);
  const schema = { type: 'array', items: { required: ['id'] } };
  const answer = await patient.read({ text: `Here: ${long}`, find: 'first', schema }, never);
  expect('value' in answer && (answer.value as unknown[]).length).toBe(200_000);
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  expect(await read(deep, { type: 'object' })).toMatchObject({
    unreadable: { problem: expect.stringContaining('nested more than 500 levels') },
  });
});
