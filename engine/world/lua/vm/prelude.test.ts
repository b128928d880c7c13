import { describe, expect, test } from 'vitest';
import { runLua, type TestHost } from '../../../testing/run-lua.ts';

describe('the sandbox', () => {
  test.each([
    'io',
    'dofile',
    'loadfile',
    'string.dump',
    'os.execute',
    'os.remove',
    'os.rename',
    'os.exit',
    'os.getenv',
    'os.tmpname',
    'os.setlocale',
    'debug.getinfo',
    'debug.getregistry',
    'debug.getupvalue',
    'debug.setupvalue',
    'debug.getlocal',
    'debug.sethook',
    'debug.setmetatable',
    'debug.getmetatable',
    'package.loadlib',
    'package.cpath',
    'package.searchers',
    'package.searchpath',
    'package.loaded.io',
    'Error',
    'Promise',
    'process',
    'globalThis',
    'aip.constructor',
    'aip.__proto__',
    'aip.agent.run.constructor',
    'CTX.constructor',
    'native',
  ])('%s does not exist', async (name) => {
    const parts = name.split('.');
    const last = parts.pop();
    // A function has no fields at all, which counts as absent.
    const code = `local ok, found = pcall(function() return _G${parts.map((p) => `.${p}`).join('')}.${last} end)
      return not ok or found == nil`;
    expect(await runLua(code)).toBe(true);
  });

  test.each([
    ['load(string.char(27) .. "Lua")', 'binary'],
    ['load("return 1", "x", "b")', 'binary'],
    ['load(function() return nil end, "x", "b")', 'binary'],
  ])('%s returns no function', async (code, problem) => {
    const [fn, message] = (await runLua(`local f, m = ${code} return { f == nil, m }`)) as [boolean, string];
    expect(fn).toBe(true);
    expect(message).toContain(problem);
  });

  test.each([
    ['getmetatable(null)', 'false'],
    ['getmetatable(select(2, pcall(aip.agent.run)))', 'false'],
    ['pcall(setmetatable, null, {})', 'false'],
    ['rawequal(getmetatable("").__index, string)', 'true'],
  ])('%s evaluates to %s', async (code, shown) => {
    expect(await runLua(`return tostring((${code}))`)).toBe(shown);
  });

  test('load accepts text and a custom environment', async () => {
    expect(await runLua('return { load("return 1 + 1")(), load("return x", "name", "t", { x = 3 })() }')).toEqual([
      2, 3,
    ]);
    expect(await runLua('local f, m = load("return (") return { f == nil, m }')).toEqual([true, expect.any(String)]);
  });

  test('the rest of the standard library is available', async () => {
    const code = `return { string.format("%5.1f", 2.25), table.concat({ 1, 2 }, ","), utf8.len("é☃"), math.max(1, 2),
      type(os.time()), os.date("!%Y-%m-%d", 0), coroutine.wrap(function() coroutine.yield(4) end)(),
      type(debug.traceback()), os.clock() >= 0, os.difftime(5, 3), select("#", table.unpack({ 1, 2 })) }`;
    expect(await runLua(code)).toEqual(['  2.2', '1,2', 2, 2, 'number', '1970-01-01', 4, 'string', true, 2, 2]);
  });

  test('times of day are local and consistent with each other', async () => {
    const at = { year: 2024, month: 5, day: 3, hour: 14, min: 5, sec: 9 };
    const code =
      'local t = os.time(at) return { t, os.date("%Y-%m-%d %H:%M:%S %p %j %A %B", t), os.date("*t", t).yday }';
    const seconds = new Date(2024, 4, 3, 14, 5, 9).getTime() / 1000;
    expect(await runLua(code, { globals: { at } })).toEqual([seconds, '2024-05-03 14:05:09 PM 124 Friday May', 124]);
  });

  test('os.time normalizes fields that are out of range', async () => {
    const code = 'local t = { year = 2024, month = 14, day = 1, hour = -1 } os.time(t)';
    expect(await runLua(`${code} return { os.date("%F %R", os.time(t)), t.month }`)).toEqual(['2025-01-31 23:00', 1]);
  });

  test('two scripts get different random numbers', async () => {
    const numbers = await Promise.all([1, 2, 3].map(() => runLua('return tostring(math.random(0))')));
    expect(new Set(numbers).size).toBe(3);
  });

  test('a script sees nothing of earlier scripts', async () => {
    await runLua('x = 1 _G.y = 2 string.trim = 3 aip.z = 4 package.loaded.w = 5');
    expect(await runLua('return { x, y, string.trim, aip.z, package.loaded.w }')).toEqual({});
  });

  test('variables without local are stored in the environment of the script', async () => {
    expect(await runLua('x = 1 return { x, _G.x == nil, _ENV.x, _G.aip == aip }')).toEqual([1, true, 1, true]);
  });
});

