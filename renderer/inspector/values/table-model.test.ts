import { expect, test } from 'vitest';
import { distinctValues } from './distinct-values.ts';
import { isErrorColumn, isSkipped } from './iterations.ts';
import { jsonText, shortText } from './json-text.ts';
import {
  cellOf,
  columnsOf,
  isRecordList,
  positionColumn,
  sameLengths,
  shownRows,
  type TableColumn,
  tableCsv,
} from './table-model.ts';

const hostile = JSON.parse('{"__proto__": 1, "constructor": "c", "toString": null}') as object;

function nested(levels: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

test.each([
  [[{ a: 1 }, { b: 2 }], true],
  [[{ a: 1 }, 'text'], true],
  [[{ a: 1 }, 2, 3], false],
  [[], false],
  [[{}], false],
  [[{ $value: 'h', bytes: 9, preview: '' }], false],
  [{ a: [1] }, false],
])('a list is a table if at least half of its items are records: %j', (value, expected) => {
  expect(isRecordList(value)).toBe(expected);
});

test('columns are all keys in order, and items that are not records have their own column', () => {
  const rows = [{ b: 1 }, { a: 'x', b: 2 }, 'text', null];
  const { columns } = columnsOf(rows);
  expect(columns.map(({ title, isNumeric }) => [title, isNumeric])).toEqual([
    ['b', true],
    ['a', false],
    [null, false],
  ]);
  expect(rows.map((row) => columns.map((column) => cellOf(row, column)))).toEqual([
    [1, undefined, undefined],
    [2, 'x', undefined],
    [undefined, undefined, 'text'],
    [undefined, undefined, null],
  ]);
});

test('keys of the prototype are ordinary columns, and rows without them have no value', () => {
  const rows = [hostile, { a: 1 }];
  const { columns } = columnsOf(rows);
  expect(columns.map(({ title }) => title)).toEqual(['__proto__', 'constructor', 'toString', 'a']);
  expect(columns.map((column) => cellOf(rows[1], column))).toEqual([undefined, undefined, undefined, 1]);
  expect(tableCsv(rows, columns, 'item')).toBe('__proto__,constructor,toString,a\r\n1,c,,\r\n,,,1\r\n');
});

test('fields of nested records have separate columns, with titles as short as possible', () => {
  const rows = [
    { item: { id: 'a', land: 'DE' }, outputs: { check: { text: 'x', ok: true }, line: { text: 'y' } } },
    { item: 'no record', outputs: { check: { text: 'z' }, more: { a: { b: { c: 1 } } } } },
  ];
  const { columns } = columnsOf(rows);
  expect(columns.map(({ title }) => title)).toEqual(['id', 'land', 'item', 'check.text', 'ok', 'line.text', 'a']);
  expect(rows.map((row) => columns.map((column) => cellOf(row, column)))).toEqual([
    ['a', 'DE', undefined, 'x', true, 'y', undefined],
    [undefined, undefined, 'no record', 'z', undefined, undefined, { b: { c: 1 } }],
  ]);
  expect(tableCsv(rows, columns, 'item').split('\r\n')[0]).toBe(
    'item.id,item.land,item,outputs.check.text,outputs.check.ok,outputs.line.text,outputs.more.a',
  );
});

test('a record with very many different fields stays one value', () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({ counts: { [`key${index}`]: index }, __proto__: null }));
  const { columns } = columnsOf(rows);
  expect(columns.map(({ title }) => title)).toEqual(['counts']);
  expect(cellOf(rows[3], columns[0] as TableColumn)).toEqual({ key3: 3 });
});

test('texts that differ only in case are sorted side by side, but not mixed', () => {
  const rows = ['de', 'DE', 'at', 'de', 'DE'].map((land) => ({ land }));
  const sort = { column: 0, isDescending: false };
  const shown = shownRows(rows, columnsOf(rows).columns, { query: '', sort });
  expect(shown.map((index) => rows[index]?.land)).toEqual(['at', 'DE', 'DE', 'de', 'de']);
});

test('a list with very many keys has a limited number of columns', () => {
  const rows = Array.from({ length: 1000 }, (_, index) => ({ [`key${index}`]: index }));
  const { columns, omittedCount } = columnsOf(rows);
  expect([columns.length, omittedCount]).toEqual([200, 800]);
});

