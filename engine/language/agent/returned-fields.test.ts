import { describe, expect, test } from 'vitest';
import { returnedFields } from './returned-fields.ts';

function fieldsOf(code: string, response: Parameters<typeof returnedFields>[1] = 'data_response') {
  const { fields, isComplete } = returnedFields(code, response);
  return { names: fields.map(({ name }) => name), isComplete };
}

describe('fields returned by a script', () => {
  test('are those of the returned table, without those of nested tables', () => {
    const code = 'local x = { no = 1 }\nreturn { note = x.note, [1] = 2, list = { inner = 1 }, done = f({ a = 1 }) }';
    expect(fieldsOf(code)).toEqual({ names: ['note', 'list', 'done'], isComplete: true });
    const [note] = returnedFields(code, 'data_response').fields;
    expect(code.slice(note?.start, note?.end)).toBe('note');
  });

  test('are collected from all returns of the script, but not from its functions', () => {
    const code = 'local function f() return { no = 1 } end\nif a then return { one = 1 } end\nreturn { two = 2 }';
    expect(fieldsOf(code)).toEqual({ names: ['one', 'two'], isComplete: true });
  });

  test('are found in the responses of aip.flow', () => {
    expect(fieldsOf('return aip.flow.data_response({ input = 1, data = { text = t } })').names).toEqual(['text']);
    expect(fieldsOf('return aip.flow.before_all_response { before_all = { a = 1 } }', 'before_all_response')).toEqual({
      names: ['a'],
      isComplete: true,
    });
  });

  test('are incomplete if another expression is returned', () => {
    expect(fieldsOf('return aip.file.load(input.path)')).toEqual({ names: [], isComplete: false });
    expect(fieldsOf('return { a = 1 } or other')).toEqual({ names: [], isComplete: false });
    expect(fieldsOf('return aip.flow.data_response({ data = x })').isComplete).toBe(false);
  });

  test('a skip and an empty return contribute no fields', () => {
    const code = 'if x then return aip.flow.skip("why") end\nif y then return end\nreturn { a = 1 }';
    expect(fieldsOf(code)).toEqual({ names: ['a'], isComplete: true });
  });
});
