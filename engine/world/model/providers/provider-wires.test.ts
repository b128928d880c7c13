import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { toErrorRecord } from '../../../base/engine-error.ts';
import type { ModelMessage, ModelReply } from '../../../runtime/kernel/models/model-capability.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { type ModelServer, startModelServer } from '../../../testing/model-server.ts';
import { wires } from '../../../testing/model-server-wires.ts';
import type { AskOptions, ProviderRequest } from '../model-provider.ts';
import { type ProviderKind, providerKinds } from '../provider-config.ts';
import { idleLimitMs } from './provider-exchange.ts';
import { createSdkProvider } from './sdk-provider.ts';

const key = 'sk-very-secret-0123456789';
const tools = [
  {
    name: 'core__file_read',
    description: 'Reads a file of the workspace.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
  },
];
const hello: readonly ModelMessage[] = [
  { role: 'user', content: 'Hello?' },
  { role: 'system', content: 'Be brief.' },
];

let server: ModelServer;

interface Asking extends Partial<ProviderRequest>, Partial<AskOptions> {
  readonly clock?: Clock;
}

function ask(kind: ProviderKind, { clock = systemClock, signal, onText, onReasoning, ...request }: Asking = {}) {
  const config = { kind, baseUrl: server.baseUrl, apiKeyEnv: 'A_KEY' };
  const provider = createSdkProvider({ name: 'test', config, keyOf: () => key, clock });
  return provider.ask(
    { model: 'tiny', messages: hello, ...request },
    {
      signal: signal ?? new AbortController().signal,
      onText: onText ?? (() => {}),
      onReasoning: onReasoning ?? (() => {}),
    },
  );
}