test('sorts numbers, then text, then the rest, with missing values last in both directions', () => {
  const rows = [{ a: 'b' }, { a: 10 }, { b: 1 }, { a: true }, { a: 9 }, { a: null }, { a: 'A' }, { a: [1] }];
  const { columns } = columnsOf(rows);
  const order = (isDescending: boolean) =>
    shownRows(rows, columns, { query: '', sort: { column: 0, isDescending } }).map((index) => rows[index]?.a);
  expect(order(false)).toEqual([9, 10, 'A', 'b', true, [1], undefined, null]);
  expect(order(true)).toEqual([[1], true, 'b', 'A', 10, 9, undefined, null]);
});

test('texts and lists that cells cut have a column of their lengths, to sort and filter by, but not in CSV', () => {
  const rows = [200, 1000, 45].map((length) => ({ id: `${length}`, body: 'x'.repeat(length), list: [length] }));
  const { columns } = columnsOf([...rows, { list: Array.from({ length: 90 }, () => 7) }]);
  expect(columns.map(({ title, isLength }) => `${title}${isLength ? ' length' : ''}`)).toEqual([
    'id',
    'body length',
    'body',
    'list length',
    'list',
  ]);
  const order = shownRows(rows, columns, { query: '', sort: { column: 1, isDescending: true } });
  expect(order.map((index) => cellOf(rows[index], columns[1] as TableColumn))).toEqual([1000, 200, 45]);
  const lengths = columns.filter(({ isLength }) => isLength);
  expect(shownRows(rows, lengths, { query: '1000', sort: null })).toEqual([1]);
  expect(shownRows(rows, lengths, { query: '0', sort: null })).toEqual([]);
  expect(tableCsv([], columns, 'item')).toBe('id,body,list\r\n');
});

test('names columns whose longest texts have the same round length, as if a limit had cut them', () => {
  const found = (bodies: readonly string[]) => {
    const rows = bodies.map((body) => ({ body }));
    return sameLengths(rows, columnsOf(rows).columns).map(({ count, length }) => [count, length]);
  };
  const cut = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(500));
  expect(found([...cut, 'e'.repeat(499)])).toEqual([[4, 500]]);
  expect(found([...cut, 'e'.repeat(501)])).toEqual([]);
  expect(found(cut)).toEqual([]);
  expect(found(['a', 'a', 'a', 'b'].map((letter, index) => letter.repeat(index < 3 ? 500 : 9)))).toEqual([]);
  expect(found([...cut.map((text) => text.slice(0, 333)), 'e'.repeat(99)])).toEqual([]);
  expect(found([...cut.map((text) => text.slice(0, 256)), 'e'.repeat(99)])).toEqual([[4, 256]]);
});

test('filters by text in any column, regardless of case, without a special meaning of characters', () => {
  const rows = [{ a: 'Red (1)' }, { a: 2, b: { c: 'red' } }, { a: 'blue' }];
  const { columns } = columnsOf(rows);
  const shown = (query: string) => shownRows(rows, columns, { query, sort: null });
  expect([shown('RED'), shown('(1)'), shown('.'), shown('2')]).toEqual([[0, 1], [0], [], [1]]);
});

test('CSV quotes what needs it, and defuses what a spreadsheet would run', () => {
  const rows = [
    { name: 'a,b', note: 'say "hi"\nnow', sum: -5 },
    { name: '=HYPERLINK("http://x")', note: '@cmd', sum: '-5' },
    { name: '+1+1', note: '-2+3', sum: '\t=1' },
    { name: ' x', note: [1, { '=k': 2 }], sum: true },
  ];
  expect(tableCsv(rows, columnsOf(rows).columns, 'item').split('\r\n')).toEqual([
    'name,note,sum',
    '"a,b","say ""hi""\nnow",-5',
    `"'=HYPERLINK(""http://x"")",'@cmd,-5`,
    `'+1+1,'-2+3,'\t=1`,
    '" x","[1,{""=k"":2}]",true',
    '',
  ]);
});

