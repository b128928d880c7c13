import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { anyJson } from '../nodes/any-json.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { quickRead, undecided } from './quick-read.ts';

const simple = z.object({ text: z.string(), count: z.number(), on: z.boolean(), rest: anyJson });
const fitting = { text: 'a', count: 1, on: true, rest: { deep: [1] } };

describe('a value that evidently fits', () => {
  test('is read as the schema reads it, into an object of its own', () => {
    const read = quickRead(simple, fitting);
    expect(read).toEqual(simple.parse(fitting));
    expect(read).not.toBe(fitting);
  });

  test.each([
    ['a key too many', { ...fitting, more: 1 }],
    ['a missing key', { text: 'a', count: 1, on: true }],
    ['an inherited key', Object.create(fitting)],
    ['another type', { ...fitting, text: 7 }],
    ['not a number', { ...fitting, count: Number.NaN }],
    ['no map', [fitting]],
    ['nothing', null],
  ])('%s is left to the schema', (_, value) => {
    expect(quickRead(simple, value)).toBe(undecided);
  });

  test.each([
    ['checks', z.object({ text: z.string().min(1) })],
    ['a format', z.object({ text: z.email() })],
    ['whole numbers', z.object({ text: z.int() })],
    ['conversion', z.object({ text: z.coerce.string() })],
    ['a refinement', z.object({ text: z.string() }).refine(() => false)],
    ['strictness', z.strictObject({ text: z.string() })],
    ['a default', z.object({ text: z.string().default('x') })],
    ['alternatives', z.union([z.object({ text: z.string() }), z.string()])],
  ])('a schema with %s is never cut short', (_, schema) => {
    expect(quickRead(schema, { text: 'a@b.org' })).toBe(undecided);
  });
});

test('whatever is read quickly is what the schema gives, for every schema of the built-in types', () => {
  const schemas = builtinNodes.flatMap(({ inputSchema, configSchema, outputSchema }) => [
    inputSchema,
    configSchema,
    outputSchema,
  ]);
  const keys = [
    'text',
    'value',
    'path',
    'left',
    'right',
    'prompt',
    'items',
    'message',
    'ms',
    '__proto__',
    'constructor',
  ];
  const values = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()),
    fc.constant(undefined),
  );
  let quick = 0;
  fc.assert(
    fc.property(fc.constantFrom(...schemas, simple), values, (schema, value) => {
      const read = quickRead(schema, value);
      if (read === undecided) return;
      quick++;
      expect(read).toEqual(schema.parse(value));
    }),
    { numRuns: 2000 },
  );
  expect(quick).toBeGreaterThan(20);
});
