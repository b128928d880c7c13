import { describe, expect, test } from 'vitest';
import { runLua } from '../../../testing/run-lua.ts';

describe('aip.lua', () => {
  test('dump indents tables by two spaces per level and sorts their keys', async () => {
    const dumped = await runLua(
      'return aip.lua.dump({ b = { x = "y" }, a = { "one", null }, empty = {}, is_on = true })',
    );
    expect(dumped).toBe(
      '{\n  a = {\n    1 = "one",\n    2 = NULL\n  },\n  b = {\n    x = "y"\n  },\n  empty = {},\n  is_on = true\n}',
    );
  });

  test.each([
    ['nil', 'nil'],
    ['null', 'NULL'],
    ['3', '3'],
    ['3.5', '3.5'],
    ['"text"', '"text"'],
    ['print', '<function>'],
    ['coroutine.create(print)', '<Thread>'],
    ['(function() local t = {} t.me = t return t end)()', '{\n  me = <itself>\n}'],
  ])('dump of %s returns %s', async (value, dumped) => {
    expect(await runLua(`return aip.lua.dump(${value})`)).toBe(dumped);
  });

  test('merge changes its first table and returns it', async () => {
    const merged = await runLua(`
      local base = { a = 1, b = { x = 1 } }
      local given = aip.lua.merge(base, { b = { y = 2 } }, nil, null, { c = 3 })
      return { is_same = given == base, base = base }`);
    expect(merged).toEqual({ is_same: true, base: { a: 1, b: { y: 2 }, c: 3 } });
  });

  test('merge keeps functions and metatables', async () => {
    expect(
      await runLua(`
        local target = setmetatable({}, { __index = { inherited = 4 } })
        aip.lua.merge(target, { twice = function(n) return 2 * n end })
        return target.twice(target.inherited)`),
    ).toBe(8);
  });

  test('merge_deep recurses where both sides are tables, and merges lists by index', async () => {
    const merged = await runLua(`
      local base = { a = 1, b = { x = 1, list = { 1, 2, 3 } } }
      aip.lua.merge_deep(base, { b = { y = 2, list = { 9 } } }, null, { a = { now = "table" } })
      return base`);
    expect(merged).toEqual({ a: { now: 'table' }, b: { x: 1, y: 2, list: [9, 2, 3] } });
  });

  test.each([
    ['aip.lua.merge(nil, {})', 'error converting Lua nil to table'],
    ['aip.lua.merge(null, {})', 'error converting Lua null to table'],
    ['aip.lua.merge({}, "x")', 'Cannot merge a non table type. Actual type: string'],
    ['aip.lua.merge_deep({}, 3)', 'Cannot merge a non table type. Actual type: integer'],
  ])('rejects %s', async (code, message) => {
    await expect(runLua(`return ${code}`)).rejects.toThrow(message);
  });
});
