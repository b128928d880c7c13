import { describe, expect, test } from 'vitest';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createLuaScripts } from '../../testing/lua-scripts.ts';
import { type AgentRunOptions, runAgentText, scriptSection } from '../../testing/run-agent-file.ts';

const redoRefused = 'aip.flow.redo_run() can be returned only from # Before All or # After All stages.';
const prompt = '# User\nAnswer {{input}}\n';

/** Runs scripts in real Lua (by heading), with an optional prompt. */
async function runLuaAgent(
  scripts: Readonly<Record<string, string>>,
  { prompts = '', ...options }: AgentRunOptions & { prompts?: string } = {},
) {
  const { capabilities, asked } = createFakeCapabilities();
  const sections = Object.entries(scripts).map(([heading, code]) => scriptSection(heading, code));
  const text = [...sections, prompts].join('\n');
  const run = await runAgentText(text, { scripts: createLuaScripts(), capabilities, ...options });
  const stages = run.events.flatMap(({ event }) => (event.type === 'stage:start' ? [event.stage] : []));
  const printed = run.events.flatMap(({ event }) =>
    event.type === 'log' && event.level === 'print' ? [event.text] : [],
  );
  return { ...run, asked, stages, printed };
}

describe('skip', () => {
  test('seed 000: returned from Before All, it skips the whole run; Data and Ai are never entered', async () => {
    const { result, stages, asked } = await runLuaAgent(
      { 'Before All': 'return aip.flow.skip("nothing to do")', Data: 'return 1', 'After All': 'return 1' },
      { prompts: prompt, inputs: ['a'] },
    );
    expect(result).toMatchObject({ status: 'skipped', skipReason: 'nothing to do', outputs: null, afterAll: null });
    expect(stages).toEqual(['BeforeAll']);
    expect(asked).toEqual([]);
  });

  test('seed 000: returned from Data, it skips only that input, without its Ai and Output', async () => {
    const { result, asked, state } = await runLuaAgent(
      {
        Data: 'if input == "a" then return aip.flow.skip("no a") end',
        Output: 'return "output of " .. input',
      },
      { prompts: prompt, inputs: ['a', 'b'] },
    );
    expect(result).toMatchObject({ status: 'completed', outputs: [null, 'output of b'] });
    expect(asked).toHaveLength(1);
    expect(state.nodes.get('input:0')).toMatchObject({ status: 'skipped', skip: { text: 'no a' }, stage: 'Data' });
  });

  test('seed 000: returned from Output, the output is recorded as a skip', async () => {
    const { result, state } = await runLuaAgent(
      { Output: 'if input == "a" then return aip.flow.skip("too late") end return input' },
      { prompts: prompt, inputs: ['a', 'b'] },
    );
    expect(result).toMatchObject({ status: 'completed', outputs: [null, 'b'] });
    expect(state.nodes.get('input:0')).toMatchObject({ status: 'skipped', skip: { text: 'too late' } });
  });

  test('seed 000: a reason is optional', async () => {
    const { result } = await runLuaAgent({ 'Before All': 'return aip.flow.skip()' });
    expect(result).toMatchObject({ status: 'skipped', skipReason: '' });
  });

  test('seed 000: a directive ends its stage immediately', async () => {
    const { printed } = await runLuaAgent({
      Data: 'print("before")\ndo return aip.flow.skip() end\nprint("after")',
    });
    expect(printed).toEqual(['before']);
  });
});