describe('globals', () => {
  test.each([
    ['rawequal(null, Null) and rawequal(null, NULL)', true],
    ['is_null(nil) and is_null(null) and not is_null(false)', true],
    ['is_not_null(0) and not is_not_null(nil) and not is_not_null(null)', true],
    ['nil_if_null(null) == nil and nil_if_null(3) == 3', true],
    ['value_or(nil, 1)', 1],
    ['value_or(null, nil, "b", "c")', 'b'],
    ['value_or(false, 1)', false],
    ['value_or(nil, null)', null],
    ['value_or(nil, nil) == nil', true],
    ['is_table({}) and not is_table("") and not is_table(null)', true],
    ['is_list({ 1 }) and not is_list({}) and not is_list({ x = 1 }) and not is_list(1)', true],
    ['is_object({}) and is_object({ x = 1 }) and not is_object({ 1 }) and not is_object(1)', true],
    ['utils == aip', true],
    ['aipack.skip == aip.flow.skip and aipack.data_response == aip.flow.data_response', true],
    ['aipack.before_all_response({ inputs = { 1 } })._aipack_.kind', 'BeforeAllResponse'],
    ['aipack.flow == aip.flow and aipack.file == aip.file and aipack.none == nil', true],
    ['CTX.STAGE', 'Data'],
  ])('%s equals %j', async (code, value) => {
    expect(await runLua(`return ${code}`, { scriptContext: { STAGE: 'Data' } })).toEqual(value);
  });

  test('CTX can be changed, and functions see the change', async () => {
    expect(await runLua('CTX.X = 1 return _G.CTX.X', { scriptContext: {} })).toBe(1);
  });

  test('print joins its arguments with newlines and shows tables', async () => {
    const logs: unknown[] = [];
    const host: TestHost = { log: (params) => Promise.resolve(logs.push(params)).then(() => null) };
    await runLua('print("a", 1, 2.5, true, nil, null, { x = "y" }) print()', { host });
    expect(logs).toEqual([
      { level: 'print', text: 'a\n1\n2.5\ntrue\nnil\nNULL\n{\n  x = "y"\n}' },
      { level: 'print', text: '' },
    ]);
  });
});

describe('require', () => {
  const modules: Readonly<Record<string, string>> = {
    counter: 'count = (count or 0) + 1 return { count = count, name = ... }',
    'a.b': 'return require("counter")',
    nothing: 'loaded_once = (loaded_once or 0) + 1',
    broken: 'return (',
    failing: '\nerror("not today")',
    ring: 'return require("ring2")',
    ring2: 'return require("ring")',
    context: 'return { CTX.STAGE, input == nil, type(aip.lua.merge) }',
  };
  const asked: string[] = [];
  const host: TestHost = {
    'script.require': ({ module }) => {
      asked.push(module);
      const source = modules[module];
      return Promise.resolve(source === undefined ? null : { source, file: `lua/${module}.lua` });
    },
  };

  test('require loads a module once', async () => {
    asked.length = 0;
    const code = `local one, file = require("counter") local again = require("a.b")
      return { one == again, one.count, one.name, file, require("nothing"), require("nothing"), loaded_once }`;
    expect(await runLua(code, { host })).toEqual([true, 1, 'counter', 'lua/counter.lua', true, true, 1]);
    expect(asked).toEqual(['counter', 'a.b', 'nothing']);
  });

  test('modules see the shared globals but not the variables of the script', async () => {
    const options = { host, globals: { input: 'x' }, scriptContext: { STAGE: 'Data' } };
    expect(await runLua('return require("context")', options)).toEqual(['Data', true, 'function']);
  });

  test('standard libraries and preloaded modules need no file', async () => {
    const code =
      'package.preload.mine = function(name) return name .. "!" end return { require("string") == string, (require("mine")) }';
    expect(await runLua(code, { host })).toEqual([true, 'mine!']);
  });

  test('a missing module raises an error that lists the searched paths', async () => {
    const code = '\nlocal x = require("no.such")\nreturn x';
    await expect(runLua(code, { host })).rejects.toMatchObject({
      code: 'lua.error',
      line: 2,
      message: expect.stringMatching(
        /module 'no\.such' not found:\n\tno file 'lua\/no\/such\.lua'.*\n\tno file 'lua\/no\/such\/init\.lua'/,
      ),
    });
  });

  test.each([
    ['broken', "error loading module 'broken':\n\tlua/broken.lua:1: "],
    ['failing', 'lua/failing.lua:2: not today\nAt line 1 \'local x = require("failing") return x\''],
    ['ring', "module 'ring' requires itself"],
  ])('a module that is %s fails with its file name', async (name, message) => {
    await expect(runLua(`local x = require("${name}") return x`, { host })).rejects.toThrow(message);
  });

  test('a failed module is loaded again on the next require', async () => {
    const code = 'pcall(require, "failing") return (pcall(require, "failing"))';
    asked.length = 0;
    expect(await runLua(code, { host })).toBe(false);
    expect(asked).toEqual(['failing', 'failing']);
  });
});
