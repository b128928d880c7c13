import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonValue } from '../json/json-value.ts';
import { coerceToSchema, fitToSchema, prepareInput } from './coerce-input.ts';

describe('prepareInput', () => {
  test('converts any value to text if the schema requires text', () => {
    const schema = z.object({ text: z.string(), more: z.array(z.string()), headers: z.record(z.string(), z.string()) });
    const value = { text: { a: [1] }, more: [true, 1.5, 'x'], headers: { retries: 3 } };
    expect(prepareInput(schema, value)).toEqual({
      ok: true,
      value: { text: '{"a":[1]}', more: ['true', '1.5', 'x'], headers: { retries: '3' } },
    });
  });

  test('applies the defaults of the schema', () => {
    expect(prepareInput(z.object({ mode: z.enum(['a', 'b']).default('a') }), {})).toEqual({
      ok: true,
      value: { mode: 'a' },
    });
  });

  test('removes unknown keys, even for a strict schema', () => {
    const schema = z.strictObject({ text: z.string(), inner: z.strictObject({ a: z.number() }) });
    expect(prepareInput(schema, { text: 'x', txet: 'y', inner: { a: 1, b: 2 } })).toEqual({
      ok: true,
      value: { text: 'x', inner: { a: 1 } },
    });
  });

  test('keeps the keys of an open schema', () => {
    const open = { a: 1, b: { c: [2] } };
    expect(prepareInput(z.looseObject({}), open)).toEqual({ ok: true, value: open });
    expect(prepareInput(z.record(z.string(), z.any()), open)).toEqual({ ok: true, value: open });
    expect(prepareInput(z.object({ a: z.number() }).catchall(z.any()), open)).toEqual({ ok: true, value: open });
  });

  test('reports every problem with its path, in plain language', () => {
    const schema = z.object({
      count: z.number(),
      list: z.array(z.int().min(2)),
      value: z.any(),
      mode: z.enum(['a', 'b']),
    });
    expect(prepareInput(schema, { count: 'x', list: [1, 2.5], value: null, mode: 'c' })).toEqual({
      ok: false,
      problems: [
        { path: ['count'], kind: 'wrong-type', message: 'must be a number, not "x"' },
        { path: ['list', 0], kind: 'bad-value', message: 'must be at least 2' },
        { path: ['list', 1], kind: 'bad-value', message: 'must be a whole number, not 2.5' },
        { path: ['mode'], kind: 'bad-value', message: 'must be "a" or "b", not "c"' },
      ],
    });
  });

  test.each([z.string(), z.number(), z.any(), z.unknown(), z.array(z.string()), z.union([z.string(), z.number()])])(
    'reports a missing key, whatever its type (%#)',
    (inner) => {
      expect(prepareInput(z.object({ key: inner }), {})).toEqual({
        ok: false,
        problems: [{ path: ['key'], kind: 'missing', message: 'is missing' }],
      });
    },
  );

  test('keeps custom messages of a schema', () => {
    const schema = z
      .object({ a: z.string().optional() })
      .refine(({ a }) => a !== undefined, { error: 'must have an a' });
    expect(prepareInput(schema, {})).toEqual({
      ok: false,
      problems: [{ path: [], kind: 'bad-value', message: 'must have an a' }],
    });
  });

  test('does not convert null to text', () => {
    expect(prepareInput(z.object({ text: z.string() }), { text: null })).toMatchObject({ ok: false });
  });
});

describe('coerceToSchema', () => {
  test.each<{ of: string; schema: z.ZodType; value: JsonValue; gives: JsonValue }>([
    { of: 'optional text', schema: z.string().optional(), value: 1, gives: '1' },
    { of: 'nullable text', schema: z.string().nullable(), value: null, gives: null },
    { of: 'text with a default', schema: z.string().default('x'), value: false, gives: 'false' },
    { of: 'text with a format', schema: z.url(), value: 1, gives: '1' },
    { of: 'text behind a transform', schema: z.string().transform((text) => text.length), value: 12, gives: '12' },
    { of: 'text behind a reference', schema: z.lazy(() => z.string()), value: 1, gives: '1' },
    { of: 'one of some texts', schema: z.enum(['1', '2']), value: 1, gives: '1' },
    { of: 'anything', schema: z.any(), value: { a: 1 }, gives: { a: 1 } },
    { of: 'a number', schema: z.number(), value: '1', gives: '1' },
    {
      of: 'a list where text is one alternative',
      schema: z.union([z.string(), z.array(z.string())]),
      value: [1],
      gives: ['1'],
    },
    { of: 'a number where a number is one alternative', schema: z.union([z.string(), z.number()]), value: 1, gives: 1 },
    {
      of: 'a truth where text is the nearest alternative',
      schema: z.union([z.array(z.string()), z.string()]),
      value: true,
      gives: 'true',
    },
  ])('$of', ({ schema, value, gives }) => {
    expect(coerceToSchema(value, schema)).toEqual(gives);
  });
});

describe('fitToSchema', () => {
  test('returns the paths of removed keys', () => {
    const schema = z.object({ list: z.array(z.object({ a: z.number() })) });
    expect(fitToSchema({ list: [{ a: 1, b: 2 }], more: 1 }, schema, 'scalars')).toEqual({
      value: { list: [{ a: 1 }] },
      unknownKeys: [['list', 0, 'b'], ['more']],
    });
  });

  test('converts scalars that a file may write without quotes to text, but not lists and maps', () => {
    const schema = z.object({ a: z.any(), b: z.string(), c: z.string(), d: z.string() });
    expect(fitToSchema({ a: 1, b: 1, c: [1], d: true }, schema, 'scalars').value).toEqual({
      a: 1,
      b: '1',
      c: [1],
      d: 'true',
    });
  });
});