test('headers of CSV are defused as well', () => {
  const rows = [{ '=1+1': 1 }];
  expect(tableCsv(rows, columnsOf(rows).columns, 'item')).toBe("'=1+1\r\n1\r\n");
});

test('JSON text is that of JSON.stringify', () => {
  const value = { a: [1, 'x\n', null, true], b: {}, c: [], d: { e: [{ f: 'ü' }] }, n: undefined };
  const { n: _, ...plain } = value;
  expect(jsonText(plain)).toBe(JSON.stringify(plain));
  expect(jsonText(plain, { indent: 2 })).toBe(JSON.stringify(plain, null, 2));
  expect(jsonText(hostile)).toBe(JSON.stringify(hostile));
});

test('deeply nested values are written whole and in short', () => {
  const deep = nested(10_000);
  expect(() => JSON.stringify(deep)).toThrow();
  expect(jsonText(deep)).toBe(`${'['.repeat(10_000)}"deep"${']'.repeat(10_000)}`);
  expect(shortText(deep, 20)).toBe(`${'['.repeat(20)}…`);
  expect(jsonText(deep, { indent: 2 }).length).toBeLessThan(3_000_000);
});

test('the start of a long text or list is one line', () => {
  expect(shortText(`a\nb  c${'x'.repeat(1e6)}`, 6)).toBe('a b c…');
  expect(
    shortText(
      Array.from({ length: 1e6 }, () => 1),
      6,
    ),
  ).toBe('[1,1,1…');
  expect(shortText('short', 6)).toBe('short');
});

test('iterations of a loop have a column for each field of the item, of the outputs of nodes, and of errors', () => {
  const rows = [
    { index: 0, item: { land: 'DE' }, outputs: { route: { route: 'DE' }, hamburg: { text: 'h' } } },
    {
      index: 1,
      item: { land: 'AT' },
      outputs: { route: { route: 'default' }, hamburg: { skipped: true, reason: 'edge' } },
    },
    { index: 2, item: { land: 'FR' }, outputs: {}, error: { code: 'js.threw', message: 'No' } },
  ];
  const { columns } = columnsOf(rows);
  expect(columns.map(({ title }) => title)).toEqual([
    'index',
    'land',
    'route.route',
    'hamburg.text',
    'error.code',
    'error.message',
  ]);
  expect(rows.map((row) => columns.map(({ keys }) => isSkipped(row, keys)))).toEqual([
    [false, false, false, false, false, false],
    [false, false, false, true, false, false],
    [false, false, false, false, false, false],
  ]);
  expect(columns.map(({ keys }) => isErrorColumn(keys))).toEqual([false, false, false, false, true, true]);
  expect(isErrorColumn(['outputs', 'hamburg', 'error', 'message'])).toBe(true);
});

test('the number of a row is its place in the list in any order, and no part of CSV', () => {
  const rows = [{ a: 'x' }, { a: 'y' }];
  const columns = [positionColumn(rows.length), ...columnsOf(rows).columns];
  const shown = shownRows(rows, columns, { query: '', sort: { column: 0, isDescending: true } });
  expect(shown.map((index) => cellOf(rows[index], columns[0] as TableColumn, index))).toEqual([2, 1]);
  expect(shownRows(rows, columns, { query: '2', sort: null })).toEqual([1]);
  expect(tableCsv(rows, columns, 'item')).toBe('a\r\nx\r\ny\r\n');
});

test('counts values that differ only in white space separately, the most frequent first', () => {
  const values = ['DE', 'DE ', 'DE', undefined, 1, '1', null, 'DE '];
  expect(distinctValues(values, 3)).toEqual({
    most: [
      { value: 'DE', count: 2 },
      { value: 'DE ', count: 2 },
      { value: undefined, count: 1 },
    ],
    omittedCount: 3,
  });
});

test('keeps the rows with exactly one value in a column', () => {
  const rows = [{ land: 'DE' }, { land: 'DE ' }, { town: 'DE' }];
  const { columns } = columnsOf(rows);
  const shown = (value: unknown) =>
    shownRows(rows, columns, { query: '', sort: null, only: { column: columns[0] as TableColumn, value } });
  expect([shown('DE'), shown('DE '), shown(undefined), shown('FR')]).toEqual([[0], [1], [2], []]);
});
