import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../base/engine-error.ts';
import { runLua, type TestHost } from '../../../testing/run-lua.ts';

/** Returns the error that a script fails with. */
async function failure(code: string, options: Parameters<typeof runLua>[1] = {}): Promise<EngineError> {
  const thrown: unknown = await runLua(code, options).catch((error: unknown) => error);
  if (EngineError.is(thrown)) return thrown;
  throw new Error(`The script gave ${JSON.stringify(thrown)}`);
}

describe('what a script raises', () => {
  test('an error names the line of the file with its text', async () => {
    const { code, message, line } = await failure('\n\n\nlocal x = nil + 1');
    expect({ code, line }).toEqual({ code: 'lua.error', line: 4 });
    expect(message).toBe(
      "Lua error:\ntest.aip:4: attempt to perform arithmetic on a nil value\nAt line 4 'local x = nil + 1'",
    );
  });

  test('an error names the lines of the calling functions', async () => {
    const { message, line } = await failure('local function f()\n  error("boom")\nend\nf()\nreturn 1');
    expect(line).toBe(2);
    expect(message).toBe("Lua error:\ntest.aip:2: boom\nAt line 2 'error(\"boom\")'\nAt line 4 'f()'");
  });

  test('an error at level 2 names the line of the caller', async () => {
    const { message, line } = await failure('local function f()\n  error("boom", 2)\nend\nf()\nreturn 1');
    expect(line).toBe(4);
    expect(message).toContain('test.aip:4: boom');
  });

  test('an error without a position names the line where it was raised', async () => {
    expect(await failure('\nerror("bare", 0)\nreturn 1')).toMatchObject({
      line: 2,
      message: 'Lua error:\nbare\nAt line 2 \'error("bare", 0)\'',
    });
  });

  test('an error names the line in files with long names', async () => {
    const file = `${'/a-long-folder'.repeat(8)}/agent.aip`;
    expect(await failure('\nlocal x = y.z', { file })).toMatchObject({ line: 2, code: 'lua.error' });
    expect(await failure('\nlocal = 3', { file })).toMatchObject({ line: 2, code: 'lua.syntax' });
  });

  test('a syntax error has its line', async () => {
    const { code, message, line } = await failure('\nlocal x = = 3\nreturn x');
    expect({ code, line }).toEqual({ code: 'lua.syntax', line: 2 });
    expect(message).toBe("Lua error:\ntest.aip:2: unexpected symbol near '='\nAt line 2 'local x = = 3'");
  });

  test.each([
    ['error({ code = 3, list = { "a" } })', '{\n  code = 3,\n  list = {\n    1 = "a"\n  }\n}'],
    ['error()', 'nil (error was called without a message)'],
    ['error(null)', 'null'],
    ['error(42)', '42'],
    ['error(true)', 'true'],
    ['error(setmetatable({}, { __tostring = function() return "as text" end }))', 'as text'],
    [
      'error(setmetatable({}, { __tostring = function() error("no") end }))',
      'An error that cannot be converted to text was raised',
    ],
    ['error("\\xff", 0)', '\ufffd'],
    ['setmetatable(_G, { __index = error }) tostring = nil type = nil error("late", 0)', 'late'],
  ])('%s', async (code, message) => {
    const error = await failure(code);
    expect(error.code).toBe('lua.error');
    expect(error.message.startsWith(`Lua error:\n${message}\nAt line 1`)).toBe(true);
  });

  test('an endless recursion is reported as a stack overflow', async () => {
    const { code, message, line } = await failure('local function f()\n  return 1 + f()\nend\nf()\nreturn 1');
    expect({ code, line }).toEqual({ code: 'lua.error', line: 2 });
    expect(message).toContain('stack overflow');
    expect(message.split('\n').length).toBeLessThan(20);
  });

  test.each([
    ['gsub', 'local function f() return (string.gsub("a", ".", f)) end f()'],
    ['sort', 'local function f() table.sort({ 3, 2, 1 }, f) end f()'],
    ['coroutines', 'local function f() return coroutine.wrap(f)() end f()'],
    ['tostring', 'local t = {} setmetatable(t, { __tostring = function() return tostring(t) end }) tostring(t)'],
    ['pcall', 'local function f() return error(select(2, pcall(f)), 0) end f()'],
    ['functions of ours', 'local t = setmetatable({}, { __index = function(t, k) return t[k .. "x"] end }) return t.y'],
  ])('an endless recursion through %s ends in an error', async (_way, code) => {
    expect((await failure(code)).message).toMatch(/overflow/);
  });

  test('a host refusal keeps its message and code', async () => {
    const refusal = new EngineError({ code: 'effect.denied', message: 'Writing is not allowed here' });
    const host: TestHost = { label: () => Promise.reject(refusal) };
    const error = await failure('\naip.run.set_label("x")\nreturn 1', { host });
    expect(error).toMatchObject({
      code: 'lua.error',
      line: 2,
      message: 'Lua error:\nWriting is not allowed here\nAt line 2 \'aip.run.set_label("x")\'',
      details: { cause: { code: 'effect.denied', message: 'Writing is not allowed here' } },
    });
  });

  test('the details of a refusal survive when the script catches it and raises it again', async () => {
    const details = { rule: 'write-untrusted', trustHelps: true };
    const refusal = new EngineError({ code: 'effect.denied', message: 'No', details });
    const host: TestHost = { label: () => Promise.reject(refusal) };
    for (const code of ['aip.run.set_label("x")', 'local _, e = pcall(aip.run.set_label, "x") error(e)']) {
      expect((await failure(code, { host })).details).toEqual({
        cause: { code: 'effect.denied', message: 'No', details },
      });
    }
  });

  test("the engine's error values behave like text", async () => {
    const code = `local ok, err = pcall(aip.run.set_label)
      return { ok, tostring(err), err .. "!", "!" .. err, err:sub(1, 3), err.message, #err, type(err) }`;
    const text = 'aip.run.set_label(label) – expected <string> for parameter `label`.';
    const length = Buffer.byteLength(text);
    expect(await runLua(code)).toEqual([false, text, `${text}!`, `!${text}`, 'aip', text, length, 'userdata']);
  });

  test('an error value of the engine can be raised again', async () => {
    const error = await failure('\nlocal ok, err = pcall(aip.run.set_label)\nerror(err)');
    expect(error.message).toContain('Lua error:\naip.run.set_label(label)');
    expect(error.line).toBe(3);
  });
});