describe('redo', () => {
  test('seed 000: returned from Before All, the run requests a redo; Data and Ai are never entered', async () => {
    const { result, end, stages } = await runLuaAgent(
      { 'Before All': 'return aip.flow.redo_run()', Data: 'return 1', 'After All': 'return 1' },
      { inputs: ['a'] },
    );
    expect(result).toMatchObject({ status: 'completed', redoRequested: true, outputs: null });
    expect(end.redoRequested).toBe(true);
    expect(stages).toEqual(['BeforeAll']);
  });

  test('seed 000: returned from After All, the run requests a redo after its inputs have ended', async () => {
    const { result, end } = await runLuaAgent(
      { Data: 'return 1', Output: 'return input', 'After All': 'return aip.flow.redo_run()' },
      { inputs: ['a', 'b'] },
    );
    expect(result).toMatchObject({ status: 'completed', redoRequested: true, outputs: ['a', 'b'] });
    expect(end.redoRequested).toBe(true);
  });

  test.each(['Data', 'Output'] as const)(
    'seed 000: returned from %s, that stage fails with the explicit error',
    async (stage) => {
      const { result, end, state } = await runLuaAgent({ [stage]: 'return aip.flow.redo_run()' });
      const error = { code: 'agent.redo-refused', message: redoRefused, stage };
      expect(result).toMatchObject({ status: 'failed', error, redoRequested: false });
      expect(end).not.toHaveProperty('redoRequested');
      expect(state.nodes.get('input:0')).toMatchObject({ status: 'failed', error });
    },
  );

  test('AP-6 a redo from Data fails the run with the fixed message, and the error contains the stage', async () => {
    const { end, stages } = await runLuaAgent({ Data: 'return aip.flow.redo_run()', 'After All': 'return 1' });
    expect(end).toMatchObject({ status: 'failed', error: { message: redoRefused, stage: 'Data' } });
    expect(stages).toEqual(['Data']);
  });

  test('X-05 in a child run the error is the same, so that the caller receives that message', async () => {
    const parentRunId = 'run-0' as NonNullable<AgentRunOptions['parentRunId']>;
    const { end } = await runLuaAgent({ Data: 'return aip.flow.redo_run()' }, { parentRunId });
    expect(end).toMatchObject({ status: 'failed', error: { message: redoRefused, stage: 'Data' } });
  });

  test('seed 000: only the wrapping table matters, however it was created', async () => {
    const { result } = await runLuaAgent({ 'After All': 'return { _aipack_ = { kind = "Redo" } }' });
    expect(result).toMatchObject({ redoRequested: true, afterAll: { _aipack_: { kind: 'Redo' } } });
  });
});

describe('the redo count', () => {
  const count = 'return CTX.RUN_FLOW_REDO_COUNT == nil and "absent" or math.type(CTX.RUN_FLOW_REDO_COUNT)';
  const everywhere = {
    'Before All': `print((function() ${count} end)())`,
    Data: `print((function() ${count} end)())`,
    Output: `print((function() ${count} end)())`,
    'After All': `print((function() ${count} end)())`,
  };

  test('seed 000: it is absent in every stage of a first run', async () => {
    expect((await runLuaAgent(everywhere)).printed).toEqual(['absent', 'absent', 'absent', 'absent']);
  });

  test('seed 000: it is present in every stage of a rerun, as an integer', async () => {
    expect((await runLuaAgent(everywhere, { redoCount: 2 })).printed).toEqual(Array(4).fill('integer'));
  });

  test('AP-32 seed 000: scripts can read it under both names', async () => {
    const code = 'return { CTX.RUN_FLOW_REDO_COUNT, CTX.REDO_COUNT }';
    expect((await runLuaAgent({ 'After All': code }, { redoCount: 3 })).result.afterAll).toEqual([3, 3]);
  });
});

describe('responses', () => {
  test('seed 000: before_all_response overrides inputs and options for the run', async () => {
    const { result, asked } = await runLuaAgent(
      {
        'Before All':
          'return aip.flow.before_all_response({ inputs = { "x", "y" }, options = { model = "fake::other" } })',
      },
      { prompts: prompt, inputs: ['a'] },
    );
    expect(result.outputs).toEqual(['Answer x\n', 'Answer y\n']);
    expect(asked.map(({ model }) => model)).toEqual(['fake::other', 'fake::other']);
  });

  test('seed 000: data_response overrides input and options for a single task', async () => {
    const { result, asked } = await runLuaAgent(
      {
        Data: 'if input == "b" then return aip.flow.data_response({ input = "B", options = { model = "fake::other" } }) end',
      },
      { prompts: prompt, inputs: ['a', 'b', 'c'] },
    );
    expect(result.outputs).toEqual(['Answer a\n', 'Answer B\n', 'Answer c\n']);
    expect(asked.map(({ model }) => model)).toEqual(['fake::default', 'fake::other', 'fake::default']);
  });
});
