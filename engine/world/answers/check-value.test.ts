import { expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { JsonSchema } from '../../language/schema/json-schema.ts';
import { createValueCheck } from './check-value.ts';

const told = (schema: JsonSchema, value: JsonValue): string[] =>
  createValueCheck(schema)(value).map(({ pointer, expected, found }) => `${pointer}: ${expected} | ${found}`);

test.each<[JsonSchema, JsonValue, string[]]>([
  [true, { any: 1 }, []],
  [false, 1, [': nothing here | 1']],
  [{ type: 'string' }, 5, [': string | 5']],
  [{ type: ['string', 'null'] }, 5, [': string or null | 5']],
  [{ type: 'integer' }, 1.5, [': integer | 1.5']],
  [{ type: 'integer' }, '12', [': integer | "12"']],
  [{ required: ['a', 'b'], properties: { a: {} } }, { a: 1 }, [': the field "b" | {"a":1}']],
  [{ properties: { a: { type: 'string' } } }, { a: [1] }, ['/a: string | [1]']],
  [{ items: { enum: ['x', 'y'] } }, ['x', 'z'], ['/1: one of ["x","y"] | "z"']],
  [{ const: { a: 1 } }, { a: 2 }, [': {"a":1} | {"a":2}']],
  [{ minimum: 3 }, 2, [': at least 3 | 2']],
  [{ maximum: 3 }, 4, [': at most 3 | 4']],
  [{ exclusiveMinimum: 3 }, 3, [': more than 3 | 3']],
  [{ exclusiveMaximum: 3 }, 3, [': less than 3 | 3']],
  [{ multipleOf: 2 }, 3, [': a multiple of 2 | 3']],
  [{ minLength: 2 }, 'a', [': at least 2 characters | "a"']],
  [{ maxLength: 1 }, 'ab', [': at most 1 characters | "ab"']],
  [{ pattern: '^a' }, 'b', [': a string that matches "^a" | "b"']],
  [{ format: 'date' }, 'x', [': a string in the format date | "x"']],
  [{ minItems: 1 }, [], [': at least 1 items | []']],
  [{ maxItems: 0 }, [1], [': at most 0 items | [1]']],
  [{ uniqueItems: true }, [1, 1], [': unique items | [1,1]']],
  [{ contains: { const: 1 } }, [2], [': an item that matches the schema in contains | [2]']],
  [{ minProperties: 1 }, {}, [': at least 1 fields | {}']],
  [{ additionalProperties: false }, { a: 1 }, ['/a: nothing here | 1']],
  [{ not: { type: 'string' } }, 'a', [': a value that does not match {"type":"string"} | "a"']],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, [': a value that matches one of the alternatives | 1']],
  [{ oneOf: [{}, {}] }, 1, [': a value that matches exactly one of the alternatives | 1']],
  [{ allOf: [{ type: 'string' }] }, 1, [': string | 1']],
  [{ if: { type: 'string' }, else: { minimum: 9 } }, 1, [': at least 9 | 1']],
  [{ $ref: '#/$defs/a', $defs: { a: { minimum: 4 } } }, 1, [': at least 4 | 1']],
  [
    { properties: { kids: { items: { $ref: '#' } }, name: { type: 'string' } } },
    { kids: [{ kids: [{ name: 1 }] }] },
    ['/kids/0/kids/0/name: string | 1'],
  ],
  [{ properties: { 'a/b ~ü': { type: 'string' } } }, { 'a/b ~ü': 1 }, ['/a~1b ~0ü: string | 1']],
  [{ patternProperties: { '^x': { type: 'string' } } }, { xa: 1 }, ['/xa: string | 1']],
  [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ['/ab: at most 1 characters | 1']],
])('against %j, %j is reported as %j', (schema, value, expected) => {
  expect(told(schema, value)).toEqual(expected);
});

test.each<JsonValue>([{ constructor: 1 }, { toString: 1 }, JSON.parse('{"__proto__": 1}')])(
  'checks %j by its own fields alone',
  (value) => {
    expect(told({ required: ['hasOwnProperty'] }, value)).toHaveLength(1);
    expect(told({ additionalProperties: { type: 'number' } }, value)).toEqual([]);
    expect(told({ properties: { valueOf: { type: 'string' } } }, value)).toEqual([]);
  },
);

test('limits the number of problems and the length of values', () => {
  const value = Array.from({ length: 1000 }, () => 'x'.repeat(1000));
  const problems = createValueCheck({ items: { type: 'number' } })(value);
  expect(problems).toHaveLength(20);
  expect(problems[0]?.found).toHaveLength(81);
});

test('does not treat a property named like a keyword as a keyword', () => {
  const schema = { type: 'object', properties: { type: { type: 'string' }, $ref: { type: 'number' } } };
  expect(told(schema, { type: 'a', $ref: 5 })).toEqual([]);
  expect(told(schema, { type: 5, $ref: 'a' })).toEqual(['/type: string | 5', '/$ref: number | "a"']);
});

test('does not modify the schema', () => {
  const schema = Object.freeze({
    type: 'object',
    properties: Object.freeze({ a: Object.freeze({ $ref: '#/$defs/a' }) }),
    $defs: { a: {} },
  });
  expect(told(schema, { a: 1 })).toEqual([]);
});

test('reports a number that had to be kept as text if a number is expected', () => {
  expect(told({ properties: { id: { type: 'integer' } } }, { id: '12345678901234567890' })).toEqual([
    '/id: integer (a number with this many digits is kept as a string so that no digit is lost; allow string too) | "12345678901234567890"',
  ]);
});
