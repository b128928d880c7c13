import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../base/clock.ts';
import { toErrorRecord } from '../../../base/engine-error.ts';
import type { ModelMessage } from '../../../runtime/kernel/models/model-capability.ts';
import { type ModelServer, startModelServer } from '../../../testing/model-server.ts';
import type { AskOptions, ProviderRequest } from '../model-provider.ts';
import type { ProviderConfig } from '../provider-config.ts';
import { toSdkMessages } from './sdk-messages.ts';
import { createSdkProvider } from './sdk-provider.ts';

const key = 'sk-very-secret-0123456789';

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer('openai-compatible');
});
afterEach(() => server.close());

function ask(
  config: Partial<ProviderConfig> = { apiKeyEnv: 'A_KEY' },
  options: Partial<AskOptions> = {},
  request: Partial<ProviderRequest> = {},
) {
  const provider = createSdkProvider({
    name: 'test',
    config: { kind: 'openai-compatible', baseUrl: server.baseUrl, ...config },
    keyOf: (variable) => (variable === 'A_KEY' ? `${key}\n` : undefined),
    clock: systemClock,
  });
  return provider.ask(
    { model: 'tiny', messages: [{ role: 'user', content: 'Hello?' }], ...request },
    { signal: new AbortController().signal, onText: () => {}, ...options },
  );
}

test('passes on each piece while the server is still responding', async () => {
  server.plan({ after: 'wait' });
  const reply = await ask(undefined, { onText: () => server.received[0]?.proceed('end') });
  expect(reply.text).toBe('Hello');
});

test('works without a key if the settings name none, and prints nothing', async () => {
  const printed = vi.spyOn(console, 'warn');
  await ask({});
  expect(server.received[0]?.headers.authorization).toBeUndefined();
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});

test.each([
  ['without messages', { messages: [] }],
  ['for an answer of no tokens', { maxTokens: 0 }],
])('rejects a request %s and sends nothing', async (_, request) => {
  await expect(ask({}, {}, request)).rejects.toMatchObject({
    code: 'model.rejected',
    message: expect.stringContaining('cannot process this request'),
  });
  expect(server.received).toEqual([]);
});

test('sends the results of parallel tool calls back together', () => {
  const result = (toolCallId: string) => ({ role: 'tool', toolCallId, toolName: 'look', content: toolCallId }) as const;
  const toolCalls = ['a', 'b', 'c'].map((id) => ({ id, name: 'look', input: {} }));
  const messages: readonly ModelMessage[] = [
    { role: 'assistant', content: '', toolCalls },
    ...[result('a'), result('b')],
    { role: 'user', content: 'And?' },
    result('c'),
  ];
  const roles = toSdkMessages(messages, 'openai').map(({ role, content }) => [role, content.length]);
  expect(roles).toEqual([
    ['assistant', 3],
    ['tool', 2],
    ['user', 1],
    ['tool', 1],
  ]);
});

test('removes a line feed around a key', async () => {
  await ask();
  expect(server.received[0]?.headers.authorization).toBe(`Bearer ${key}`);
});

test('a missing key is reported by name, and nothing is sent', async () => {
  const error = await ask({ apiKeyEnv: 'ANOTHER_KEY' }).catch(toErrorRecord);
  expect(error).toMatchObject({
    code: 'model.missing-key',
    message: expect.stringContaining('ANOTHER_KEY'),
    details: { provider: 'test', variable: 'ANOTHER_KEY' },
  });
  expect(server.received).toEqual([]);
});

test.each([
  [{ 'retry-after': '3' }, '', 3000],
  [{ 'retry-after': '0.25' }, '', 250],
  [{ 'retry-after': '3', 'retry-after-ms': '2900' }, '', 2900],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, '', 0],
  [{}, '"retryDelay": "34s"', 34_000],
])('HTTP 429 with %j %s waits %i ms', async (headers, said, retryAfterMs) => {
  server.plan({ status: 429, headers, body: `{"error":{"message":"slow down"},${said || '"a":1'}}` });
  const error = await ask().catch(toErrorRecord);
  expect(error).toMatchObject({ code: 'model.rate-limited', recoverable: true, details: { retryAfterMs } });
});

test('HTTP 429 without a valid retry-after has no wait time', async () => {
  server.plan({ status: 429, headers: { 'retry-after': 'soon' } });
  const error = await ask().catch(toErrorRecord);
  expect(error).toMatchObject({ code: 'model.rate-limited' });
  expect(error).not.toHaveProperty('details');
});

test('an error about used-up credit is not recoverable', async () => {
  server.plan({ status: 429, body: '{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}' });
  const error = await ask().catch(toErrorRecord);
  expect(error).toMatchObject({ code: 'model.rate-limited', message: expect.stringContaining('exceeded your quota') });
  expect(error).not.toHaveProperty('recoverable');
});

