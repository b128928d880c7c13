import { describe, expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { type AgentRunOptions, runAgentText, startAgentText } from '../../testing/run-agent-file.ts';
import { runPrompt } from '../../testing/run-prompt.ts';
import { traceOf } from '../../testing/test-run.ts';
import type { ModelCapability } from '../kernel/models/model-capability.ts';

const dataResponse = (data: JsonMap): JsonValue => ({ _aipack_: { kind: 'DataResponse', data } });

describe('calling the model', () => {
  test('the start of an input is in the history before its model is called', async () => {
    let known: readonly string[] = [];
    const reply = () => {
      known = run.events.map(({ event }) => event.type);
      return { text: 'Hello', finishReason: 'stop' };
    };
    const { capabilities } = createFakeCapabilities({ reply });
    // With this clock, no batch of events is recorded because of its age.
    const run = startAgentText('# User\nHi\n', { inputs: ['Ada'], capabilities, clock: createManualClock() });
    await run.done;
    expect(known).toContain('task:start');
  });

  test('the response is the output if no script creates one', async () => {
    const { result, asked } = await runPrompt('# System\nBe brief.\n# User\nGreet {{input}}.\n', {
      inputs: ['Ada'],
      world: { reply: () => ({ text: 'Hello Ada', finishReason: 'stop' }) },
    });
    expect(result.outputs).toEqual(['Hello Ada']);
    expect(asked).toEqual([
      {
        model: 'fake::default',
        messages: [
          { role: 'system', content: 'Be brief.\n' },
          { role: 'user', content: 'Greet Ada.\n' },
        ],
      },
    ]);
  });

  test('an empty response is null', async () => {
    const { result } = await runPrompt('# User\nHi\n', {
      world: { reply: () => ({ text: '', finishReason: 'stop' }) },
    });
    expect(result.outputs).toEqual([null]);
  });

  test('prompts can use input, data and the result of Before All', async () => {
    const { asked } = await runPrompt('# User\n{{input}} {{data.d}} {{before_all.b}} {{options.model}}|\n', {
      inputs: ['i'],
      bodies: { 'Before All': () => ({ b: 'B' }), Data: () => ({ d: 'D' }) },
    });
    expect(asked[0]?.messages[0]?.content).toBe('i D B |\n');
  });

  test('emits request, text, thinking and response within the task', async () => {
    const usage = { promptTokens: 3, completionTokens: 2 };
    const reply = { text: 'Yes, I do', finishReason: 'stop', usage, costUsd: 0.5, reasoning: 'Hm' };
    const { events, result, end } = await runPrompt('# User\nHi\n', { world: { reply: () => reply } });
    const told = events.filter(({ event }) => /^(?:model|agent):/.test(event.type));
    expect(told.map(({ event }) => event)).toEqual([
      {
        type: 'model:request',
        provider: 'fake',
        model: 'default',
        messagesHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        messages: [{ role: 'user', content: 'Hi\n' }],
        callKey: expect.stringMatching(/^model:[0-9a-f]{64}:0$/),
      },
      { type: 'agent:text', content: 'Yes, I do' },
      { type: 'agent:thinking', content: 'Hm' },
      {
        ...{ type: 'model:response', usage, costUsd: 0.5, durationMs: expect.any(Number), finishReason: 'stop' },
        ...{ text: 'Yes, I do', reasoning: 'Hm', callKey: expect.stringMatching(/^model:[0-9a-f]{64}:0$/) },
      },
    ]);
    expect(told.map(({ context }) => [context.task?.id, context.agent?.name])).toEqual(
      told.map(() => ['input:0', 'agents/test.aip']),
    );
    expect(result).toMatchObject({ usage, costUsd: 0.5 });
    expect(end).toMatchObject({ usage, costUsd: 0.5 });
  });

  test('emits thinking as it streams, if the provider supports it, and only once', async () => {
    const { capabilities } = createFakeCapabilities();
    const ask: ModelCapability['ask'] = async (_request, { onText, onReasoning }) => {
      for (const piece of ['Let me ', 'see']) onReasoning?.(piece);
      onText('Yes');
      return { text: 'Yes', reasoning: 'Let me see', finishReason: 'stop' };
    };
    const { events } = await runAgentText('# User\nHi\n', {
      capabilities: { ...capabilities, model: { ...capabilities.model, ask } },
    });
    expect(traceOf(events, ['agent'])).toEqual(['agent:thinking Let me see', 'agent:text Yes']);
  });

  test('adds up the cost of all inputs', async () => {
    const usage = { promptTokens: 3, completionTokens: 2 };
    const { result } = await runPrompt('# User\nHi\n', {
      inputs: [1, 2, 3],
      world: { reply: () => ({ text: 'x', finishReason: 'stop', usage, costUsd: 0.25 }) },
    });
    expect(result).toMatchObject({ usage: { promptTokens: 9, completionTokens: 6 }, costUsd: 0.75 });
  });

  test('counts responses without a known price at the end', async () => {
    const { end } = await runPrompt('# User\nHi\n', {
      inputs: [1, 2],
      world: { reply: () => ({ text: 'x', finishReason: 'stop' }) },
    });
    expect(end).toMatchObject({ unpricedCalls: 2 });
    expect(end).not.toHaveProperty('costUsd');
  });

  test('AP-15 the heading enables the cache, and only then a cache key is sent', async () => {
    const { asked } = await runPrompt('# User `cache = {{data.c}}`\nHi\n', {
      inputs: [false, true],
      bodies: { Data: ({ globals }) => ({ c: globals['input'] ?? null }) },
    });
    expect(asked).toEqual([
      { model: 'fake::default', messages: [{ role: 'user', content: 'Hi\n' }] },
      { model: 'fake::default', messages: [{ role: 'user', content: 'Hi\n', cache: true }], cacheKey: 'session-1' },
    ]);
  });
});

test('scripted responses of a pack may be stored in the pack', async () => {
  const pack = {
    ...{ namespace: 'ns', name: 'p', folder: '/packs/ns/p', subPath: '' },
    ...{ baseSupportFolder: '/b', workspaceSupportFolder: '/w' },
  };
  const place = { name: 'ns@p', file: '/packs/ns/p/main.aip', shownPath: 'ns@p', pack };
  expect((await runPrompt('# User\nHi\n', { place })).asked[0]?.scriptedBase).toBe('/packs/ns/p');
});

describe('options', () => {
  test('AP-12 the last layer that sets the model wins, and data_response only affects its own input', async () => {
    const { asked } = await runPrompt('# Options\n```toml\nmodel = "b"\n```\n# User\nHi\n', {
      inputs: [1, 2, 3],
      baseOptions: { model: 'a', temperature: 0.5 },
      callOptions: { top_p: 0.9 },
      bodies: {
        'Before All': () => ({ _aipack_: { kind: 'BeforeAllResponse', data: { options: { model: 'c' } } } }),
        Data: ({ globals }) => (globals['input'] === 2 ? dataResponse({ options: { model: 'd' } }) : null),
      },
    });
    expect(asked.map(({ model }) => model)).toEqual(['c', 'd', 'c']);
    expect(asked[0]).toMatchObject({ temperature: 0.5, topP: 0.9 });
  });

  test('AP-12 the file overrides config files, and the caller overrides the file', async () => {
    const text = '# Options\n```toml\nmodel = "b"\n```\n# User\nHi\n';
    const models = async (options: AgentRunOptions) => (await runPrompt(text, options)).asked.map(({ model }) => model);
    expect(await models({ baseOptions: { model: 'a' } })).toEqual(['b']);
    expect(await models({ baseOptions: { model: 'a' }, callOptions: { model: 'caller' } })).toEqual(['caller']);
  });

  test('scripts see the options merged so far, with the resolved model', async () => {
    const { ran, asked } = await runPrompt('# User\nHi\n', {
      baseOptions: { model: 'mini-low', model_aliases: { mini: 'gpt-x' } },
      bodies: {
        'Before All': () => ({ _aipack_: { kind: 'BeforeAllResponse', data: { options: { input_concurrency: 2 } } } }),
        Data: () => dataResponse({ options: { temperature: 0.2 } }),
        Output: () => null,
        'After All': () => null,
      },
    });
    const first = { model: 'mini-low', resolved_model: 'gpt-x-low', model_aliases: { mini: 'gpt-x' } };
    const ofRun = { ...first, input_concurrency: 2 };
    expect(ran.map(({ globals }) => globals['options'])).toEqual([first, ofRun, { ...ofRun, temperature: 0.2 }, ofRun]);
    expect(asked[0]).toMatchObject({ model: 'gpt-x-low', temperature: 0.2 });
  });
});

describe('ai_response', () => {
  const reply = {
    text: 'Answer',
    finishReason: 'stop',
    reasoning: 'Because',
    upstreamModel: 'big-2026',
    costUsd: 0.25,
    usage: { promptTokens: 10, completionTokens: 4, cachedTokens: 6, cacheCreationTokens: 2, reasoningTokens: 3 },
  };

  test('contains the response, its usage, and a one-line summary', async () => {
    const { ran } = await runPrompt('# User\nHi\n', {
      world: { reply: () => reply },
      clock: createManualClock(),
      baseOptions: { model: 'fake::big', temperature: 0.5, top_p: 0.9 },
      bodies: { Output: () => null },
    });
    expect(ran[0]?.globals['ai_response']).toEqual({
      content: 'Answer',
      reasoning_content: 'Because',
      model_name: 'big',
      adapter_kind: 'Fake',
      usage: {
        prompt_tokens: 10,
        completion_tokens: 4,
        prompt_tokens_details: { cached_tokens: 6, cache_creation_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
      price_usd: 0.25,
      duration_sec: 0,
      info: 'Duration: 0.000s | ~$0.25 | Prompt Tokens: 10 (cached: 6) | Completion Tokens: 4 (reasoning: 3) | Model: big (big-2026) | Adapter: Fake | Temperature: 0.5 | top_p: 0.9',
    });
  });

  test('omits unknown values', async () => {
    const { ran } = await runPrompt('# User\nHi\n', {
      world: { reply: () => ({ text: '', finishReason: 'stop' }) },
      clock: createManualClock(),
      bodies: { Output: () => null },
    });
    expect(ran[0]?.globals['ai_response']).toEqual({
      model_name: 'default',
      adapter_kind: 'Fake',
      usage: { prompt_tokens_details: {}, completion_tokens_details: {} },
      duration_sec: 0,
      info: 'Duration: 0.000s | Model: default | Adapter: Fake',
    });
  });
});

describe('data_response', () => {
  test('replaces the input for prompts and Output, and provides data', async () => {
    const { asked, ran } = await runPrompt('# User\n{{input.n}} {{data}}\n', {
      inputs: ['old'],
      bodies: { Data: () => dataResponse({ input: { n: 'new' }, data: 'D' }), Output: () => null },
    });
    expect(asked[0]?.messages[0]?.content).toBe('new D\n');
    expect(ran[1]?.globals).toMatchObject({ input: { n: 'new' }, data: 'D' });
  });

  test('AP-17 a null input is preserved', async () => {
    const { ran } = await runPrompt('', {
      inputs: ['old'],
      bodies: { Data: () => dataResponse({ input: null }), Output: () => null },
    });
    expect(ran[1]?.globals).toMatchObject({ input: null, data: null });
  });

  test('sends attachments before the prompts, and text in place of an unreadable one', async () => {
    const file = { mediaType: 'image/png', fileName: 'a.png', base64: 'AAAA' };
    const { asked, result } = await runPrompt('# User\nLook\n', {
      attachments: { 'img/a.png': file },
      bodies: {
        Data: () =>
          dataResponse({
            attachments: [
              { file_source: 'img/a.png' },
              { file_source: 'img/a.png', file_name: 'plan.png', title: 'The plan' },
              { file_source: 'gone.png' },
            ],
          }),
      },
    });
    const place = "Here is file attachment.\nFile Path: 'img/a.png'\n";
    expect(asked[0]?.messages).toEqual([
      { role: 'user', content: `${place}File Name: 'a.png'\n\n`, attachments: [file] },
      {
        role: 'user',
        content: `${place}File Name: 'plan.png'\n\nFile Title: The plan\n`,
        attachments: [{ ...file, fileName: 'plan.png' }],
      },
      { role: 'user', content: "Error while attaching file 'gone.png'\nCause: There is no file gone.png" },
      { role: 'user', content: 'Look\n' },
    ]);
    expect(result.status).toBe('completed');
  });
});
