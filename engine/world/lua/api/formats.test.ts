import { describe, expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import { csvApi } from './csv.ts';
import { jsonApi } from './json.ts';
import { tomlApi } from './toml.ts';
import { yamlApi } from './yaml.ts';

describe('aip.json', () => {
  const call = apiCaller(jsonApi);

  test('parses relaxed JSON', () => {
    expect(call('parse', "{ a: 'x', /* b */ list: [1 null,], }")).toEqual({ a: 'x', list: [1, null] });
    expect([undefined, '', ' // nothing', 'null'].map((text) => call('parse', text))).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });

  test('describes what it could not parse', () => {
    expect(() => call('parse', '{"a": ]')).toThrow(
      expect.objectContaining({
        message:
          'aip.json.parse failed. Fail to parse json.\nCause: Unexpected \']\' on line 1 column 7\nJson Content:\n{"a": ]',
      }),
    );
    expect(() => call('parse', 1)).toThrow('aip.json.parse - accepted argument types are String or Nil');
  });

  test('parses one value per line', () => {
    expect(call('parse_ndjson', '{"a":1}\n\n{"a":2}\n')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(call('parse_ndjson', undefined)).toBeUndefined();
    expect(() => call('parse_ndjson', '{"a":1}\n{a:2}')).toThrow('aip.json.parse_ndjson failed. Line 2');
  });

  test('writes compact or pretty-printed text', () => {
    const value = { name: 'J', list: [1, 2.5, null], none: [] };
    expect(call('stringify', value)).toBe('{"name":"J","list":[1,2.5,null],"none":[]}');
    expect(call('stringify_to_line', value)).toBe(call('stringify', value));
    expect(call('stringify_pretty', { a: [1], b: [] })).toBe('{\n  "a": [\n    1\n  ],\n  "b": []\n}');
    expect([call('stringify', undefined), call('stringify_pretty', null)]).toEqual(['null', 'null']);
  });
});

describe('aip.toml', () => {
  const call = apiCaller(tomlApi);

  test('parses and writes TOML', () => {
    expect(call('parse', '[a]\nb = 1\n')).toEqual({ a: { b: 1 } });
    expect(call('stringify', { a: { b: 1 } })).toBe('[a]\nb = 1\n');
    expect(call('stringify', [])).toBe('');
  });

  test('rejects invalid arguments', () => {
    expect(() => call('parse', undefined)).toThrow('bad argument #1');
    expect(() => call('parse', 'a')).toThrow('Fail to parse toml');
    expect(() => call('stringify', [1])).toThrow('the value must be a table with string keys, but was table');
  });
});

describe('aip.yaml', () => {
  const call = apiCaller(yamlApi);

  test('parses all documents of a text', () => {
    expect(call('parse', 'a: 1\n---\n- b\n')).toEqual([{ a: 1 }, ['b']]);
    expect(call('parse', undefined)).toBeUndefined();
    expect(() => call('parse', 'a: [')).toThrow('Fail to parse yaml');
  });

  test('writes one document or several', () => {
    expect(call('stringify', { a: [1] })).toBe('a:\n- 1\n');
    expect(call('stringify', undefined)).toBe('null\n');
    const text = call('stringify_multi_docs', [{ a: 1 }, 'x', null]);
    expect(text).toBe('a: 1\n---\nx\n---\nnull\n');
    expect(call('parse', text)).toEqual([{ a: 1 }, 'x', null]);
    expect(() => call('stringify_multi_docs', 'a')).toThrow('must be a list');
  });
});

describe('aip.csv', () => {
  const call = apiCaller(csvApi);

  test('parses CSV', () => {
    expect(call('parse_row', 'a;"b;c"', { delimiter: ';' })).toEqual(['a', 'b;c']);
    expect(call('parse', 'n,a\nJ,1\n')).toEqual({ _type: 'CsvContent', headers: ['n', 'a'], rows: [['J', '1']] });
    expect(call('parse', 'a,b\n1,2', { has_header: false })).toMatchObject({ headers: [] });
    expect(() => call('parse', undefined)).toThrow('bad argument #1');
    expect(() => call('parse', 'a', 'b')).toThrow('aip.csv.parse - the options must be a table');
  });

  test('writes rows', () => {
    expect(call('values_to_row', ['a', 123, true, null, { foo: 'bar' }])).toBe('a,123,true,,"{""foo"":""bar""}"');
    expect(call('values_to_row', { 1: 'a', 2: 'b', 4: 'd' })).toBe('a,b');
    expect(call('value_lists_to_rows', [['a', 1], ['b|c'], []], { delimiter: '|' })).toEqual(['a|1', '"b|c"', '']);
  });

  test('rejects values that are not lists', () => {
    expect(() => call('values_to_row', 'a')).toThrow('aip.csv.values_to_row - values must be a table (list)');
    expect(() => call('value_lists_to_rows', 1)).toThrow('value_lists must be a table (list of lists)');
    expect(() => call('value_lists_to_rows', [['a'], 1])).toThrow(
      'Row 2: aip.csv.value_lists_to_rows - values must be a table (list)',
    );
  });
});