test.each([
  ['{"error":{"message":"overloaded"}}', 'model.unavailable'],
  ['{"error":{"message":"later","type":"rate_limit_error"}}', 'model.rate-limited'],
  ['{"error":{"message":"no","type":"invalid_request_error"}}', 'model.rejected'],
])('the error %s inside a stream becomes %s', async (body, code) => {
  server.plan({ raw: `data: ${body}\n\n`, contentType: 'text/event-stream' });
  const { message } = JSON.parse(body).error;
  expect(await ask().catch(toErrorRecord)).toMatchObject({ code, message: expect.stringContaining(message) });
});

test.each([
  [
    'openai',
    { type: 'response.failed', sequence_number: 1, response: { error: { code: 'server_error', message: 'oh no' } } },
    'model.unavailable',
  ],
  [
    'openai',
    {
      type: 'response.failed',
      sequence_number: 1,
      response: { error: { code: 'rate_limit_exceeded', message: 'oh no' } },
    },
    'model.rate-limited',
  ],
  [
    'openai',
    {
      type: 'error',
      sequence_number: 1,
      error: { type: 'invalid_request_error', code: 'context_length_exceeded', message: 'oh no', param: null },
    },
    'model.rejected',
  ],
  ['anthropic', { type: 'error', error: { type: 'overloaded_error', message: 'oh no' } }, 'model.unavailable'],
  ['anthropic', { type: 'error', error: { type: 'rate_limit_error', message: 'oh no' } }, 'model.rate-limited'],
] as const)('%s: explains %j', async (kind, event, code) => {
  server.plan({ raw: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, contentType: 'text/event-stream' });
  const error = await ask({ kind, apiKeyEnv: 'A_KEY' }).catch(toErrorRecord);
  expect(error).toMatchObject({ code, message: expect.stringContaining('oh no') });
});

test('a response that Gemini ended with an error is a failure', async () => {
  const last = { candidates: [{ content: { parts: [{ text: 'ha' }] }, finishReason: 'MALFORMED_FUNCTION_CALL' }] };
  server.plan({ raw: `data: ${JSON.stringify(last)}\n\n`, contentType: 'text/event-stream' });
  const error = await ask({ kind: 'gemini', apiKeyEnv: 'A_KEY' }).catch(toErrorRecord);
  expect(error).toMatchObject({ code: 'model.unavailable', message: expect.stringContaining('MALFORMED') });
});

test('a page that is not a stream is a failure', async () => {
  server.plan({ raw: '<html>proxy</html>', contentType: 'text/html' });
  expect(await ask().catch(toErrorRecord)).toMatchObject({ code: 'model.unavailable' });
});

test('does not follow a redirect, because the key would be sent along', async () => {
  const elsewhere = await startModelServer('openai-compatible');
  server.plan({ status: 307, headers: { location: `${elsewhere.baseUrl}/chat/completions` } });
  expect(await ask().catch(toErrorRecord)).toMatchObject({ code: 'model.rejected', details: { statusCode: 307 } });
  expect(elsewhere.received).toEqual([]);
  await elsewhere.close();
});

test('an unreachable server is reported with the reason and without secrets from its URL', async () => {
  const address = server.baseUrl;
  await server.close();
  expect(await ask({ baseUrl: address }).catch(toErrorRecord)).toMatchObject({
    code: 'model.unavailable',
    recoverable: true,
    message: expect.stringMatching(/127\.0\.0\.1.*ECONNREFUSED/),
  });
  const ollama = await ask({ kind: 'ollama', baseUrl: address }).catch(toErrorRecord);
  expect(ollama).toHaveProperty('message', expect.stringContaining('Start Ollama'));
  const error = await ask({ baseUrl: `${address}?key=sk-1234` }).catch(toErrorRecord);
  expect(error).toMatchObject({ code: 'model.unavailable' });
  expect(JSON.stringify(error)).not.toMatch(/sk-1234/);
  server = await startModelServer('openai-compatible');
});

test('sends nothing for a caller that has already canceled', async () => {
  expect(await ask(undefined, { signal: AbortSignal.abort('stop') }).catch((error) => error)).toBe('stop');
  expect(server.received).toEqual([]);
});

test('an error in a listener ends the request with that error', async () => {
  server.plan({ after: 'wait' });
  const noRoom = new Error('no room');
  const outcome = ask(undefined, {
    onText() {
      throw noRoom;
    },
  });
  expect(await outcome.catch((error: unknown) => error)).toBe(noRoom);
  expect(await server.received[0]?.closed).toBe('closed');
});
