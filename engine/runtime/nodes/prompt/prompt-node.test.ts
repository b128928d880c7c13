import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../base/engine-error.ts';
import { createFakeCapabilities, type FakeWorld } from '../../../testing/fake-capabilities.ts';
import { runSingleNode, startSingleNode } from '../../../testing/run-single-node.ts';
import type { ModelAttachment, ModelRequest } from '../../kernel/models/model-capability.ts';
import { promptNode } from './prompt-node.ts';

function worldOf(world: FakeWorld = {}) {
  const { capabilities, asked } = createFakeCapabilities(world);
  return { options: { capabilities }, asked };
}

describe('sending a prompt', () => {
  test('sends system message and prompt with its settings and returns the response', async () => {
    const usage = { promptTokens: 5, completionTokens: 2 };
    const { options, asked } = worldOf({
      reply: () => ({ text: 'Fine, thanks', finishReason: 'stop', usage, costUsd: 1 }),
    });
    const { output } = await runSingleNode(
      {
        type: 'prompt',
        input: { prompt: 'How are you?', system: 'Be brief' },
        config: { model: 'fake::fast', temperature: 0, top_p: 0.5 },
      },
      options,
    );
    expect(output).toEqual({ text: 'Fine, thanks', model: 'fake::fast', usage, costUsd: 1 });
    expect(asked).toEqual([
      {
        model: 'fake::fast',
        messages: [
          { role: 'system', content: 'Be brief' },
          { role: 'user', content: 'How are you?' },
        ],
        temperature: 0,
        topP: 0.5,
      },
    ]);
  });

  test('uses the default model if it names none, and returns its name', async () => {
    const { options, asked } = worldOf();
    const { output } = await runSingleNode({ type: 'prompt', input: { prompt: 'x' } }, options);
    expect(asked[0]?.model).toBeUndefined();
    expect(output).toEqual({ text: 'x', model: 'fake::default' });
  });
});

