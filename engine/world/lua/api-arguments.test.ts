import { expect, test } from 'vitest';
import { asMap, luaTypeOf, optionalString, requiredString, stringList } from './api-arguments.ts';

test('luaTypeOf returns Lua type names', () => {
  expect([undefined, null, 1, 1.5, 'a', true, [], {}].map(luaTypeOf)).toEqual([
    'nil',
    'null',
    'integer',
    'number',
    'string',
    'boolean',
    'table',
    'table',
  ]);
});

test('asMap accepts an empty table', () => {
  expect(asMap([])).toEqual({});
  expect(asMap({ a: 1 })).toEqual({ a: 1 });
  expect([[1], 'a', null, undefined].map(asMap)).toEqual([undefined, undefined, undefined, undefined]);
});

test('a required string may be a number but not nil', () => {
  expect(requiredString('a', 1)).toBe('a');
  expect(requiredString(12, 1)).toBe('12');
  expect(() => requiredString(undefined, 2)).toThrow(
    'bad argument #2: error converting Lua nil to String (expected string or number)',
  );
});

test('an optional string may be nil', () => {
  expect(optionalString('', 'aip.x')).toBe('');
  expect(optionalString(undefined, 'aip.x')).toBeUndefined();
  expect(optionalString(null, 'aip.x')).toBeUndefined();
  expect(() => optionalString(true, 'aip.x')).toThrow(
    'aip.x - accepted argument types are String or Nil, but was boolean',
  );
});

test('stringList accepts a string or a list of strings', () => {
  expect(stringList('a', 'aip.x')).toEqual(['a']);
  expect(stringList(['a', 'b'], 'aip.x')).toEqual(['a', 'b']);
  expect(() => stringList(undefined, 'aip.x')).toThrow('aip.x - Expected a string or a list of strings');
  expect(() => stringList(['a', 1], 'aip.x')).toThrow('aip.x - Table contains non-string values');
});
