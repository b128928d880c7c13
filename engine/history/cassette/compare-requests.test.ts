import { expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import { equalButSecrets, nearestDifferences, requestKey } from './compare-requests.ts';

const recorded = (...requests: JsonValue[]) =>
  requests.map((request) => ({ kind: 'model', request, outcome: { response: null } }));

test('the nearest call has the fewest different fields, and the first of equals is chosen', () => {
  const calls = recorded({ a: 1, b: 2, c: 3 }, { a: 1, b: 9, c: 9 }, { a: 1, b: 2, c: 4 });
  expect(nearestDifferences({ a: 1, b: 2, c: 5 }, calls)).toStrictEqual([{ path: 'c', recorded: '3', asked: '5' }]);
});

test('reports fields by path, including added and missing ones', () => {
  const calls = recorded({ messages: [{ role: 'user', content: 'a' }], stop: [], topP: 1 });
  const asked = { messages: [{ role: 'user', content: 'b' }, 'x'], stop: ['.'] };
  expect(nearestDifferences(asked, calls)).toStrictEqual([
    { path: 'messages[0].content', recorded: '"a"', asked: '"b"' },
    { path: 'stop', recorded: '"[]"' },
    { path: 'topP', recorded: '1' },
    { path: 'messages[1]', asked: '"x"' },
    { path: 'stop[0]', asked: '"."' },
  ]);
});

test('shows where long texts start to differ', () => {
  const before = 'same '.repeat(100);
  const [difference] = nearestDifferences(`${before}new ${before}`, recorded(`${before}old ${before}`)) ?? [];
  expect(difference?.recorded).toMatch(/^"….*same old same .*…"$/);
  expect(difference?.asked).toMatch(/^"….*same new same .*…"$/);
  expect(difference?.asked?.length).toBeLessThan(80);
  const [cut] = nearestDifferences(before, recorded(before.slice(0, -5))) ?? [];
  expect(cut?.asked).toMatch(/^"…[same ]+"$/);
});

test('handles plain values and an empty recording', () => {
  expect(nearestDifferences(1, recorded(2))).toStrictEqual([{ path: '', recorded: '2', asked: '1' }]);
  expect(nearestDifferences({ a: 1 }, recorded({ a: 1 }))).toStrictEqual([]);
  expect(nearestDifferences({}, [])).toBeUndefined();
});

test('ignores the order of keys at every level', () => {
  const left = { b: [{ y: 1, x: null }], a: 'text' };
  const right = { a: 'text', b: [{ x: null, y: 1 }] };
  expect(requestKey('model', left)).toBe(requestKey('model', right));
  expect(requestKey('model', left)).toMatch(/^[0-9a-f]{64}$/);
});

test('considers everything else', () => {
  const keys = [
    requestKey('model', { a: [1, 2] }),
    requestKey('http', { a: [1, 2] }),
    requestKey('model', { a: [2, 1] }),
    requestKey('model', { a: ['1', 2] }),
    requestKey('model', { a: [1, 2], b: null }),
    requestKey('model', [['a', [1, 2]]]),
    requestKey('model', [1, 2]),
    requestKey('model', ['1,2']),
    requestKey('model', {}),
    requestKey('model', []),
    requestKey('model', null),
    requestKey('model', 'null'),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test.each<[JsonValue, JsonValue]>([
  ['a [secret] b', 'a key b'],
  ['[secret]', ''],
  ['a[secret]b[secret]c', 'a1b2b3c'],
  ['[secret][secret]', 'x'],
  [
    { a: 1, b: ['[secret]'] },
    { b: ['key'], a: 1 },
  ],
  [
    ['[secret]', 'key'],
    ['key', '[secret]'],
  ],
  [null, null],
])('%j and %j are equal, both ways', (left, right) => {
  expect(equalButSecrets(left, right)).toBe(true);
  expect(equalButSecrets(right, left)).toBe(true);
});

test.each<[JsonValue, JsonValue]>([
  ['a [secret] b', 'a key c'],
  ['ab[secret]ba', 'aba'],
  ['a[secret]b[secret]c', 'a1c'],
  ['a', 'b'],
  ['[secret]', 1],
  ['[secret]', ['key']],
  [{ a: 1 }, { a: 1, b: 1 }],
  [{ a: 1 }, { b: 1 }],
  [[], {}],
  [['a'], { 0: 'a' }],
  [null, {}],
])('%j and %j are not', (left, right) => {
  expect(equalButSecrets(left, right)).toBe(false);
  expect(equalButSecrets(right, left)).toBe(false);
});

test('13.4 a cassette recorded with thinking in the responses still matches requests that repeat them', () => {
  const request = (content: string, role = 'assistant'): JsonValue => ({
    messages: [
      { role: 'user', content: '<think>a</think>b' },
      { role, content },
    ],
  });
  expect(requestKey('model', request('<think>a</think>b'))).toBe(requestKey('model', request('b')));
  expect(requestKey('model', request('<think>a</think>b', 'user'))).not.toBe(requestKey('model', request('b', 'user')));
});
