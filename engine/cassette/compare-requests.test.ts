import { expect, test } from 'vitest';
import type { JsonValue } from '../flowspec/json-value.ts';
import { nearestDifferences } from './nearest-request.ts';

const recorded = (...requests: JsonValue[]) =>
  requests.map((request) => ({ kind: 'model', request, outcome: { response: null } }));

test('the nearest call is the one with the fewest other fields, the first of equals', () => {
  const calls = recorded({ a: 1, b: 2, c: 3 }, { a: 1, b: 9, c: 9 }, { a: 1, b: 2, c: 4 });
  expect(nearestDifferences({ a: 1, b: 2, c: 5 }, calls)).toStrictEqual([{ path: 'c', recorded: '3', asked: '5' }]);
});

test('fields are told by their path, also those that are new or gone', () => {
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

test('of long texts the place is shown where they part', () => {
  const before = 'same '.repeat(100);
  const [difference] = nearestDifferences(`${before}new ${before}`, recorded(`${before}old ${before}`)) ?? [];
  expect(difference?.recorded).toMatch(/^"….*same old same .*…"$/);
  expect(difference?.asked).toMatch(/^"….*same new same .*…"$/);
  expect(difference?.asked?.length).toBeLessThan(80);
  const [cut] = nearestDifferences(before, recorded(before.slice(0, -5))) ?? [];
  expect(cut?.asked).toMatch(/^"…[same ]+"$/);
});

test('a request may be a plain value, and there may be nothing to compare with', () => {
  expect(nearestDifferences(1, recorded(2))).toStrictEqual([{ path: '', recorded: '2', asked: '1' }]);
  expect(nearestDifferences({ a: 1 }, recorded({ a: 1 }))).toStrictEqual([]);
  expect(nearestDifferences({}, [])).toBeUndefined();
});
