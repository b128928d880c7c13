/** Tests the assistant with real files and a local model server. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asSessionId } from '../../base/ids.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createCountingIds } from '../../testing/counting-ids.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createFastClock } from '../../testing/fast-clock.ts';
import { assist } from './assist.ts';
import type { AssistantProgress } from './assistant.ts';
import {
  type AssistantDesk,
  callOf,
  changedFlow,
  openAssistantDesk,
  openFlow,
  proposalOf,
} from './test-assistant-desk.ts';

const invalid = openFlow.replace('type: echo', 'type: nonsense');

let desk: AssistantDesk;

beforeEach(async () => {
  desk = await openAssistantDesk();
});

afterEach(() => desk.close());

describe('a request', () => {
  test('13.7 ends with a pending proposal, and leaves the file as it is', async () => {
    desk.server.plan(proposalOf(changedFlow), { pieces: ['`greet` now ', 'says good day.'] });
    const told: AssistantProgress[] = [];
    desk.engine.watchAssistance((progress) => told.push(progress));
    const { proposal, ...answer } = await desk.ask();
    expect(answer).toEqual({ text: '`greet` now says good day.', tokens: 36 });
    expect(proposal).toMatchObject({
      file: 'hello.flow.yaml',
      title: 'Greet formally',
      by: 'Ask Millrace',
      status: 'pending',
    });
    expect(await desk.engine.readProposal(proposal?.id ?? '')).toMatchObject({ base: openFlow, text: changedFlow });
    expect(readFileSync(desk.world.at('workspace/hello.flow.yaml'), 'utf8')).toBe(openFlow);
    expect(told.map(({ type }) => type)).toEqual(['spent', 'tool', 'text', 'spent']);
    expect(told.every(({ id }) => id === 'r1')).toBe(true);
  });

  test('changes single fields and keeps all other bytes', async () => {
    const changes = [{ do: 'set-node', id: 'greet', path: ['input', 'text'], value: 'good day' }];
    desk.server.plan(callOf('propose_changes', { title: 'Greet formally', changes }), { pieces: ['Done.'] });
    const { proposal } = await desk.ask();
    expect((await desk.engine.readProposal(proposal?.id ?? '')).text).toBe(changedFlow);
  });

  test('is about the text that the person sees, saved or not', async () => {
    const text = `${openFlow}# not saved\n`;
    desk.server.plan(proposalOf(`${changedFlow}# not saved\n`), { pieces: ['Done.'] });
    const { proposal } = await desk.ask({ text });
    expect(await desk.engine.readProposal(proposal?.id ?? '')).toMatchObject({ base: text });
    expect(desk.sent(0)).toContain('# not saved');
  });

  test('repairs a proposal with problems, which the model receives', async () => {
    desk.server.plan(proposalOf(invalid), proposalOf('flow: {'), proposalOf(changedFlow), { pieces: ['Done.'] });
    const { proposal, problem } = await desk.ask();
    expect([proposal?.status, problem]).toEqual(['pending', undefined]);
    expect(desk.sent(1)).toContain('node.unknown-type');
    expect(await desk.proposals()).toHaveLength(1);
  });

  test('ends after 3 repairs, with a sentence and without a proposal', async () => {
    desk.server.plan(proposalOf(invalid));
    const { problem, proposal, tokens } = await desk.ask();
    expect(problem).toMatchObject({
      code: 'assistant.no-valid-proposal',
      message: expect.stringContaining('Nothing was changed'),
    });
    expect([proposal, tokens, desk.server.received.length]).toEqual([undefined, 72, 4]);
    expect(await desk.proposals()).toEqual([]);
  });

  test('may correct a flow that has other problems', async () => {
    const text = openFlow.replace('edges: []', 'edges: [{ from: greet, to: gone }]');
    desk.server.plan(proposalOf(text.replace('hello', 'good day')), { pieces: ['Done.'] });
    expect((await desk.ask({ text })).proposal?.status).toBe('pending');
  });

  test('reads flows of the workspace, and no other files', async () => {
    desk.world.write('workspace/other.flow.yaml', openFlow.replace('Hello', 'Other flow'));
    desk.server.plan(
      callOf('read_flow', { path: 'other.flow.yaml' }),
      callOf('read_flow', { path: '.env' }),
      callOf('read_flow', { path: '../base/config-user.toml' }),
      callOf('list_node_types', { type: 'file.read' }),
      callOf('check_flow', { text: invalid }),
      { pieces: ['Nothing to change.'] },
    );
    expect(await desk.ask()).toMatchObject({ text: 'Nothing to change.' });
    expect(desk.sent(1)).toContain('Other flow');
    expect(desk.sent(5)).not.toMatch(/a-secret-that-nobody-may-see|a-key-for-tests|base_url/);
    expect(desk.sent(3)).toContain('is not a flow of this workspace');
    expect(desk.sent(5)).toContain('node.unknown-type');
    expect(await desk.proposals()).toEqual([]);
  });

  test('offers exactly four tools', async () => {
    await desk.ask();
    const tools = desk.server.received[0]?.body['tools'] as readonly { readonly function: { readonly name: string } }[];
    expect(tools.map((tool) => tool.function.name)).toEqual([
      'read_flow',
      'list_node_types',
      'check_flow',
      'propose_changes',
    ]);
  });
});

describe('a budget', () => {
  test('stops a request before the next response, with the cost so far', async () => {
    desk.server.plan(callOf('read_flow', {}));
    const { problem, tokens } = await desk.ask({ budget: { tokens: 30 } });
    expect(problem).toMatchObject({ code: 'budget.exceeded', message: expect.stringContaining('the limit is 30') });
    expect([tokens, desk.server.received.length]).toEqual([36, 2]);
  });

  test('in dollars is refused for a model without a known price', async () => {
    await expect(desk.ask({ budget: { tokens: 1000, usd: 1 } })).rejects.toMatchObject({ code: 'assistant.no-price' });
    expect(desk.server.received).toEqual([]);
  });

  test('in seconds ends a request that takes longer', async () => {
    desk.server.plan('silence');
    const { problem, proposal } = await desk.ask({ budget: { seconds: 2 } });
    expect(problem).toEqual({
      code: 'budget.exceeded',
      message: 'The request took longer than 2 seconds (the budget of this request).',
    });
    expect(proposal).toBeUndefined();
  });

  test('does not lose a proposal that was paid for', async () => {
    desk.server.plan(proposalOf(changedFlow), callOf('read_flow', {}));
    const { problem, proposal } = await desk.ask({ budget: { tokens: 30 } });
    expect([problem?.code, proposal?.status]).toEqual(['budget.exceeded', 'pending']);
  });
});

test('a budget in dollars ends a request with a sentence that names the cost and the limit', async () => {
  const reply = () => ({
    ...{ text: '', finishReason: 'tool_calls', usage: { promptTokens: 10, completionTokens: 5 }, costUsd: 0.125 },
    toolCalls: [{ id: 'c1', name: 'read_flow', input: {} }],
  });
  const { capabilities, asked } = createFakeCapabilities({ reply });
  const told: AssistantProgress[] = [];
  const { tokens, costUsd, problem } = await assist(
    {
      ...{ id: 'r1', file: 'hello.flow.yaml', text: openFlow, message: 'Greet', model: 'scripted::priced' },
      budget: { usd: 0.25 },
    },
    {
      ...{ capabilities, policies: () => [], clock: createFastClock(20), ids: createCountingIds() },
      ...{ sessionId: asSessionId('s1'), registry: createNodeRegistry(builtinNodes) },
      engine: { ...desk.engine, checkModels: async () => [] },
      options: { assistantFolder: path.resolve(import.meta.dirname, '../../../resources/assistant') },
      // Responses of scripts always have a known price.
      models: { workspace: desk.world.at('workspace'), resolveModel: capabilities.model.resolve } as never,
    },
    { signal: new AbortController().signal, tell: (progress) => told.push(progress) },
  );
  expect([tokens, costUsd, asked.length]).toEqual([30, 0.25, 2]);
  expect(problem).toMatchObject({
    code: 'budget.exceeded',
    message: expect.stringContaining('The request has cost 0.25 US dollars, but the limit is 0.25'),
  });
  expect(told.filter(({ type }) => type === 'spent')).toEqual([
    { id: 'r1', type: 'spent', tokens: 15, costUsd: 0.125 },
    { id: 'r1', type: 'spent', tokens: 30, costUsd: 0.25 },
  ]);
});

test('a canceled request stores nothing', async () => {
  desk.server.plan(proposalOf(changedFlow), 'silence');
  const control = new AbortController();
  const asked = desk.ask({}, control.signal);
  await desk.server.whenReceived(2);
  control.abort(new Error('canceled'));
  await expect(asked).rejects.toThrow();
  expect(await desk.proposals()).toEqual([]);
});

describe('what is sent', () => {
  test('is exactly what the preview shows', async () => {
    const { model, isPriced, instructions, data } = await desk.engine.previewAssistance({
      file: 'hello.flow.yaml',
      text: openFlow,
      selection: ['greet'],
    });
    expect([model, isPriced, desk.server.received.length]).toEqual(['p::tiny', false, 0]);
    await desk.ask({
      selection: ['greet'],
      earlier: [
        { by: 'person', text: 'Hi' },
        { by: 'assistant', text: 'Yes?' },
      ],
    });
    expect(desk.server.received[0]?.body['messages']).toEqual([
      { role: 'system', content: instructions },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: `${data}\n\nThe person's request:\nGreet formally` },
    ]);
  });

  test('is what the person has seen, or else nothing', async () => {
    const { data } = await desk.engine.previewAssistance({ file: 'hello.flow.yaml', text: openFlow });
    desk.world.write('workspace/other.flow.yaml', openFlow);
    expect(await desk.ask({ seen: data })).toMatchObject({
      text: '',
      problem: { code: 'assistant.changed' },
      tokens: 0,
    });
    expect(desk.server.received).toEqual([]);
    const now = await desk.engine.previewAssistance({ file: 'hello.flow.yaml', text: openFlow });
    expect((await desk.ask({ seen: now.data })).problem).toBeUndefined();
    expect(desk.server.received).toHaveLength(1);
  });

  test('contains the last failure, bounded and masked', async () => {
    const text = `flow: { name: Fails, input: { password: hunter2hunter2, note: "${'long '.repeat(2000)}" } }
nodes:
  - { id: bad, type: json.parse, input: { text: "{{flow.input.note}} mail kim@example.com" } }
edges: []
`;
    desk.world.write('workspace/fails.flow.yaml', text);
    const { runId } = await desk.engine.startRun({ path: 'fails.flow.yaml', text, inputs: {} });
    await desk.engine.whenEnded(runId);
    const { data } = await desk.engine.previewAssistance({ file: 'fails.flow.yaml', text: openFlow, runId });
    const failure = data.slice(data.indexOf('last failure'), data.indexOf('<data name="workspace"'));
    expect(failure).toContain('"node": "bad"');
    expect(failure).not.toMatch(/kim@example\.com|hunter2/);
    expect(failure.length).toBeLessThan(6000);
  });

  test('contains failures that the run continued after, the selected node first', async () => {
    const fails = (id: string): string =>
      `  - { id: ${id}, type: json.parse, input: { text: "no" }, policy: { continueOnError: true } }\n`;
    const text = `flow: { name: Goes on }\nnodes:\n${fails('one')}${fails('two')}edges: []\n`;
    desk.world.write('workspace/goes-on.flow.yaml', text);
    const { runId } = await desk.engine.startRun({ path: 'goes-on.flow.yaml', text, inputs: {} });
    await desk.engine.whenEnded(runId);
    const failed = async (selection: readonly string[]): Promise<readonly string[]> => {
      const subject = { file: 'goes-on.flow.yaml', text, runId, selection };
      const { data } = await desk.engine.previewAssistance(subject);
      return [...data.matchAll(/"node": "(\w+)"/g)].map(([, id]) => id ?? '');
    };
    expect(await failed(['two'])).toEqual(['two', 'one']);
    expect(await failed([])).toEqual(['one', 'two']);
  });

  test('names why there is no model', async () => {
    const { model, problem } = await desk.engine.previewAssistance({
      file: 'hello.flow.yaml',
      text: openFlow,
      model: 'gone::x',
    });
    expect([model, problem?.code]).toEqual([null, 'model.unknown-provider']);
    expect(await desk.ask({ model: 'gone::x' })).toMatchObject({
      text: '',
      problem: { code: 'model.unknown-provider' },
    });
  });

  test.each([
    [{ file: '../outside.flow.yaml' }, 'files.outside'],
    [{ file: '.env' }, 'assistant.bad-request'],
    [{ message: ' ' }, 'assistant.bad-request'],
    [{ message: 'x'.repeat(20_001) }, 'assistant.bad-request'],
  ])('is refused for %j', async (more, code) => {
    await expect(desk.ask(more)).rejects.toMatchObject({ code });
  });
});
