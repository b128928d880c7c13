import { expect, test } from 'vitest';
import { toErrorRecord } from '../../../base/engine-error.ts';
import type { JsonValue } from '../json-value.ts';
import { queryJson } from './json-path.ts';

const numbers = Array.from({ length: 100 }, (_, index) => index);
const deep = Array.from({ length: 12 }).reduce<JsonValue>((inner) => [inner, inner], 1);

/** Returns the error code of a query with low limits, and how often it yielded. */
function endOf(path: string, value: JsonValue): { code: string; turns: number } {
  const search = queryJson(path, value, { mostMatches: 10_000, mostSteps: 200_000 });
  let turns = 0;
  try {
    while (search.next().done !== true) turns++;
    return { code: 'none', turns };
  } catch (thrown) {
    return { code: toErrorRecord(thrown).code, turns };
  }
}

test.each<[string, JsonValue, string]>([
  ['$..*..*..*..*..*..*..*..*..*..*..*..*', deep, 'json.too-many-matches'],
  [`$${'[*,*,*]'.repeat(12)}`, deep, 'json.too-many-matches'],
  [`$${'..[0,0,0,0]'.repeat(9)}`, deep, 'json.too-many-matches'],
  [`$${'[::,::-1,?@]'.repeat(12)}`, deep, 'json.too-many-matches'],
  [`$[?count($${'[*,*]'.repeat(12)}) > 0]`, deep, 'json.too-many-matches'],
  ['$[?count($[?count($[?count($[*]) > 0]) > 0]) > 0]', numbers, 'json.too-much-work'],
  ['$[?@ == $[0]]', Array.from(numbers, () => Array(5000).fill(1)), 'json.too-much-work'],
  ['$[?search(@, "(a?){50}a{50}")]', Array(100).fill('a'.repeat(49).repeat(3)), 'none'],
  [
    '$[?search(@.text, @.pattern)]',
    numbers.map((i) => ({ text: 'a'.repeat(9999), pattern: `(a+)+${i}` })),
    'json.too-much-work',
  ],
])('%s is stopped when it becomes too much, and lets others have a turn', (path, value, code) => {
  const end = endOf(path, value);
  expect(end.code).toBe(code);
  expect(end.turns).toBeGreaterThan(5);
});
