import { expect, test } from 'vitest';
import { parsePath } from '../../../engine/isomorphic.ts';
import { entryPath, keysOf, parentsOf, ValueRows } from './tree-model.ts';

const value = { name: 'plan', items: [{ title: 'One' }, { title: 'Two', done: false }], empty: [] };

function linesOf(rows: ValueRows, ids: ReadonlySet<string>): string[] {
  return rows.shown(ids).map(({ level, key, isExpanded }) => `${level} ${key} ${isExpanded}`);
}

test('shows the entries of expanded lists and maps in order', () => {
  const rows = new ValueRows(value);
  expect(linesOf(rows, new Set())).toEqual(['1 name null', '1 items false', '1 empty null']);
  expect(linesOf(rows, rows.openAtFirst())).toEqual([
    '1 name null',
    '1 items true',
    '2 0 true',
    '3 title null',
    '2 1 true',
    '3 title null',
    '3 done null',
    '1 empty null',
  ]);
  expect(rows.all()).toEqual(rows.openAtFirst());
});

test('a large value shows two levels at first', () => {
  const wide = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, { in: { deep: [1, 2] } }]));
  const rows = new ValueRows(wide);
  expect(rows.shown(rows.openAtFirst()).filter(({ level }) => level > 2)).toHaveLength(10);
  expect(rows.shown(rows.all()).filter(({ level }) => level > 2)).toHaveLength(60);
});

test('a long list is collapsed at first', () => {
  const rows = new ValueRows({ long: Array.from({ length: 51 }, () => 1), short: [1] });
  expect(linesOf(rows, rows.openAtFirst())).toEqual(['1 long false', '1 short true', '2 0 null']);
});

test('finds keys and values in collapsed parts, and names what to expand and their path', () => {
  const rows = new ValueRows(value);
  const [found, ...others] = rows.find('two');
  if (found === undefined) throw new Error('Nothing was found');
  expect([others, keysOf(found)]).toEqual([[], ['items', 1, 'title']]);
  expect(linesOf(rows, new Set(parentsOf(found)))).toContain('3 title null');
  expect(rows.find('TITLE').map((row) => keysOf(row).join('.'))).toEqual(['items.0.title', 'items.1.title']);
  expect(rows.find('items').map(keysOf)).toEqual([['items']]);
  expect(rows.find('')).toEqual([]);
});

test.each([
  [['body', 0, 'title'], 'fetch.body[0].title'],
  [['first name', 'x.y'], 'fetch["first name"]["x.y"]'],
  [[2], 'fetch[2]'],
  [['__proto__', ''], 'fetch.__proto__[""]'],
])('the path of %j is that of a binding', (keys, expected) => {
  const path = entryPath('fetch', keys);
  expect(path).toBe(expected);
  expect(parsePath(path)).toEqual(['fetch', ...keys.map(String)]);
});

test('without a binding, the path starts inside the value', () => {
  expect([entryPath(undefined, ['a', 0]), entryPath(undefined, [3, 'b'])]).toEqual(['a[0]', '[3].b']);
});

test('10,000 levels can be expanded, searched and named', () => {
  let deep: unknown = 'needle';
  for (let level = 0; level < 10_000; level++) deep = { in: deep };
  const rows = new ValueRows(deep as object);
  expect(rows.shown(rows.all())).toHaveLength(10_000);
  const found = rows.find('needle');
  expect(found.map((row) => keysOf(row).length)).toEqual([10_000]);
  expect(found[0] && parentsOf(found[0])).toHaveLength(9999);
});

test('keys of the prototype are ordinary entries', () => {
  const rows = new ValueRows(JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as object);
  expect(linesOf(rows, rows.all())).toEqual(['1 __proto__ true', '2 polluted null', '1 constructor null']);
});
