import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { runLua } from '../../../testing/run-lua.ts';

/** Returns nested lists. */
function nested(depth: number): JsonValue {
  let value: JsonValue = 'core';
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

describe('values into Lua and out again', () => {
  test.each<[string, JsonValue]>([
    ['text with a zero byte and signs of every length', 'a\0b é ☃ 🌊'],
    ['empty text', ''],
    ['long text', 'ü☃'.repeat(10_000)],
    ['whole numbers', [0, -1, 42, Number.MAX_SAFE_INTEGER]],
    ['other numbers', [0.1, -2.5, 1e300, 5e-324]],
    ['truth', [true, false]],
    ['null within a list and within an object', { list: [1, null, 3], field: null }],
    ['an object that looks like a prototype', JSON.parse('{"__proto__": {"x": 1}, "constructor": "c"}')],
    ['keys that are numbers as text', { 2: 'b', 10: 'a' }],
    ['deep nesting', nested(400)],
  ])('%s', async (_what, value) => {
    expect(await runLua('return value', { globals: { value } })).toEqual(value);
  });

  test('AP-17 null inside of a list survives stage passing, a trailing nil is dropped, and ipairs skips null', async () => {
    const list = await runLua('return { 1, null, 3, nil }');
    expect(list).toEqual([1, null, 3]);
    const seen = await runLua(
      'local n = 0 for _, v in ipairs(list) do n = n + 1 end return { n, #list, list[2] == null, is_null(list[2]) }',
      { globals: { list } },
    );
    expect(seen).toEqual([3, 3, true, true]);
  });

  test('null is nil at the top level and the sentinel in tables', async () => {
    const globals = { top: null, inner: { field: null } };
    const code =
      'return { top == nil, inner.field == null, inner.field == nil, type(inner.field), tostring(inner.field) }';
    expect(await runLua(code, { globals })).toEqual([true, true, false, 'userdata', 'null']);
  });

  test('whole numbers are integers and all others are floats', async () => {
    const code = 'return { math.type(a), math.type(b), math.type(c), tostring(a // 2), tostring(b) }';
    expect(await runLua(code, { globals: { a: 5, b: 5.5, c: 2 ** 60 } })).toEqual([
      'integer',
      'float',
      'float',
      '2',
      '5.5',
    ]);
  });

  test('converts 1,000 objects to Lua and back', async () => {
    const item = (id: number): JsonValue => ({
      id,
      name: `n${id}`,
      tags: ['a', 'b'],
      meta: { x: id, y: null, z: true },
    });
    const value = Array.from({ length: 1000 }, (_, id) => item(id));
    expect(await runLua('return value', { globals: { value } })).toEqual(value);
  });
});

describe('what a script returns', () => {
  test.each<[string, JsonValue]>([
    ['', null],
    ['nil', null],
    ['null', null],
    ['{}', {}],
    ['{ {} }', [{}]],
    ['{ 1, 2 }', [1, 2]],
    ['{ [2] = "b", [1] = "a" }', ['a', 'b']],
    ['{ [1] = "a", [3] = "c" }', { 1: 'a', 3: 'c' }],
    ['{ "a", x = 1 }', { 1: 'a', x: 1 }],
    ['{ [1.5] = true }', { '1.5': true }],
    ['{ b = 1, a = 2 }', { a: 2, b: 1 }],
    ['1, 2, 3', 1],
    ['3.0', 3],
    ['9007199254740992', 2 ** 53],
    ['2.0^60', 2 ** 60],
    ['setmetatable({}, { __index = { x = 1 }, __pairs = error })', {}],
  ])('return %s', async (code, value) => {
    expect(await runLua(`return ${code}`)).toEqual(value);
  });

  test.each([
    ['9007199254740993', 'result contains the number 9007199254740993'],
    ['math.mininteger', 'result contains the number -9223372036854775808'],
    ['{ a = { 1, -9007199254740993 } }', 'result.a[2] contains the number -9007199254740993'],
  ])('return %s is rejected because it would be rounded', async (code, words) => {
    const message = expect.stringMatching(/tostring\(value\)/);
    await expect(runLua(`return ${code}`)).rejects.toMatchObject({ code: 'json.unsafe-number', message });
    await expect(runLua(`return ${code}`)).rejects.toThrow(words);
  });

  test('a long integer as a key keeps its digits', async () => {
    expect(await runLua('return { [9007199254740993] = 1, [math.mininteger] = 2 }')).toEqual({
      '-9223372036854775808': 2,
      '9007199254740993': 1,
    });
  });

  test('keys are returned in alphabetical order', async () => {
    expect(JSON.stringify(await runLua('return { c = 1, a = 2, b = 3, B = 4 }'))).toBe('{"B":4,"a":2,"b":3,"c":1}');
  });

  test.each([
    ['print', 'result is a function'],
    ['{ a = { 1, print } }', 'result.a[2] is a function'],
    ['{ ["a b"] = coroutine.create(print) }', 'result["a b"] is a coroutine'],
    ['(function() local t = { x = {} } t.x.me = t return t end)()', 'result.x.me contains itself'],
    ['0/0', 'result is NaN'],
    ['{ 1/0 }', 'result[1] is infinite'],
    ['"\\xff"', 'result contains bytes that are not UTF-8 text'],
    ['{ ["\\xff"] = 1 }', 'result contains bytes that are not UTF-8 text'],
    ['{ [true] = 1 }', 'result has a key that is a boolean or a table'],
    ['(function() local t = {} for i = 1, 600 do t = { t } end return t end)()', 'is nested deeper than 500 levels'],
    ['{ select(2, pcall(aip.agent.run)) }', 'result[1] is an error value'],
  ])('return %s is rejected with its position', async (code, problem) => {
    const message = expect.stringContaining(problem);
    await expect(runLua(`return ${code}`)).rejects.toMatchObject({ code: 'lua.bad-value', message });
  });

  test('the same table twice is not a cycle', async () => {
    expect(await runLua('local t = { 1 } return { t, t }')).toEqual([[1], [1]]);
  });

  test('a caught error that the script returns counts as raised', async () => {
    const code = '\nlocal ok, err = pcall(aip.agent.run)\nreturn err';
    await expect(runLua(code)).rejects.toMatchObject({
      code: 'lua.error',
      message: expect.stringContaining('Lua error:\nbad argument #1'),
    });
  });
});

describe('arguments of aip.*', () => {
  /** Returns the value that a native function receives for an argument. */
  async function argument(code: string): Promise<unknown> {
    let inputs: unknown;
    await runLua(`aip.agent.run("x", { inputs = { ${code} } })`, {
      host: {
        'agent.run': (params) => {
          inputs = params.inputs?.[0];
          return Promise.resolve({ outputs: null, afterAll: null, redoRequested: false });
        },
      },
    });
    return inputs;
  }

  test.each<[string, JsonValue]>([
    ['{}', []],
    ['{ a = {} }', { a: [] }],
    ['{ 1, x = 2 }', { 1: 1, x: 2 }],
    ['{ [2] = "b" }', { 2: 'b' }],
    ['null', null],
    ['"a\\0b"', 'a\0b'],
  ])('%s', async (code, value) => {
    expect(await argument(code)).toEqual(value);
  });

  test.each([
    ['0/0', 'aip.agent.run - argument 2.inputs[1] is NaN'],
    ['{ a = -1/0 }', 'aip.agent.run - argument 2.inputs[1].a is infinite'],
    ['{ [{}] = 1 }', 'has a key that is a boolean or a table'],
    ['print', 'aip.agent.run - argument 2.inputs[1] is a function'],
    ['"\\xc3("', 'contains bytes that are not UTF-8 text'],
  ])('%s is rejected', async (code, problem) => {
    await expect(argument(code)).rejects.toThrow(problem);
  });
});