describe.each(providerKinds)('%s', (kind) => {
  beforeEach(async () => {
    server = await startModelServer(kind);
  });
  afterEach(() => server.close());

  test('streams text and thinking in order and reports the usage', async () => {
    const heard: string[] = [];
    server.plan({
      thoughts: ['Let me', ' see.'],
      pieces: ['Hel', 'lo', ' 😀'],
      usage: { prompt: 11, completion: 7, cached: 5, thought: 3 },
    });
    const reply = await ask(kind, {
      onText: (piece) => heard.push(piece),
      onReasoning: (piece) => heard.push(`(${piece})`),
    });
    // Anthropic does not report thinking tokens separately.
    const reasoningTokens = kind === 'anthropic' ? {} : { reasoningTokens: 3 };
    expect(reply).toEqual<ModelReply>({
      text: 'Hello 😀',
      reasoning: 'Let me see.',
      finishReason: 'stop',
      usage: { promptTokens: 11, completionTokens: 7, cachedTokens: 5, ...reasoningTokens },
    });
    expect(heard).toEqual(['(Let me)', '( see.)', 'Hel', 'lo', ' 😀']);
  });

  test('sends the request to the right path, with the key, as a stream', async () => {
    await ask(kind, { temperature: 0.3, topP: 0.9 });
    const [request] = server.received;
    expect(request?.path).toBe(`/v1${wires[kind].path('tiny')}`);
    const [header, value] = wires[kind].keyHeader(key);
    expect(request?.headers[header]).toBe(value);
    expect(request?.body['stream'] ?? true).toBe(true);
    const said = JSON.stringify(request?.body);
    expect(said).toMatch(/"temperature":0.3/);
    expect(said).toMatch(/"top_?[pP]":0.9/);
    // If there is a separate field for system messages, all of them go there.
    const order = [said.indexOf('Hello?'), said.indexOf('Be brief.')];
    expect(Math.min(...order)).toBeGreaterThan(0);
    if (kind !== 'anthropic' && kind !== 'gemini') expect(order[0]).toBeLessThan(order[1] ?? 0);
  });

  test('reports why it ended early, and the model that responded if its name differs', async () => {
    server.plan({ finish: 'length', model: 'tiny-2026-01-01' });
    const reply = await ask(kind);
    expect(reply.finishReason).toBe('length');
    // The SDK does not pass on Gemini's version name.
    expect(reply.upstreamModel).toBe(kind === 'gemini' ? undefined : 'tiny-2026-01-01');
  });

  test.each([
    [400, 'model.rejected', undefined],
    [401, 'model.rejected', undefined],
    [403, 'model.rejected', undefined],
    [404, 'model.rejected', undefined],
    [408, 'model.unavailable', true],
    [429, 'model.rate-limited', true],
    [500, 'model.unavailable', true],
    [503, 'model.unavailable', true],
  ])('HTTP %i becomes %s after a single request, without the key in the error', async (status, code, recoverable) => {
    server.plan({ status, message: `Incorrect API key provided: ${key}` });
    const error = await ask(kind).catch(toErrorRecord);
    expect(error).toMatchObject({ code, message: expect.stringContaining(String(status)) });
    expect(error).toHaveProperty('message', expect.stringContaining('•••'));
    expect('recoverable' in error ? error.recoverable : undefined).toBe(recoverable);
    expect(server.received).toHaveLength(1);
    expect(JSON.stringify(error)).not.toContain(key);
  });

  test('HTTP 429 reports how long to wait', async () => {
    server.plan({ status: 429, headers: { 'retry-after': '3' } });
    expect(await ask(kind).catch(toErrorRecord)).toMatchObject({ details: { retryAfterMs: 3000 } });
  });

  test.each(['cut', 'end unfinished'] as const)(
    'a response that is %s is an error even if text arrived',
    async (after) => {
      const pieces: string[] = [];
      server.plan({ after });
      const error = await ask(kind, { onText: (piece) => pieces.push(piece) }).catch(toErrorRecord);
      expect(pieces).toEqual(['Hello']);
      expect(error).toMatchObject({ code: 'model.unavailable', recoverable: true });
    },
  );

  test('cancellation closes the request, before and during the stream', async () => {
    const controller = new AbortController();
    server.plan({ after: 'wait' }, 'silence');
    const reason = new Error('cancelled by a person');
    const first = ask(kind, { signal: controller.signal, onText: () => controller.abort(reason) });
    expect(await first.catch((error: unknown) => error)).toBe(reason);
    expect(await server.received[0]?.closed).toBe('closed');

    const early = new AbortController();
    const second = ask(kind, { signal: early.signal }).catch((error: unknown) => error);
    await server.whenReceived(2);
    early.abort('stop');
    expect(await second).toBe('stop');
    expect(await server.received[1]?.closed).toBe('closed');
  });

  test('accepts images, documents and text files in a message', async () => {
    const attachments = [
      { mediaType: 'image/png', fileName: 'a.png', base64: Buffer.from('picture').toString('base64') },
      { mediaType: 'application/pdf', fileName: 'b.pdf', base64: Buffer.from('document').toString('base64') },
      { mediaType: 'text/markdown', fileName: 'c.md', base64: Buffer.from('# Größe').toString('base64') },
    ];
    await ask(kind, { messages: [{ role: 'user', content: 'See these:', attachments }] });
    const said = JSON.stringify(server.received[0]?.body);
    expect(said).toContain('See these:');
    expect(said).toContain(Buffer.from('picture').toString('base64'));
    expect(said).toContain(Buffer.from('document').toString('base64'));
    expect(said).toContain('# Größe');
  });

  test('sends tools and returns the tool calls of a response in order, after its text', async () => {
    const heard: string[] = [];
    const said = kind === 'gemini' ? '{}' : '{"path": ';
    server.plan({
      pieces: ['Let me', ' look.'],
      finish: 'calls',
      calls: [
        { id: 'c1', name: 'core__file_read', text: '{"path":"a.txt"}', signature: 'signed' },
        { id: 'c2', name: 'not_given', text: '{"deep":{"list":[1,null]}}' },
        { id: 'c3', name: 'core__file_read', text: said },
      ],
    });
    const reply = await ask(kind, { tools, onText: (piece) => heard.push(piece) });
    expect(heard).toEqual(['Let me', ' look.']);
    expect(reply).toMatchObject({ text: 'Let me look.', finishReason: 'tool-calls', usage: { promptTokens: 11 } });
    expect(reply.toolCalls?.map(({ name, input }) => [name, input])).toEqual([
      ['core__file_read', { path: 'a.txt' }],
      ['not_given', { deep: { list: [1, null] } }],
      ['core__file_read', kind === 'gemini' ? {} : said],
    ]);
    const ids = reply.toolCalls?.map(({ id }) => id) ?? [];
    expect(kind === 'gemini' ? new Set(ids).size : ids).toEqual(kind === 'gemini' ? 3 : ['c1', 'c2', 'c3']);
    const body = JSON.stringify(server.received[0]?.body);
    expect(body).toContain('core__file_read');
    expect(body).toContain('Reads a file');
    expect(body).toMatch(kind === 'gemini' ? /"functionDeclarations"/ : /"additionalProperties":false/);
    if (kind === 'openai') expect(body).toContain('"strict":false');
  });

  test('gives tool calls with the same id distinct ids', async () => {
    const twice = { id: 'same', name: 'core__file_read', text: '{}' };
    server.plan({ pieces: [], finish: 'calls', calls: [twice, twice] });
    const { toolCalls = [] } = await ask(kind, { tools });
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
  });

  test('sends back tool calls with their results and signatures', async () => {
    const signed = { id: 'c1', name: 'core__file_read', text: '{"path":"a.txt"}', signature: 'c2lnbmVk' };
    server.plan({ thoughts: ['Hm.'], pieces: ['See:'], finish: 'calls', calls: [signed] }, { pieces: ['Done'] });
    const { text, toolCalls = [], providerState } = await ask(kind, { tools });
    const [call] = toolCalls;
    const state = providerState === undefined ? {} : { providerState };
    const said = [...toolCalls, { id: 'c2', name: 'x', input: 'no JSON' }];
    const messages: readonly ModelMessage[] = [
      ...hello,
      { role: 'assistant', content: text, toolCalls: said, ...state },
      { role: 'tool', toolCallId: call?.id ?? '', toolName: 'core__file_read', content: 'Grüße' },
      { role: 'tool', toolCallId: 'c2', toolName: 'x', content: 'The tool does not exist.', isError: true },
    ];
    expect(await ask(kind, { tools, messages })).toMatchObject({ text: 'Done' });
    const body = JSON.stringify(server.received[1]?.body);
    for (const part of ['See:', 'a.txt', 'Grüße', 'The tool does not exist']) expect(body).toContain(part);
    expect(body.indexOf('a.txt')).toBeLessThan(body.indexOf('Grüße'));
    expect(body).not.toContain('no JSON');
    if (kind === 'anthropic' || kind === 'gemini') expect(body).toContain('c2lnbmVk');
    if (kind === 'anthropic') expect(body).toMatch(/"type":"thinking","thinking":"Hm\."/);
  });

  test('waits for a slow response but not for a dead connection', async () => {
    const clock = createManualClock();
    server.plan('silence');
    const heard: string[] = [];
    const first = ask(kind, { clock, onText: (piece) => heard.push(piece) });
    await server.whenReceived(1);
    await clock.advance(idleLimitMs - 1);
    server.received[0]?.proceed('body');
    await vi.waitFor(() => expect(heard).toEqual(['Hello']), 20_000);
    await clock.advance(idleLimitMs - 1);
    server.received[0]?.proceed('end');
    expect(await first).toMatchObject({ text: 'Hello' });
    expect(clock.openTimers).toBe(0);

    const second = ask(kind, { clock }).catch(toErrorRecord);
    await server.whenReceived(2);
    await clock.advance(idleLimitMs);
    expect(await second).toMatchObject({ code: 'model.unavailable', details: { idleMs: idleLimitMs } });
    expect(await server.received[1]?.closed).toBe('closed');
  });
});

