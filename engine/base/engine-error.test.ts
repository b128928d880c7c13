import { describe, expect, test } from 'vitest';
import { causesOf, EngineError, fromErrorRecord, toErrorRecord } from './engine-error.ts';

describe('EngineError', () => {
  test('is recognized across copies of the module, where instanceof fails', async () => {
    // The query makes the loader evaluate the file a second time, like a duplicate in two bundles.
    const copy: typeof import('./engine-error.ts') = await import(`./engine-error.ts?copy=${'1'}`);
    const error = new copy.EngineError({ code: 'a.b', message: 'No' });
    expect([copy.EngineError === EngineError, error instanceof EngineError, EngineError.is(error)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(toErrorRecord(error)).toEqual({ code: 'a.b', message: 'No' });
  });

  test.each([[new Error('x')], [{ code: 'a.b', message: 'x' }], ['a.b'], [null], [undefined]])(
    '%s is not an engine error',
    (value) => {
      expect(EngineError.is(value)).toBe(false);
    },
  );

  test('is an Error with its cause', () => {
    const cause = new Error('socket closed');
    const error = new EngineError({ code: 'model.unavailable', message: 'No answer', cause });
    expect([error instanceof Error, error.name, error.message, error.cause]).toEqual([
      true,
      'EngineError',
      'No answer',
      cause,
    ]);
  });
});

describe('error records', () => {
  test('omit details that cannot be stored', () => {
    const details: Record<string, unknown> = {};
    details['itself'] = details;
    const { code, message } = { code: 'a.b', message: 'No' };
    expect(toErrorRecord(new EngineError({ code, message, details }))).toEqual({ code, message });
    expect(toErrorRecord(new EngineError({ code, message, details: () => 1 }))).toEqual({ code, message });
  });

  test('contain everything from an engine error except its stack, and survive JSON', () => {
    const record = {
      code: 'files.not-found',
      message: 'Gone',
      nodeId: 'read',
      line: 3,
      recoverable: true,
      details: { path: 'a.txt' },
    };
    const copied = toErrorRecord(fromErrorRecord(JSON.parse(JSON.stringify(toErrorRecord(new EngineError(record))))));
    expect(copied).toEqual(record);
  });

  test.each([
    ['an engine error', new EngineError({ code: 'a.b', message: 'x'.repeat(3_000_000) })],
    ['an error', new TypeError('x'.repeat(3_000_000))],
    ['a text', 'x'.repeat(3_000_000)],
    [
      'an engine error of another module copy',
      Object.assign(new EngineError({ code: 'a.b', message: '' }), { message: 'x'.repeat(60_000) }),
    ],
  ])('limit the message to 2,000 characters when %s has more', (_, thrown) => {
    const { message, stack = '' } = toErrorRecord(thrown);
    expect(message).toMatch(/^x{1540} … \(cut here, [\d,]+ more characters\) … x{397}$/);
    expect(stack.length).toBeLessThanOrEqual(10_000);
  });

  test('omit excessively large details', () => {
    const error = new EngineError({ code: 'a.b', message: 'No', details: { text: 'x'.repeat(100_000) } });
    expect(toErrorRecord(error)).toEqual({ code: 'a.b', message: 'No' });
  });

  test('do not grow when created from other records', () => {
    expect(fromErrorRecord({ code: 'a.b', message: 'x'.repeat(60_000) }).message.length).toBeLessThanOrEqual(2000);
  });

  test('omit fields that are not set', () => {
    expect(toErrorRecord(new EngineError({ code: 'a.b', message: 'No' }))).toEqual({ code: 'a.b', message: 'No' });
  });

  test('use the code internal for other values, and keep the stack of an Error', () => {
    const bug = new TypeError('x is not a function');
    expect(toErrorRecord(bug)).toEqual({ code: 'internal', message: bug.message, stack: bug.stack });
    expect(toErrorRecord('text')).toEqual({ code: 'internal', message: 'text' });
    expect(toErrorRecord(undefined)).toEqual({ code: 'internal', message: 'undefined' });
  });
});

test('list the causes of a record from the outside in, up to unrelated details', () => {
  const refusal = { code: 'effect.denied', message: 'No', details: { cause: 'ECONNREFUSED' } };
  const inner = { code: 'lua.error', message: 'Lua error:\nNo', details: { cause: refusal } };
  const outer = { code: 'lua.error', message: 'Lua error:\nLua error:\nNo', details: { cause: inner } };
  expect(causesOf(outer)).toEqual([outer, inner, refusal]);
});
