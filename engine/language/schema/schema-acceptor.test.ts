import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { flowDocSchema } from '../flow/flow-doc.ts';
import type { JsonValue } from '../json/json-value.ts';
import { fitToSchema } from './coerce-input.ts';
import { acceptorOf } from './schema-acceptor.ts';

/**
 * Returns whether a schema's acceptor accepts a value, after checking that the schema accepts it unchanged in that
 * case.
 */
function isAccepted(schema: z.ZodType, value: JsonValue): boolean {
  if (!acceptorOf(schema)(value)) return false;
  expect(schema.safeParse(value)).toEqual({ success: true, data: value });
  expect(fitToSchema(value, schema, 'scalars').unknownKeys).toEqual([]);
  return true;
}

const tree = z.strictObject({
  name: z.string(),
  get children(): z.ZodType {
    return z.array(tree);
  },
});

const schemas: Readonly<Record<string, z.ZodType>> = {
  text: z.string().min(1).max(3),
  pattern: z.string().regex(/^[ab]+$/),
  number: z.number().min(0).lt(10),
  int: z.int().min(-1).max(1),
  wholeNumber: z.number().int().gt(0),
  choice: z.enum(['a', 'b']),
  literal: z.literal([1, 'a', null]),
  list: z.array(z.union([z.boolean(), z.null()])).min(1),
  map: z.record(z.string(), z.number()),
  open: z.looseObject({ a: z.number() }),
  closed: z.strictObject({ a: z.number(), b: z.string().optional(), c: z.exactOptional(z.boolean()) }),
  usual: z.object({ a: z.any(), b: z.nullable(z.string()).optional() }),
  tree,
  file: flowDocSchema,
};

/** Schemas for which no value passes: they change the value, or have custom checks. */
const others: Readonly<Record<string, z.ZodType>> = {
  default: z.object({ a: z.number().default(1) }),
  refined: z.object({ a: z.number().optional() }).refine(() => true),
  trimmed: z.string().trim(),
  coerced: z.coerce.number(),
  transformed: z.string().transform((text) => text),
  address: z.url(),
  xor: z.xor([z.string(), z.number()]),
};

const word = fc.constantFrom('a', 'b', 'ab', '', 'abcd', 'name', 'children', 'c', 'https://a.b');
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(word, fc.boolean(), fc.constant(null), fc.constantFrom(0, 1, -1, 5, 10, 0.5, 2 ** 60, -0)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(word, tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('a schema accepts unchanged what its acceptor accepts', () => {
  test.each(Object.keys(schemas))('%s', (name) => {
    const schema = schemas[name];
    if (schema === undefined) throw new Error('No schema');
    fc.assert(
      fc.property(value, (candidate) => void isAccepted(schema, candidate)),
      { numRuns: testRounds(400) },
    );
  });

  test('for the inputs and settings of the built-in node types', () => {
    const keys = fc.constantFrom('text', 'value', 'left', 'right', 'path', 'url', 'items', 'prompt', 'ms', 'message');
    const parts = builtinNodes.flatMap(({ inputSchema, configSchema }) => [inputSchema, configSchema]);
    fc.assert(
      fc.property(fc.dictionary(keys, value, { maxKeys: 3 }), (candidate) => {
        for (const schema of parts) isAccepted(schema, candidate);
      }),
      { numRuns: testRounds(200) },
    );
  });
});

test.each<[string, JsonValue]>([
  ['text', 'ab'],
  ['pattern', 'abba'],
  ['number', 9.5],
  ['int', -1],
  ['wholeNumber', 1],
  ['choice', 'b'],
  ['literal', null],
  ['list', [true, null]],
  ['map', { a: 1 }],
  ['open', { a: 1, z: 'x' }],
  ['closed', { a: 1, c: false }],
  ['usual', { a: null, b: null }],
  ['tree', { name: 'a', children: [{ name: 'b', children: [] }] }],
  [
    'file',
    { flow: { name: 'n' }, nodes: [{ id: 'a', type: 't', input: { x: 1 }, when: { not: { and: [] } } }], edges: [] },
  ],
])('the acceptor of %s accepts valid values', (name, candidate) => {
  const schema = schemas[name];
  expect(schema !== undefined && isAccepted(schema, candidate)).toBe(true);
});

test.each(Object.keys(others))('always uses a schema that changes values or has more checks: %s', (name) => {
  const schema = others[name];
  if (schema === undefined) throw new Error('No schema');
  fc.assert(
    fc.property(value, (candidate) => !acceptorOf(schema)(candidate)),
    { numRuns: testRounds(200) },
  );
});
