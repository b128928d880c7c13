import { describe, expect, test } from 'vitest';
import { runLua, type TestHost } from '../../../testing/run-lua.ts';

const silent = { outputs: null, afterAll: null, redoRequested: false };

/** Returns the host request that a call of `aip.agent.run` makes. */
async function askedBy(args: string): Promise<unknown> {
  let asked: unknown;
  const host: TestHost = {
    'agent.run': (params) => {
      asked = params;
      return Promise.resolve(silent);
    },
  };
  await runLua(`aip.agent.run(${args})`, { host });
  return asked;
}

describe('aip.agent.run', () => {
  test.each([
    ['"a"', { name: 'a', inputs: null }],
    ['"a", nil', { name: 'a', inputs: null }],
    ['"a", {}', { name: 'a', inputs: null }],
    ['"a", { inputs = {} }', { name: 'a', inputs: null }],
    ['"a", { input = 1 }', { name: 'a', inputs: [1] }],
    ['"a", { input = 0, inputs = { 1, { x = {} } } }', { name: 'a', inputs: [0, 1, { x: [] }] }],
    ['"a", { options = { model = "m" } }', { name: 'a', inputs: null, options: { model: 'm' } }],
    ['"a", { agent_base_dir = "sub" }', { name: 'a', inputs: null, agentBaseDir: 'sub' }],
  ])('%s runs the agent', async (args, asked) => {
    expect(await askedBy(args)).toEqual(asked);
  });

  test('returns outputs, after_all and whether a redo was requested', async () => {
    const host: TestHost = {
      'agent.run': () => Promise.resolve({ outputs: ['a', null], afterAll: { n: 1 }, redoRequested: true }),
    };
    expect(await runLua('return aip.agent.run("a")', { host })).toEqual({
      outputs: ['a', null],
      after_all: { n: 1 },
      redo_requested: true,
    });
  });

  test('returns nil for absent results', async () => {
    const host: TestHost = { 'agent.run': () => Promise.resolve(silent) };
    const code = 'local r = aip.agent.run("a") return { r.outputs == nil, r.after_all == nil, r.redo_requested }';
    expect(await runLua(code, { host })).toEqual([true, true, false]);
  });

  test.each([
    ['"a", { inputs = "one" }', "The 'inputs' field must be a Lua array"],
    ['"a", { inputs = { x = 1 } }', "The 'inputs' field must be a Lua array"],
    ['"a", "b"', 'aip.agent.run - the second argument must be a table, but was string'],
    ['"a", { options = 3 }', "aip.agent.run - the 'options' field must be a table, but was integer"],
    ['nil', 'bad argument #1'],
  ])('rejects %s', async (args, message) => {
    await expect(askedBy(args)).rejects.toThrow(message);
  });
});

describe('aip.agent.extract_options', () => {
  test('copies only the options of agents', async () => {
    const code = `return aip.agent.extract_options({ model = "m", temperature = 0.5, top_p = 1, input_concurrency = 2,
      allow_run_on_task_fail = false, model_aliases = { fast = "f" }, other = print })`;
    expect(await runLua(code)).toEqual({
      model: 'm',
      temperature: 0.5,
      top_p: 1,
      input_concurrency: 2,
      allow_run_on_task_fail: false,
      model_aliases: { fast: 'f' },
    });
  });

  test.each(['nil', 'null', '"text"'])('returns nil for %s', async (value) => {
    expect(await runLua(`return aip.agent.extract_options(${value}) == nil`)).toBe(true);
  });
});