describe('events of a prompt', () => {
  test('streams its text between request and response with the run id of its attempt', async () => {
    const { options } = worldOf({ reply: () => ({ text: 'one two', finishReason: 'length' }) });
    const { events } = await runSingleNode({ type: 'prompt', input: { prompt: 'x' } }, options);
    const told = events.map(({ event }) => event).filter(({ type }) => /^(agent|model):/.test(type));
    expect(told).toEqual([
      { type: 'agent:start', agentName: 'prompt', runId: 'run-2' },
      {
        type: 'model:request',
        provider: 'fake',
        model: 'default',
        messagesHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        messages: [{ role: 'user', content: 'x' }],
        callKey: expect.stringMatching(/^model:[0-9a-f]{64}:0$/),
      },
      { type: 'agent:text', content: 'one two' },
      {
        ...{ type: 'model:response', durationMs: expect.any(Number), finishReason: 'length', text: 'one two' },
        callKey: expect.stringMatching(/^model:[0-9a-f]{64}:0$/),
      },
      { type: 'agent:complete', agentName: 'prompt', runId: 'run-2', success: true },
    ]);
  });

  test('a rejection by the model fails the agent and the node with its code', async () => {
    const refusal = new EngineError({ code: 'model.rate-limited', message: 'Too many requests', recoverable: true });
    const { options } = worldOf({
      reply: () => {
        throw refusal;
      },
    });
    const { events, error } = await runSingleNode({ type: 'prompt', input: { prompt: 'x' } }, options);
    const record = { code: 'model.rate-limited', message: 'Too many requests', recoverable: true };
    expect(error).toEqual({ ...record, nodeId: 'node' });
    expect(events.find(({ event }) => event.type === 'agent:failed')?.event).toMatchObject({ error: record });
  });

  test('after cancellation, it keeps the text so far and ends its agent inside its task', async () => {
    const { capabilities } = createFakeCapabilities();
    const model = {
      ...capabilities.model,
      ask: (_request: unknown, { signal, onText }: { signal: AbortSignal; onText: (piece: string) => void }) => {
        onText('half an ans');
        return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    };
    const { done, cancel } = startSingleNode(
      { type: 'prompt', input: { prompt: 'x' } },
      { capabilities: { ...capabilities, model } },
    );
    await new Promise((resolve) => setImmediate(resolve));
    cancel();
    const types = (await done).events.map(({ event }) => event.type);
    expect(types.slice(types.indexOf('agent:text'))).toEqual([
      'agent:text',
      'agent:failed',
      'task:cancelled',
      'phase:cancelled',
      'run:end',
    ]);
  });
});

function attachmentsOf(request: ModelRequest | undefined): readonly ModelAttachment[] {
  const [message] = request?.messages ?? [];
  return message?.role === 'user' ? (message.attachments ?? []) : [];
}

describe('BB-58 messages and attachments', () => {
  const png = '\x89PNG\r\n\x1a\n';

  test('sends a conversation unchanged after the system message', async () => {
    const { options, asked } = worldOf();
    const messages = [
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'Three?' },
    ];
    const input = { messages, system: 'Be brief' };
    const { output } = await runSingleNode({ type: 'prompt', input, config: { maxTokens: 9 } }, options);
    expect(output).toMatchObject({ text: 'Three?' });
    expect(asked).toEqual([
      { model: undefined, messages: [{ role: 'system', content: 'Be brief' }, ...messages], maxTokens: 9 },
    ]);
  });

  test('adds attachments to the last user message, or sends them alone', async () => {
    const { options, asked } = worldOf({ files: { 'a/b.png': png } });
    const attachments = ['a/b.png', { path: 'c.pdf', base64: Buffer.from('%PDF-1').toString('base64'), sizeBytes: 6 }];
    const said = [
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: 'Two.' },
    ];
    await runSingleNode({ type: 'prompt', input: { messages: said, attachments } }, options);
    await runSingleNode({ type: 'prompt', input: { messages: said.slice(1), attachments } }, options);
    const files = [
      { mediaType: 'image/png', fileName: 'b.png', base64: Buffer.from(png, 'latin1').toString('base64') },
      { mediaType: 'application/pdf', fileName: 'c.pdf', base64: Buffer.from('%PDF-1').toString('base64') },
    ];
    expect(asked.map(({ messages }) => messages)).toEqual([
      [{ ...said[0], attachments: files }, said[1]],
      [said[1], { role: 'user', content: '', attachments: files }],
    ]);
  });

  test.each([
    [{}, 'exactly one of "prompt" and "messages"'],
    [{ prompt: 'x', messages: [{ role: 'user', content: 'x' }] }, 'exactly one of "prompt" and "messages"'],
    [{ messages: [] }, 'input.messages'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'input.messages'],
    [{ prompt: 'x', attachments: 'a.png' }, 'input.attachments'],
    [{ prompt: 'x', attachments: [{ path: 'a.png', base64: 'no base64!' }] }, 'input.attachments'],
    [{ prompt: 'x', attachments: [{ path: 'a.txt', text: 'x' }] }, 'the output of file.read with as: base64'],
  ])('rejects %j with an explanation', async (input, message) => {
    const { options, asked } = worldOf();
    const { error } = await runSingleNode({ type: 'prompt', input }, options);
    expect(error).toMatchObject({ code: 'node.bad-input', message: expect.stringContaining(message) });
    expect(asked).toEqual([]);
  });

  test.each([0, -1, 1.5, 'many'])('rejects a limit of %j tokens', async (maxTokens) => {
    const { error } = await runSingleNode({ type: 'prompt', input: { prompt: 'x' }, config: { maxTokens } });
    expect(error).toMatchObject({ code: 'node.bad-config' });
  });

  test('recognizes an image by its first bytes regardless of its name', async () => {
    const webp = `RIFF\x24\x00\x00\x00WEBPVP8 `;
    const { options, asked } = worldOf({
      files: { a: 'GIF89a..', b: webp, c: '\xff\xd8\xff\xe0', 'd.png': 'RIFF....WAVE' },
    });
    await runSingleNode({ type: 'prompt', input: { prompt: 'x', attachments: ['a', 'b', 'c'] } }, options);
    expect(attachmentsOf(asked[0]).map(({ mediaType }) => mediaType)).toEqual([
      'image/gif',
      'image/webp',
      'image/jpeg',
    ]);
    const { error } = await runSingleNode({ type: 'prompt', input: { prompt: 'x', attachments: ['d.png'] } }, options);
    expect(error).toMatchObject({ code: 'prompt.bad-attachment', details: { path: 'd.png' } });
  });
});

test('settingsOf returns the settings of its model', async () => {
  const { capabilities } = createFakeCapabilities();
  // The contract hides the types of config and capabilities from everything except the node.
  const settings = (config: object) => promptNode.settingsOf?.(config as never, capabilities as never);
  expect(await settings({ model: 'fake::fast', temperature: 1 })).toBe('settings of fake::fast');
  expect(await settings({})).toBe('settings of fake::default');
});

test('its card shows the prompt, even while it is being edited', () => {
  expect(promptNode.summary?.({ model: 'fast' }, { prompt: 'Five points about {{note.text}}' })).toEqual([
    'Five points about ',
    { chip: 'note.text' },
  ]);
  expect(promptNode.summary?.({}, {})).toEqual(['No prompt yet']);
});
