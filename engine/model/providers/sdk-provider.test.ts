import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { toErrorRecord } from '../../base/engine-error.ts';
import { createSdkProvider } from './sdk-provider.ts';

const key = 'sk-very-secret-0123456789';

interface Received {
  readonly request: IncomingMessage;
  readonly body: Record<string, unknown>;
}

let server: Server;
let answer: (response: ServerResponse, received: Received) => void;
let received: Received[];

beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const entry = { request, body: JSON.parse(text) };
      received.push(entry);
      answer(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function baseUrl(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function ask(
  options: { signal?: AbortSignal; onText?: (piece: string) => void; url?: string; withoutKey?: true } = {},
) {
  const provider = createSdkProvider({
    name: 'test',
    config: {
      kind: 'openai-compatible',
      baseUrl: options.url ?? baseUrl(),
      ...(options.withoutKey ? {} : { apiKeyEnv: 'TEST_KEY' }),
    },
    keyOf: (variable) => (variable === 'TEST_KEY' ? key : undefined),
    clock: systemClock,
  });
  return provider.ask(
    {
      model: 'tiny',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello?' },
      ],
      temperature: 0.3,
      topP: 0.9,
    },
    { signal: options.signal ?? new AbortController().signal, onText: options.onText ?? (() => {}) },
  );
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

function send(response: ServerResponse, chunk: Record<string, unknown>): void {
  response.write(
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'tiny', ...chunk })}\n\n`,
  );
}

function sendText(response: ServerResponse, content: string): void {
  send(response, { choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
}

function finish(response: ServerResponse, reason = 'stop'): void {
  send(response, { choices: [{ index: 0, delta: {}, finish_reason: reason }] });
  send(response, { choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } });
  response.end('data: [DONE]\n\n');
}

function refuse(status: number, headers: Record<string, string> = {}): void {
  answer = (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: `Incorrect API key provided: ${key}`, type: 'x', code: 'y' } }));
  };
}

describe('an answer', () => {
  test('streams in order and ends with usage and reason', async () => {
    answer = (response) => {
      begin(response);
      for (const piece of ['Hel', 'lo', ' 😀']) sendText(response, piece);
      finish(response);
    };
    const pieces: string[] = [];
    const reply = await ask({ onText: (piece) => pieces.push(piece) });
    expect({ reply, pieces }).toEqual({
      reply: { text: 'Hello 😀', finishReason: 'stop', usage: { promptTokens: 11, completionTokens: 7 } },
      pieces: ['Hel', 'lo', ' 😀'],
    });
    expect(received[0]?.request.url).toBe('/v1/chat/completions');
    expect(received[0]?.request.headers.authorization).toBe(`Bearer ${key}`);
    expect(received[0]?.body).toMatchObject({
      model: 'tiny',
      stream: true,
      temperature: 0.3,
      top_p: 0.9,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello?' },
      ],
    });
  });

  test('gives each piece while the server is still at work', async () => {
    let serverSide: ServerResponse | undefined;
    answer = (response) => {
      serverSide = response;
      begin(response);
      sendText(response, 'one');
    };
    const reply = await ask({
      onText(piece) {
        if (piece !== 'one' || serverSide === undefined) return;
        sendText(serverSide, ' two');
        finish(serverSide, 'length');
      },
    });
    expect(reply).toMatchObject({ text: 'one two', finishReason: 'length' });
  });

  test('needs no key where the settings name none, and prints nothing', async () => {
    const printed = vi.spyOn(console, 'warn');
    answer = (response) => {
      begin(response);
      finish(response);
    };
    await ask({ withoutKey: true });
    expect(received[0]?.request.headers.authorization).toBeUndefined();
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });
});

describe('a failure', () => {
  test.each([
    [401, 'model.rejected', undefined],
    [403, 'model.rejected', undefined],
    [400, 'model.rejected', undefined],
    [404, 'model.rejected', undefined],
    [408, 'model.unavailable', true],
    [500, 'model.unavailable', true],
    [503, 'model.unavailable', true],
  ])('HTTP %i is %s, is asked once, and tells no key', async (status, code, recoverable) => {
    refuse(status);
    const error = await ask().catch(toErrorRecord);
    expect(error).toMatchObject({ code, ...(recoverable ? { recoverable } : {}) });
    expect(received).toHaveLength(1);
    expect(JSON.stringify(error)).not.toContain(key);
    expect(JSON.stringify(error)).toContain(String(status));
  });

  test.each([
    ['3', 3000],
    ['0.25', 250],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('HTTP 429 with retry-after %s asks to wait %i ms', async (header, retryAfterMs) => {
    refuse(429, { 'retry-after': header });
    const error = await ask().catch(toErrorRecord);
    expect(error).toMatchObject({ code: 'model.rate-limited', recoverable: true, details: { retryAfterMs } });
    expect(received).toHaveLength(1);
  });

  test('HTTP 429 without or with a senseless retry-after has no wait', async () => {
    refuse(429, { 'retry-after': 'soon' });
    const error = await ask().catch(toErrorRecord);
    expect(error).toMatchObject({ code: 'model.rate-limited' });
    expect(error).not.toHaveProperty('details');
  });

  test('a stream that is cut is no answer, though text came', async () => {
    const pieces: string[] = [];
    answer = (response) => {
      begin(response);
      sendText(response, 'half');
    };
    const error = await ask({
      onText(piece) {
        pieces.push(piece);
        server.closeAllConnections();
      },
    }).catch(toErrorRecord);
    expect(pieces).toEqual(['half']);
    expect(error).toMatchObject({ code: 'model.unavailable', recoverable: true });
  });

  test('a stream that ends politely but unfinished is no answer', async () => {
    answer = (response) => {
      begin(response);
      sendText(response, 'half');
      response.end();
    };
    expect(await ask().catch(toErrorRecord)).toMatchObject({ code: 'model.unavailable', recoverable: true });
  });

  test('an error inside the stream is told', async () => {
    answer = (response) => {
      begin(response);
      response.end(`data: ${JSON.stringify({ error: { message: 'overloaded' } })}\n\n`);
    };
    expect(await ask().catch(toErrorRecord)).toMatchObject({
      code: 'model.unavailable',
      message: expect.stringContaining('overloaded'),
    });
  });

  test('a page that is no stream is no answer', async () => {
    answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>proxy</html>');
    expect(await ask().catch(toErrorRecord)).toMatchObject({ code: 'model.unavailable' });
  });

  test('a server that is not there is named with the reason', async () => {
    const url = baseUrl();
    await new Promise((resolve) => server.close(resolve));
    expect(await ask({ url }).catch(toErrorRecord)).toMatchObject({
      code: 'model.unavailable',
      recoverable: true,
      message: expect.stringMatching(/127\.0\.0\.1.*ECONNREFUSED/),
    });
  });
});

describe('cancel', () => {
  test('closes the request in the middle of the stream', async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.on('close', resolve);
        begin(response);
        sendText(response, 'one');
      };
    });
    const reason = new Error('cancelled by a person');
    const outcome = ask({ signal: controller.signal, onText: () => controller.abort(reason) }).catch((error) => error);
    expect(await outcome).toBe(reason);
    await closed;
  });

  test('closes the request before the first byte', async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.on('close', resolve);
        controller.abort('stop');
      };
    });
    expect(await ask({ signal: controller.signal }).catch((error) => error)).toBe('stop');
    await closed;
  });

  test('a cancelled caller sends nothing', async () => {
    expect(await ask({ signal: AbortSignal.abort('stop') }).catch((error) => error)).toBe('stop');
    expect(received).toEqual([]);
  });

  test('a listener that throws ends the request with its own error', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.on('close', resolve);
        begin(response);
        sendText(response, 'one');
      };
    });
    const outcome = await ask({
      onText() {
        throw new Error('no room');
      },
    }).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(Error);
    await closed;
  });
});
