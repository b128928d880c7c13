import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../json/json-value.ts';
import { maxSchemaDepth, maxSchemaLength, schemaProblems } from './json-schema.ts';

const told = (schema: JsonValue): string[] =>
  schemaProblems(schema).map(({ path, message }) => `${path.join('/')}: ${message}`);

test.each<[string, JsonValue]>([
  ['everything', true],
  ['nothing', false],
  ['no keywords', {}],
  ['unknown keywords', { 'x-own': 5, widget: { type: 7 } }],
  ['a tree that contains itself', { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } }],
  ['a place by pointer', { $defs: { 'a/b': { type: 'string' } }, properties: { x: { $ref: '#/$defs/a~1b' } } }],
  ['a place by anchor', { $defs: { a: { $anchor: 'name', type: 'string' } }, items: { $ref: '#name' } }],
  ['types as a list', { type: ['string', 'null'], enum: ['a', null], default: null }],
  ['a field called $ref', { properties: { $ref: { type: 'string' } }, required: ['$ref'] }],
])('%s is taken', (_name, schema) => {
  expect(told(schema)).toEqual([]);
});

test.each<[JsonValue, string]>([
  ['text', ': A schema must be true, false or a map'],
  [[], ': A schema must be true, false or a map'],
  [{ type: 'strin' }, 'type: type must be one of null, boolean'],
  [{ type: [] }, 'type: type must be one of'],
  [{ properties: [] }, 'properties: properties must be a map of schemas by name.'],
  [{ properties: { a: 5 } }, 'properties/a: This must be a schema'],
  [{ items: [{ type: 'string' }] }, 'items: This must be a schema'],
  [{ required: 'a' }, 'required: required must be a list of names.'],
  [{ dependentRequired: { a: 'b' } }, 'dependentRequired: dependentRequired must be a map'],
  [{ minLength: -1 }, 'minLength: minLength must be a whole number'],
  [{ maximum: '5' }, 'maximum: maximum must be a number.'],
  [{ multipleOf: 0 }, 'multipleOf: multipleOf must be a number greater than 0.'],
  [{ uniqueItems: 'yes' }, 'uniqueItems: uniqueItems must be true or false.'],
  [{ enum: 'a' }, 'enum: enum must be a list.'],
  [{ anyOf: [] }, 'anyOf: anyOf must be a list of at least one schema.'],
  [{ allOf: [{ type: 'x' }] }, 'allOf/0/type: type must be one of'],
  [{ pattern: '(' }, 'pattern: "(" is not a valid regular expression.'],
  [{ patternProperties: { '[': {} } }, 'patternProperties/[: "[" is not a valid regular expression.'],
  [{ $ref: 'https://example.com/schema.json' }, '$ref: $ref must refer to a part of this schema'],
  [{ $ref: 'other.json#/a' }, '$ref: $ref must refer to'],
  [{ $ref: '#/$defs/gone' }, '$ref: "#/$defs/gone" does not exist in this schema.'],
  [{ $ref: '#gone' }, '$ref: "#gone" does not exist'],
  [{ $ref: '#/%' }, '$ref: "#/%" does not exist'],
  [{ $ref: '#/constructor' }, 'does not exist in this schema'],
  [{ $dynamicRef: '#a' }, '$dynamicRef: $dynamicRef is not supported'],
  [{ $id: 'https://example.com/' }, '$id: $id is not supported'],
])('%j is refused', (schema, message) => {
  expect(told(schema)).toEqual([expect.stringContaining(message)]);
});

describe('infinite references', () => {
  test.each<[string, JsonValue]>([
    ['to itself', { $ref: '#' }],
    ['to each other', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['through allOf', { allOf: [{ $ref: '#' }] }],
    ['through not in anyOf', { $defs: { a: { anyOf: [{ not: { $ref: '#/$defs/a' } }] } } }],
    ['through if', { if: { $ref: '#' } }],
    ['through dependentSchemas', { dependentSchemas: { a: { $ref: '#' } } }],
  ])('%s are refused', (_name, schema) => {
    expect(told(schema).join()).toContain('refers back to itself for the same value, without end.');
  });
});

test('limits validation by size and depth', () => {
  let deep: JsonValue = {};
  for (let level = 1; level < maxSchemaDepth; level++) deep = { not: deep };
  expect(told(deep)).toEqual([]);
  expect(told({ not: deep })).toEqual([': A schema can have at most 64 levels, but this one has more.']);
  expect(told({ description: 'a'.repeat(maxSchemaLength - 18) })).toEqual([]);
  expect(told({ description: 'a'.repeat(1_000_000) })).toEqual([
    ': A schema can have at most 256 KB, but this one has 977.',
  ]);
  let bottomless: JsonValue = 1;
  for (let level = 0; level < 100_000; level++) bottomless = [bottomless];
  expect(told({ const: bottomless })).toEqual([': A schema can have at most 64 levels, but this one has more.']);
});

test('reports problems up to a limit', () => {
  const properties = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, { type: 'x' }]));
  expect(told({ properties })).toHaveLength(20);
});

test('validates values with many shared parts quickly', () => {
  const $defs: Record<string, JsonValue> = { a0: { type: 'string' } };
  for (let level = 1; level < 60; level++) {
    const ref = { $ref: `#/$defs/a${level - 1}` };
    $defs[`a${level}`] = { anyOf: [ref, ref, ref] };
  }
  expect(told({ $defs, $ref: '#/$defs/a59' })).toEqual([]);
});
