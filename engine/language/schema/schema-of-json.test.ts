import { describe, expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../json/json-value.ts';
import { prepareInput } from './coerce-input.ts';
import { formJsonSchema } from './json-schemas.ts';
import { schemaOfJson } from './schema-of-json.ts';

/** Returns the result of validating a value: the parsed value, or each problem with its path. */
function said(schema: JsonMap | boolean, value: JsonValue): unknown {
  const checked = prepareInput(schemaOfJson(schema), value);
  return checked.ok
    ? checked.value
    : checked.problems.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
}

const map = (properties: JsonMap, more: JsonMap = {}): JsonMap => ({ type: 'object', properties, ...more });

describe('BB-42 a JSON Schema as a zod schema', () => {
  test.each<[schema: JsonMap | boolean, value: JsonValue, found: unknown]>([
    [true, { a: 1 }, { a: 1 }],
    [{}, null, null],
    [{ type: 'string' }, 7, '7'],
    [{ type: 'string' }, null, ['must be text, not empty (null)']],
    [{ type: 'string', minLength: 2, maxLength: 3 }, 'a', ['must have at least 2 characters']],
    [{ type: 'string', maxLength: 2 }, '🐝🐝', '🐝🐝'],
    [{ type: 'string', maxLength: 1 }, '🐝🐝', ['must have at most 1 character']],
    [{ type: 'integer', minimum: 1 }, 0, ['must be at least 1']],
    [{ type: 'number', exclusiveMaximum: 1 }, 1, [expect.stringMatching(/^must be/)]],
    [{ type: ['string', 'null'] }, null, null],
    [{ type: 'array', items: { type: 'integer' }, minItems: 1 }, [], [expect.stringMatching(/at least 1/)]],
    [{ type: 'array', items: { type: 'integer' } }, [1, 'x'], [expect.stringMatching(/^1 must be a number/)]],
    [{ enum: ['a', 'b'] }, 'c', ['must be "a" or "b", not "c"']],
    [{ enum: [1, null] }, null, null],
    [{ enum: [{ a: 1 }] }, { a: 2 }, ['must be {"a":1}']],
    [{ const: 3 }, 4, ['must be 3, not 4']],
    [{ anyOf: [{ type: 'boolean' }, { type: 'integer' }] }, true, true],
    [map({ a: { type: 'string' } }, { required: ['a', 'b'] }), { a: 'x' }, ['b is missing']],
    [map({ a: { type: 'integer', default: 5 } }), {}, { a: 5 }],
    [map({ a: { type: 'integer' } }, { additionalProperties: false }), { a: 1, c: 2 }, { a: 1 }],
    [map({ a: { type: 'integer' } }), { a: 1, c: 2 }, { a: 1, c: 2 }],
    [map({}, { additionalProperties: { type: 'integer' } }), { c: 'x' }, [expect.stringMatching(/^c must be/)]],
    [{ properties: { a: { type: 'integer' } } }, 'free', 'free'],
  ])('%j of %j', (schema, value, found) => {
    expect(said(schema, value)).toEqual(found);
  });

  test('references may be circular, with special characters in names', () => {
    const tree = map(
      { 'a/b': { $ref: '#/$defs/the%20kind' }, below: { type: 'array', items: { $ref: '#' } } },
      { $defs: { 'the kind': { type: 'integer' } } },
    );
    expect(said(tree, { 'a/b': 1, below: [{ below: [{ 'a/b': 2 }] }] })).toMatchObject({ 'a/b': 1 });
    expect(said(tree, { below: [{ below: [{ 'a/b': 'x' }] }] })).toEqual([
      expect.stringMatching(/^below\.0\.below\.0\.a\/b must be/),
    ]);
  });

  test('patterns that may not terminate are left to the run, and a prototype key does not count as a key', () => {
    const slow = { type: 'string', pattern: '^(a+)+$', not: { const: 'x' } };
    const startedAt = performance.now();
    expect(said(slow, `${'a'.repeat(40)}!`)).toBe(`${'a'.repeat(40)}!`);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const own = JSON.parse('{ "type": "object", "properties": { "__proto__": { "type": "integer" } } }') as JsonMap;
    expect(said(own, {})).toEqual({});
  });

  test('forms see the original schema', () => {
    const schema = map({ text: { type: 'string', editor: 'long-text', title: 'The text' } });
    expect(formJsonSchema(schemaOfJson(schema))).toBe(schema);
  });
});
