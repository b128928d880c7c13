/** Tests prompts with tools. */
import { describe, expect, test } from 'vitest';
import { calls, eventsOf, external, says, type Trial, tool, toolsIn, trialOf } from '../../testing/tool-prompts.ts';
import type { ToolDescription } from '../kernel/capabilities/tool-capability.ts';

describe('a model with tools', () => {
  test('receives tools, calls one, receives its result and responds; usage and cost are the totals of all responses', async () => {
    const usage = { promptTokens: 2, completionTokens: 1 };
    const { run, asked } = trialOf({
      files: { 'a.txt': 'What it says' },
      config: { tools: ['core.file_read'] },
      replies: [
        {
          ...calls(['core__file_read', { path: 'a.txt' }]),
          text: 'Let me see.',
          usage,
          costUsd: 0.5,
          providerState: 's',
        },
        says('It says so.', { usage, costUsd: 0.25 }),
      ],
    });
    const { events, state } = await run();
    expect(state.nodes.get('ask')?.output).toEqual({
      text: 'It says so.',
      model: 'fake::default',
      usage: { promptTokens: 4, completionTokens: 2 },
      costUsd: 0.75,
    });
    expect(asked[0]?.tools).toEqual([
      expect.objectContaining({ name: 'core__file_read', inputSchema: expect.anything() }),
    ]);
    expect(asked[1]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'Let me see.',
        toolCalls: [{ id: 'c0', name: 'core__file_read', input: { path: 'a.txt' } }],
        providerState: 's',
      },
      { role: 'tool', toolCallId: 'c0', toolName: 'core__file_read', content: expect.stringContaining('What it says') },
    ]);
    const [answer] = eventsOf(events, 'model:response');
    expect(eventsOf(events, 'model:request').map(({ messages }) => messages)).toEqual([
      [{ role: 'user', content: 'Do it' }],
      undefined,
    ]);
    const told = events.map(({ event }) => event.type).filter((type) => /tool|^model:|^agent:text/.test(type));
    expect(told).toEqual([
      ...['model:request', 'agent:text', 'model:response', 'agent:tool:start', 'tool:attempt', 'tool:result'],
      ...['agent:tool:complete', 'model:request', 'agent:text', 'model:response'],
    ]);
    expect(eventsOf(events, 'tool:result')).toMatchObject([
      { callKey: `${answer?.callKey}/0`, tool: 'core.file_read' },
    ]);
    expect(eventsOf(events, 'agent:tool:start')).toMatchObject([
      { toolName: 'core.file_read', input: { path: 'a.txt' } },
    ]);
  });

  test('runs calls of one response in parallel if all are idempotent, otherwise in sequence', async () => {
    const trace: string[] = [];
    const slow = (name: string) => async () => {
      trace.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      trace.push(`${name} ends`);
      return name;
    };
    const both = (more: Partial<ToolDescription>) =>
      trialOf({
        tools: [tool('a', slow('a')), tool('b', slow('b'), more)],
        replies: [calls(['a'], ['b']), says('Done')],
      });
    const safe = both({});
    await safe.run();
    expect(trace.splice(0)).toEqual(['a begins', 'b begins', 'a ends', 'b ends']);
    expect(toolsIn(safe.asked[1])).toEqual([
      ['a', 'a', false],
      ['b', 'b', false],
    ]);
    await both(external).run();
    expect(trace).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  test('reports arguments that do not match the schema to the model, which can correct them', async () => {
    const inputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    const { run, asked } = trialOf({
      tools: [tool('look', async ({ id }) => ({ found: id ?? null }), { inputSchema })],
      replies: [
        calls(['look', { id: 'one' }], ['look', '{"id": '], ['look', [1]], ['other', {}]),
        calls(['look', { id: 1 }]),
        says('Found'),
      ],
    });
    const { events, state } = await run();
    expect(state.nodes.get('ask')?.output).toMatchObject({ text: 'Found' });
    expect(toolsIn(asked[1])).toEqual([
      ['look', expect.stringMatching(/id: expected a whole number/), true],
      [
        'look',
        expect.stringMatching(/^The arguments of look must be a JSON object.* they are not valid JSON: \{"id":/),
        true,
      ],
      ['look', expect.stringContaining('they are another kind of JSON value: [1]'), true],
      ['other', 'The tool "other" does not exist. You can call these tools: look.', true],
    ]);
    expect(toolsIn(asked[2]).at(-1)).toEqual(['look', '{"found":1}', false]);
    expect(eventsOf(events, 'agent:tool:complete').map(({ isError }) => isError)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(eventsOf(events, 'tool:attempt')).toHaveLength(1);
  });

  test('a model that never stops calling is stopped before its last call, which the error names', async () => {
    let count = 0;
    const { run, asked } = trialOf({
      tools: [tool('more', async () => ++count)],
      replies: [calls(['more', { again: true }])],
      config: { maxSteps: 3 },
    });
    const { state } = await run();
    expect(state.nodes.get('ask')?.error).toMatchObject({
      code: 'model.too-many-steps',
      message: expect.stringMatching(
        /after 3 responses, most recently more; the last request was not carried out\. Raise maxSteps/,
      ),
      details: { maxSteps: 3, lastCalls: [{ tool: 'more', input: { again: true } }] },
    });
    expect([count, asked.length]).toEqual([2, 3]);
    const usual = trialOf({ tools: [tool('more', async () => 1)], replies: [calls(['more'])] });
    await usual.run();
    expect(usual.asked).toHaveLength(8);
  });

  test('passes only the start of a long result, even of 50 MB, to the model', async () => {
    const { run, asked } = trialOf({
      tools: [tool('dump', async ({ bytes }) => 'x'.repeat(Number(bytes)))],
      replies: [calls(['dump', { bytes: 50 * 1024 * 1024 }]), says('Much')],
    });
    const { state } = await run();
    expect(state.nodes.get('ask')?.output).toMatchObject({ text: 'Much' });
    const [[, long = ''] = []] = toolsIn(asked[1]);
    expect(long.length).toBeLessThan(101_000);
    expect(long.slice(-110)).toMatch(
      /x … \(cut here, 52,\d+,\d+ more characters\)\n\[To see the rest, request a part of it\.\]$/,
    );
  });

  test('makes at most 64 calls of one response and reports the rest to the model', async () => {
    let count = 0;
    const { run, asked } = trialOf({
      tools: [tool('one', async () => ++count)],
      replies: [calls(...Array.from({ length: 70 }, (): [string] => ['one'])), says('Done')],
    });
    await run();
    expect(count).toBe(64);
    expect(toolsIn(asked[1]).at(-1)).toEqual(['one', expect.stringContaining('Only the first 64 calls'), true]);
  });

  test('returns values too, and counts responses across both attempts', async () => {
    const output = { schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } };
    const tools = [tool('look', async () => 7)];
    const { run, asked } = trialOf({
      tools,
      config: { output },
      replies: [calls(['look']), says('seven'), calls(['look']), says('{"n":7}')],
    });
    const { state } = await run();
    expect(state.nodes.get('ask')?.output).toMatchObject({ value: { n: 7 } });
    expect(asked.map(({ tools: given = [] }) => given.length)).toEqual([1, 1, 1, 1]);
    expect(asked[3]?.messages.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'tool'],
    ]);
    const short = trialOf({
      tools,
      config: { output, maxSteps: 3 },
      replies: [calls(['look']), says('x'), calls(['look'])],
    });
    expect((await short.run()).state.nodes.get('ask')?.error).toMatchObject({ code: 'model.too-many-steps' });
  });

  test('reports an unknown tool, too many tools and invalid tool names before the model is called', async () => {
    const errorOf = async (trial: Trial) => {
      const { run, asked } = trialOf(trial);
      const { state } = await run();
      expect(asked).toEqual([]);
      return state.nodes.get('ask')?.error;
    };
    const replies = [says('')];
    expect(await errorOf({ replies, config: { tools: ['core.file_raed'] } })).toMatchObject({
      code: 'tool.unknown',
      message: expect.stringContaining('core.file_read'),
    });
    const many = Array.from({ length: 10_000 }, (_, index) => tool(`srv.t${index}`, async () => 1));
    expect(await errorOf({ tools: many, replies, config: { tools: ['srv.*'] } })).toMatchObject({
      code: 'model.too-many-tools',
      message: expect.stringContaining('10,000 tools'),
    });
    expect(await errorOf({ tools: [tool('x'.repeat(65), async () => 1)], replies })).toMatchObject({
      code: 'tool.bad-name',
    });
  });

  test('rejects invalid tool names and step limits before the run', async () => {
    for (const config of [{ tools: ['a b'] }, { tools: 'core.*' }, { maxSteps: 0 }]) {
      const { run } = trialOf({ replies: [says('')], config });
      expect((await run()).state.nodes.get('ask')?.error).toMatchObject({ code: 'node.bad-config' });
    }
  });
});