test('rejects unsupported content before anything is sent', async () => {
  server = await startModelServer('anthropic');
  const attachments = [{ mediaType: 'application/x-tar', fileName: 'a.tar', base64: 'AAAA' }];
  const error = await ask('anthropic', { messages: [{ role: 'user', content: 'x', attachments }] }).catch(
    toErrorRecord,
  );
  expect(error).toMatchObject({ code: 'model.rejected', message: expect.stringContaining('application/x-tar') });
  expect(server.received).toEqual([]);
  await server.close();
});

describe.each(['openai', 'anthropic', 'gemini'] as const)('an unreadable chunk from %s', (kind) => {
  beforeEach(async () => {
    server = await startModelServer(kind);
  });
  afterEach(() => server.close());

  const spoken = {
    model: 'tiny',
    thoughts: [],
    pieces: ['Hello'],
    finish: 'stop',
    usage: { prompt: 1, completion: 1 },
  } as const;
  const stream = (odd: string): string => {
    const { body, end } = wires[kind];
    return [...body(spoken), `data: ${odd}\n\n`, ...end(spoken)].join('');
  };

  test.each(['{"type":', '"nonsense"', '{"type":"content_block_delta","index":0,"delta":{"type":5}}'])(
    'affects only the unreadable chunk itself: %s',
    async (odd) => {
      server.plan({ raw: stream(odd), contentType: 'text/event-stream' });
      const reply = await ask(kind);
      expect(reply).toMatchObject({ text: 'Hello', finishReason: 'stop' });
    },
  );

  test('fails if the unreadable chunk reports an error regardless of its shape', async () => {
    server.plan({ raw: stream('{"error":"it exploded"}'), contentType: 'text/event-stream' });
    expect(await ask(kind).catch(toErrorRecord)).toMatchObject({
      code: 'model.unavailable',
      message: expect.stringContaining('it exploded'),
    });
  });
});
