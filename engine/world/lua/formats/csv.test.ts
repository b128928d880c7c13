import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellText, csvOptions, csvRow, csvRowSpans, csvText, parseCsv, parseCsvRow } from './csv.ts';

const options = (value: Parameters<typeof csvOptions>[1]) => csvOptions('aip.csv.parse', value);
const rowsOf = (text: string, given: Parameters<typeof csvOptions>[1] = {}) =>
  parseCsv(text, options({ has_header: false, ...(given as object) })).rows;

describe('reading CSV', () => {
  test('uses the first row as the header', () => {
    expect(parseCsv('name,age\nJohn,30\nJane,25')).toEqual({
      _type: 'CsvContent',
      headers: ['name', 'age'],
      rows: [
        ['John', '30'],
        ['Jane', '25'],
      ],
    });
    expect(parseCsv('')).toEqual({ _type: 'CsvContent', headers: [], rows: [] });
  });

  test('reads quoted fields, including line breaks and quotes in them', () => {
    expect(rowsOf('a,"b,c",d\n"x\ny","say ""hi""",""\n')).toEqual([
      ['a', 'b,c', 'd'],
      ['x\ny', 'say "hi"', ''],
    ]);
  });

  test('keeps a quote inside of a field', () => {
    expect(rowsOf('5" pipe,3\n"a"b,c')).toEqual([
      ['5" pipe', '3'],
      ['ab', 'c'],
    ]);
  });

  test('reads the rest of the text if a quote is never closed', () => {
    expect(rowsOf('a,"b\nc,d')).toEqual([['a', 'b\nc,d']]);
  });

  test('supports an escape character in addition to doubled quotes', () => {
    expect(rowsOf(String.raw`"a\"b\\c",d`, { escape: '\\' })).toEqual([['a"b\\c', 'd']]);
    expect(rowsOf('"a""b",d', { escape: '\\' })).toEqual([['a"b', 'd']]);
    expect(rowsOf('"a""b",d', { escape: '"' })).toEqual([['a"b', 'd']]);
  });

  test('supports custom characters and uses the first character of each option', () => {
    expect(rowsOf("a;'b;c'\nd;e", { delimiter: ';;', quote: "'" })).toEqual([
      ['a', 'b;c'],
      ['d', 'e'],
    ]);
    expect(rowsOf('a\tb', { delimiter: '\t' })).toEqual([['a', 'b']]);
  });

  test('reads all kinds of line ends and rows of any length', () => {
    expect(rowsOf('\uFEFFa,b\r\nc\rd,e,f\n')).toEqual([['a', 'b'], ['c'], ['d', 'e', 'f']]);
    expect(rowsOf('a,')).toEqual([['a', '']]);
  });

  test('omits blank rows unless the options keep them', () => {
    expect(rowsOf('a,b\n\n , \n,\nc,d')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(rowsOf('a,b\n\n,\n', { skip_empty_lines: false })).toEqual([
      ['a', 'b'],
      ['', ''],
    ]);
  });

  test('skips comment lines', () => {
    expect(parseCsv('# x\nname\n#y\nJohn', options({ comment: '#' }))).toMatchObject({
      headers: ['name'],
      rows: [['John']],
    });
  });

  test('trims fields on request', () => {
    expect(parseCsv(' a , b \n 1 ," 2 "', options({ trim_fields: true }))).toMatchObject({
      headers: ['a', 'b'],
      rows: [['1', '2']],
    });
    expect(rowsOf(' a , b ')).toEqual([[' a ', ' b ']]);
  });

  test('maps header labels to their keys', () => {
    const given = options({ header_labels: { id: 'ID', name: 'Full Name' } });
    expect(parseCsv('ID,Full Name,Age\n1,Alice,30', given).headers).toEqual(['id', 'name', 'Age']);
  });

  test('reads a single row', () => {
    expect(parseCsvRow('a,"b,c",d\nnext')).toEqual(['a', 'b,c', 'd']);
    expect(parseCsvRow('#a,b', options({ comment: '#' }))).toEqual(['#a', 'b']);
    expect(parseCsvRow('')).toEqual([]);
  });

  test('rejects options that are not a table', () => {
    expect(() => options('x')).toThrow('aip.csv.parse - the options must be a table');
    expect(options([]).delimiter).toBe(',');
  });
});

describe('writing CSV', () => {
  test('converts values to text', () => {
    expect([undefined, null, true, 1, 1.5, 'x', [1], { b: null }].map(cellText)).toEqual([
      '',
      '',
      'true',
      '1',
      '1.5',
      'x',
      '[1]',
      '{"b":null}',
    ]);
  });

  test('quotes only where necessary', () => {
    expect(csvRow(['a,b', 'c "d"', 'e\nf', ' g ', ''])).toBe('"a,b","c ""d""","e\nf", g ,');
    expect(csvRow(['a;b', "it's", 'c,d'], options({ delimiter: ';', quote: "'" }))).toBe("'a;b';'it''s';c,d");
    expect(csvRow([''])).toBe('""');
    expect(csvRow([])).toBe('');
  });

  test('writes headers with their labels or omits them', () => {
    const content = { headers: ['id', 'n'], rows: [[1, null]] };
    expect(csvText(content, options({ header_labels: { id: 'ID' } }))).toBe('ID,n\n1,\n');
    expect(csvText(content, options({ skip_header_row: true }))).toBe('1,\n');
    expect(csvText({ headers: [], rows: [] })).toBe('');
  });

  test('reads back what it wrote', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', ';', 'é') });
    const matrix = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(matrix, fc.constantFrom(',', ';'), (rows, delimiter) => {
        const given = options({ delimiter, has_header: false, skip_empty_lines: false });
        const text = csvText({ headers: [], rows }, given);
        expect(parseCsv(text, given).rows).toEqual(rows);
        expect(csvRowSpans(text)).toHaveLength(rows.length);
      }),
    );
  });
});

