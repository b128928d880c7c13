/**
 * Tests invalid agents, scripts and files in an engine as programs open it. Each results in an error with a location.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../index.ts';
import type { RunEndEvent } from '../../runtime/kernel/events/run-event.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';
import { type AgentWorkspace, afterAllOf, createAgentWorkspace, endOf } from './test-agent-workspace.ts';

let at: AgentWorkspace;
let engine: Engine;
beforeEach(async () => {
  at = createAgentWorkspace();
  engine = await at.open({ env: {} });
});
afterEach(() => at.close());

async function endOfAgent(text: string, inputs?: readonly string[]): Promise<RunEndEvent> {
  at.write('workspace/main.aip', text);
  return (await at.run(engine, { agent: 'main.aip', ...(inputs && { inputs }) })).end;
}

/** Returns the line of the file that contains the text, starting from 1. */
const lineOf = (text: string, part: string): number => text.split('\n').findIndex((one) => one.includes(part)) + 1;

const prose = '# Description\n\nSome words,\nmore words.\n\n';
const fine = scriptSection('Before All', 'local a = 1\nreturn nil');

describe('invalid Lua is reported with the line of the file', () => {
  test.each([
    ['an error in the second section', 'local b = 2\nlocal c = = 3 -- here', 'lua.syntax'],
    [
      'an error in a nested function',
      'local function f()\n  local function g()\n    local x = nil + 1 -- here\n  end\n  g()\nend\nf()',
      'lua.error',
    ],
  ])('%s', async (_what, code, expected) => {
    const text = `${prose}${fine}${scriptSection('After All', code)}`;
    const { status, error } = await endOfAgent(text);
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: expected, stage: 'AfterAll', line: lineOf(text, '-- here') });
    expect(error?.message).toContain(`main.aip:${lineOf(text, '-- here')}:`);
  });

  test.each([
    ['local x = = 1', 2],
    ['error("no")', 2],
  ])('in a required module: %s', async (code, line) => {
    at.write('workspace/lua/part.lua', `-- first\n${code}\n`);
    const { status, error } = await endOfAgent(`${prose}${scriptSection('After All', 'require("part")')}`);
    expect(status).toBe('failed');
    expect(error?.message).toContain(`lua/part.lua:${line}:`);
  });
});

describe('a script without limits', () => {
  test.each([
    ['endless recursion', 'local function f() return 1 + f() end f()', /stack overflow/],
    ['a text of 1 GB', 'return #string.rep("x", 1 << 30)', /memory/],
    ['an endless table', 'local t = {} while true do t[#t + 1] = string.rep("x", 1 << 16) .. #t end', /memory/],
  ])('%s fails, and the next script runs', async (_what, code, message) => {
    expect(await endOfAgent(scriptSection('After All', code))).toMatchObject({
      status: 'failed',
      error: { message: expect.stringMatching(message) },
    });
    expect(afterAllOf(await endOfAgent(scriptSection('After All', 'return "next"')))).toBe('next');
  });

  test.each([
    ['a loop', 'while true do end'],
    ['a loop that catches its own errors', 'while true do pcall(function() while true do end end) end'],
    [
      'a loop in coroutines that catch errors',
      'while true do coroutine.wrap(function() pcall(function() while true do error("x") end end) end)() end',
    ],
    [
      'a loop with an error handler that continues',
      'while true do xpcall(error, function() while true do end end) end',
    ],
    ['an endless search', 'return ("a"):rep(200000):find((".-"):rep(30) .. "b")'],
  ])('%s delays no other run, and ends when it is canceled', async (_what, code) => {
    at.write('workspace/stuck.aip', scriptSection('Before All', `print("begun") ${code}`));
    const stuck = await engine.startAgent({ agent: 'stuck.aip' });
    if ('work' in stuck) throw new Error('It waits for work.');
    await begun(stuck.runId);
    expect(afterAllOf(await endOfAgent(scriptSection('After All', 'return "beside"')))).toBe('beside');
    expect((await engine.getRun(stuck.runId)).status).toBe('running');
    const before = performance.now();
    await engine.cancelRun(stuck.runId);
    await engine.whenEnded(stuck.runId);
    // One second, and some tolerance for a machine shared with other tests.
    expect(performance.now() - before).toBeLessThan(5_000);
    expect((await endOf(engine, stuck.runId)).status).toBe('cancelled');
  });

  async function begun(runId: RunId): Promise<void> {
    const types = async (): Promise<string[]> =>
      (await engine.readEvents(runId, -1, 100)).map(({ event }) => event.type);
    await expect.poll(types, { timeout: 20_000 }).toContain('log');
  }
});

describe('files that are not text', () => {
  const bytes = Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x0a]);

  test('rejects an agent before a run is created', async () => {
    at.write('workspace/bad.aip', bytes);
    await expect(engine.startAgent({ agent: 'bad.aip' })).rejects.toMatchObject({
      code: 'files.not-text',
      message: expect.stringContaining('bad.aip'),
    });
    expect(await engine.listRuns({ limit: 10 })).toEqual([]);
  });

  test('an input can be listed, and reading it is an error of its item', async () => {
    at.write('workspace/in/bad.md', bytes);
    at.write('workspace/read.aip', scriptSection('Data', 'return aip.file.load(input.path).content'));
    const { end } = await at.run(engine, { agent: 'read.aip', files: ['in/*.md'] });
    expect(end).toMatchObject({ status: 'failed', error: { stage: 'Data' } });
    expect(end.error?.message).toContain('in/bad.md is not UTF-8 text');
  });

  test('a module is named in the error', async () => {
    at.write('workspace/lua/part.lua', bytes);
    expect((await endOfAgent(scriptSection('After All', 'require("part")'))).error?.message).toContain('lua/part.lua');
  });
});

describe('missing settings', () => {
  test('a model: the item explains where to set one', async () => {
    const { status, error } = await endOfAgent('# User\nHello\n', ['x']);
    expect(status).toBe('failed');
    expect(error).toMatchObject({ stage: 'Ai', message: expect.stringMatching(/model/i) });
  });

  test('a key: the error names its variable and contains no other', async () => {
    const { status, error } = await endOfAgent('# Options\n```toml\nmodel = "openai::gpt-x"\n```\n# User\nHello\n', [
      'x',
    ]);
    expect(status).toBe('failed');
    expect(error?.message).toContain('OPENAI_API_KEY');
  });

  test('a limit for agents that call each other endlessly: the limit is named', async () => {
    at.write('workspace/b.aip', scriptSection('Before All', 'return aip.agent.run("main.aip")'));
    const { status, error } = await endOfAgent(scriptSection('Before All', 'return aip.agent.run("b.aip")'));
    expect(status).toBe('failed');
    expect(error?.message).toContain('agent calls are nested 16 deep');
  });
});
