import { type JSONRPCMessage, SdkErrorCode, type Transport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { CallChannel } from './call-channel.ts';

type Sent = JSONRPCMessage & { readonly id: number; readonly params: Readonly<Record<string, unknown>> };

interface World {
  readonly channel: CallChannel;
  readonly sent: Sent[];
  /** Messages that were passed on to the SDK. */
  readonly passedOn: JSONRPCMessage[];
  readonly errors: string[];
  readonly transport: Transport;
  answer(message: object): void;
}

/** @param send called for each message that is sent */
function worldOf(send: () => Promise<void> = async () => undefined): World {
  const sent: Sent[] = [];
  const passedOn: JSONRPCMessage[] = [];
  const errors: string[] = [];
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send(message) {
      sent.push(message as Sent);
      return send();
    },
    onmessage: (message) => void passedOn.push(message),
    onerror: ({ message }) => void errors.push(message),
  };
  const channel = new CallChannel(transport);
  const answer = (message: object): void => transport.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  return { channel, sent, passedOn, errors, transport, answer };
}

const { signal } = new AbortController();

describe('the result of a call', () => {
  test.each<{ readonly what: string; readonly answer: (id: number) => object; readonly gives: object }>([
    { what: 'a result', answer: (id) => ({ id, result: { content: [] } }), gives: { content: [] } },
    { what: 'a result with the id as text', answer: (id) => ({ id: String(id), result: { a: 1 } }), gives: { a: 1 } },
    { what: 'an empty result', answer: (id) => ({ id, result: {} }), gives: {} },
    {
      what: 'a result with fields that the SDK does not know',
      answer: (id) => ({ id, result: { content: 'text', other: [null], structuredContent: { deep: [[1]] } } }),
      gives: { content: 'text', other: [null], structuredContent: { deep: [[1]] } },
    },
  ])('$what arrives as the server sent it', async ({ answer, gives }) => {
    const world = worldOf();
    const call = world.channel.callTool({ name: 'echo', arguments: { text: 'hello' } }, { signal });
    const params = { name: 'echo', arguments: { text: 'hello' } };
    expect(world.sent).toEqual([{ jsonrpc: '2.0', id: expect.any(Number), method: 'tools/call', params }]);
    world.answer(answer(world.sent[0]?.id ?? 0));
    expect(await call).toEqual(gives);
    expect(world.passedOn).toEqual([]);
  });

  test.each([
    { what: 'an error', more: { error: { code: -32602, message: 'bad' } }, code: -32602 },
    { what: 'an error with data', more: { error: { code: -32000, message: 'bad', data: { a: 1 } } }, code: -32000 },
    { what: 'a result that is a list', more: { result: [] }, code: undefined },
    { what: 'a result that is null', more: { result: null }, code: undefined },
  ])('$what fails the call', async ({ more, code }) => {
    const world = worldOf();
    const call = world.channel.callTool({ name: 'echo', arguments: {} }, { signal });
    world.answer({ id: world.sent[0]?.id, ...more });
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect((error as { code?: number }).code).toBe(code);
  });

  test('overlapping calls get their own results in any order', async () => {
    const world = worldOf();
    const calls = Array.from({ length: 20 }, (_, n) =>
      world.channel.callTool({ name: 'echo', arguments: { n } }, { signal }),
    );
    for (const { id, params } of [...world.sent].reverse()) world.answer({ id, result: { got: params['arguments'] } });
    expect(await Promise.all(calls)).toEqual(calls.map((_, n) => ({ got: { n } })));
  });
});

describe('messages that are not results of a call are passed on to the SDK', () => {
  test.each([
    { what: 'an answer to the SDK', of: () => ({ id: 0, result: {} }) },
    { what: 'an answer with an unknown id', of: () => ({ id: 7_000_000_000, result: {} }) },
    { what: 'a request of the server with the id of an open call', of: (id: number) => ({ id, method: 'ping' }) },
    { what: 'a notification', of: () => ({ method: 'notifications/tools/list_changed' }) },
  ])('$what', async ({ of }) => {
    const world = worldOf();
    const call = world.channel.callTool({ name: 'echo', arguments: {} }, { signal });
    const id = world.sent[0]?.id ?? 0;
    world.answer(of(id));
    expect(world.passedOn).toHaveLength(1);
    world.answer({ id, result: {} });
    expect(await call).toEqual({});
    world.answer({ id, result: { again: true } });
    expect(world.passedOn).toHaveLength(2);
  });
});

describe('the early end of a call', () => {
  test('cancels the call on the server when its signal aborts', async () => {
    const world = worldOf();
    const stop = new AbortController();
    const call = world.channel.callTool({ name: 'echo', arguments: {} }, { signal: stop.signal });
    stop.abort(new Error('no longer'));
    await expect(call).rejects.toThrow('no longer');
    const { id } = world.sent[0] ?? {};
    expect(world.sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
  });

  test('sends nothing if the signal has already aborted', async () => {
    const world = worldOf();
    await expect(
      world.channel.callTool({ name: 'echo', arguments: {} }, { signal: AbortSignal.abort(new Error('too late')) }),
    ).rejects.toThrow('too late');
    expect(world.sent).toEqual([]);
  });

  test('fails calls when the connection closes, after notifying the SDK, and sends no later calls', async () => {
    const world = worldOf();
    const calls = [1, 2].map((n) =>
      world.channel.callTool({ name: 'echo', arguments: { n } }, { signal }).catch((error: unknown) => error),
    );
    world.transport.onclose?.();
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: SdkErrorCode.ConnectionClosed });
    await expect(world.channel.callTool({ name: 'echo', arguments: {} }, { signal })).rejects.toThrow('Not connected');
    expect(world.sent).toHaveLength(2);
  });

  test('fails with the reason if a call cannot be sent, and reports a cancellation that cannot be sent', async () => {
    const world = worldOf(() => Promise.reject(new Error('broken pipe')));
    await expect(world.channel.callTool({ name: 'echo', arguments: {} }, { signal })).rejects.toThrow('broken pipe');
    const stop = new AbortController();
    const call = world.channel.callTool({ name: 'echo', arguments: {} }, { signal: stop.signal });
    stop.abort(new Error('no longer'));
    await expect(call).rejects.toThrow('no longer');
    await Promise.resolve();
    expect(world.errors).toEqual([expect.stringContaining('broken pipe')]);
  });
});