describe('csvRowSpans', () => {
  test('finds rows in bytes and counts line ends and quoted lines', () => {
    const text = 'näme,age\r\n"multi\nline ""x""",2\n\nend';
    const bytes = new TextEncoder().encode(text);
    const parts = csvRowSpans(bytes).map(({ start, end }) => new TextDecoder().decode(bytes.slice(start, end)));
    expect(parts).toEqual(['näme,age', '"multi\nline ""x""",2', '', 'end']);
    expect(csvRowSpans(text)).toEqual(csvRowSpans(bytes));
    expect(csvRowSpans('')).toEqual([]);
  });
});

describe('warnings about CSV', () => {
  const warningsOf = (text: string, given: Parameters<typeof csvOptions>[1] = {}): readonly string[] => {
    const found: string[] = [];
    parseCsv(text, options(given), (sentence) => found.push(sentence));
    return found;
  };

  test.each([
    ['in the last row', 'a,b\n1,2\n3,"4\n5,6\n', 3],
    ['in the header', 'a,"b\n1,2\n', 1],
    ['behind a quoted line break', 'a,b\r\n"1\r\nx",2\r\n"3,4\r\n', 4],
    ['in a text that ends with the quote', 'a,b\n1,"', 2],
  ])('reports the line of a quote that is never closed: %s', (_where, text, line) => {
    expect(warningsOf(text)).toEqual([expect.stringContaining(`in line ${line} that is never closed`)]);
  });

  test.each([
    ['semicolons', 'a;b\n1;2\n', ';'],
    ['tabs', 'a\tb\n1\t2\n', '\\t'],
    ['vertical bars', 'a|b\n1|2\n', '|'],
  ])('reports that a single column looks like several with %s', (name, text, sign) => {
    expect(warningsOf(text)).toEqual([expect.stringMatching(new RegExp(`contains ${name}`))]);
    expect(warningsOf(text)[0]).toContain(`{ delimiter = "${sign}" }`);
    expect(warningsOf(text, { delimiter: text[1] ?? '' })).toEqual([]);
  });

  test.each([
    ...['', 'a,b\n"1;2",3\n', 'name\nAda; Countess\nGrace\n', 'a;b,c\n', '"say ""hi"""\n', '5" pipe\n', 'a\n"b"\n'],
  ])('does not warn about %j', (text) => {
    expect(warningsOf(text)).toEqual([]);
  });
});
