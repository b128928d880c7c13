import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../json/json-value.ts';
import { matchValue } from './match-value.ts';
import { type MatcherDoc, matcherMapSchema } from './matcher-doc.ts';

type MatcherExample = readonly [MatcherDoc, JsonValue | undefined, problem: string];

const fails: readonly MatcherExample[] = [
  [{ equals: { a: 1 } }, { a: 2 }, 'is {"a":2}, not {"a":1}'],
  [{ equals: 'x' }, undefined, 'has no value'],
  [{ equals: '1' }, 1, 'is 1, not "1"'],
  [{ notEquals: 'x' }, 'x', 'is "x"'],
  [{ contains: 'by Friday' }, 'in 3 days', 'does not contain "by Friday"'],
  [{ contains: ['a', 'b'] }, 'a', 'does not contain "b"'],
  [{ contains: 3 }, [1, 2], 'does not contain 3'],
  [{ contains: 'key' }, { other: 1 }, 'does not contain "key"'],
  [{ containsAny: ['a', 'b'] }, 'c', 'contains none of "a", "b"'],
  [{ notContains: ['money', 'free'] }, 'free money', 'contains "money" and "free"'],
  [{ matches: '^\\d+$' }, 'x1', 'does not match ^\\d+$'],
  [{ notMatches: '\\d' }, 'x1', 'matches \\d'],
  [{ schema: { type: 'object', required: ['a'] } }, {}, 'does not conform to the schema: `a` is missing'],
  [{ schema: false }, 1, 'does not conform to the schema, which allows nothing'],
  [{ lessThan: 3 }, 3, 'is 3; expected: less than 3'],
  [{ atMost: 3 }, 4, 'is 4; expected: at most 3'],
  [{ greaterThan: 3 }, 3, 'is 3; expected: greater than 3'],
  [{ atLeast: 3 }, '4', 'is "4", not a number'],
  [{ closeTo: { value: 1, within: 0.1 } }, 1.2, 'is 1.2, more than 0.1 away from 1'],
  [{ oneOf: ['a', 'b'] }, 'c', 'is "c", which is none of "a", "b"'],
  [{ exists: true }, undefined, 'has no value'],
  [{ notEquals: 'x' }, undefined, 'has no value'],
  [{ notContains: 'x' }, undefined, 'has no value'],
  [{ notMatches: 'x' }, undefined, 'has no value'],
  [{ exists: false }, null, 'has the value null'],
  [{ minLength: 2 }, [1], 'has 1 items; expected: at least 2'],
  [{ maxLength: 2 }, 'a👍b', 'has 3 characters; expected: at most 2'],
  [{ maxLength: 1 }, 7, 'is 7, which has no length'],
  [{ maxWords: 2 }, 'one two three', 'has 3 words, more than 2'],
  [{ minWords: 3 }, 'one — two', 'has 2 words, fewer than 3'],
  [{ notMatches: '^d[e]AR', ignoreCase: true }, 'Dear Ann', 'matches ^d[e]AR'],
  [{ all: [{ contains: 'b' }] }, 'a', 'does not contain "b"'],
];

const holds: readonly (readonly [MatcherDoc, JsonValue | undefined])[] = [
  [{ equals: { a: 1, b: [2] } }, { b: [2], a: 1 }],
  [{ equals: 'Yes', ignoreCase: true }, 'yES'],
  [{ equals: null }, null],
  [{ contains: '' }, ''],
  [{ contains: 'FRIDAY', ignoreCase: true }, 'by Friday'],
  [{ contains: { a: 1 } }, [{ a: 1 }]],
  [{ contains: '"a":1' }, '{"a":1}'],
  [{ containsAny: ['b'] }, ['a', 'b']],
  [{ matches: 'b.d' }, 'abcde'],
  [{ schema: { type: 'array', items: { type: 'number' } } }, [1]],
  [{ closeTo: { value: 1, within: 0.1 } }, 0.95],
  [{ oneOf: [1, null] }, null],
  [{ exists: false }, undefined],
  [{ minLength: 1, maxLength: 2 }, { a: 1 }],
  [{ maxWords: 2, minWords: 2 }, ' one — two '],
  [{ matches: '^grüß\\s[A-Z]{3}\\.$', ignoreCase: true }, 'GRÜß ann.'],
  [{ atLeast: 3, lessThan: 4 }, 3],
];

describe('conditions for values', () => {
  test.each(fails)('%j does not hold for %j', (matcher, value, problem) => {
    expect(matchValue(matcher, value).map(({ isOk, problem: found }) => [isOk, found])).toEqual([[false, problem]]);
  });

  test.each(holds)('%j holds for %j', (matcher, value) => {
    expect(matchValue(matcher, value).filter(({ isOk }) => !isOk)).toEqual([]);
  });

  test('every condition has an example that holds or does not', () => {
    const named = new Set([...fails, ...holds].flatMap(([matcher]) => Object.keys(matcher)));
    expect([...named].sort()).toEqual(Object.keys(matcherMapSchema().shape).sort());
  });

  test('a pattern that backtracking engines cannot evaluate takes linear time', () => {
    expect(matchValue({ matches: '(a+)+$' }, `${'a'.repeat(5000)}b`)[0]?.isOk).toBe(false);
  });
});
