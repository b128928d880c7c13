import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { EngineError } from '../../engine/base/engine-error.ts';
import {
  type ArgsOf,
  type Client,
  call as callOf,
  cancellableCall,
  createClient,
  type ResultOf,
  type RpcHandlers,
  stream as streamOf,
} from './rpc.ts';
import { createDispatcher, serve } from './rpc-server.ts';
import { type PortTransport, transportOverPort } from './transport.ts';

const contract = {
  'sum.of': callOf(
    [z.strictObject({ terms: z.array(z.number()), scale: z.number().default(1) })],
    z.object({ total: z.number() }),
  ),
  /** The second of the two arguments is optional. */
  join: callOf([z.string(), z.string().optional()], z.string()),
  'wait.forEver': cancellableCall([], z.void()),
  ticks: streamOf(z.number()),
  fail: callOf([z.strictObject({ how: z.enum(['expected', 'bug', 'uncloneable', 'bad-result']) })], z.object({})),
} as const;

/** Results of a faulty handler that violate its type. */
const unfitResults: Record<string, unknown> = { uncloneable: { fn: () => undefined }, 'bad-result': 'text' };

/** The abort reasons of active calls. */
const stopped: unknown[] = [];
/** Functions that send an item to an active stream. */
const ticking = new Set<(item: number) => Promise<void>>();

const handlers: RpcHandlers<typeof contract> = {
  'sum.of': ({ terms, scale }) => ({ total: terms.reduce((sum, term) => sum + term, 0) * scale }),
  join: (left, right = '') => left + right,
  'wait.forEver': (signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        stopped.push(signal.reason);
        reject(signal.reason);
      });
    }),
  ticks(push) {
    ticking.add(push);
    return () => ticking.delete(push);
  },
  fail: ({ how }) => {
    if (how === 'expected') throw new EngineError({ code: 'run.not-found', message: 'No run r1.', recoverable: true });
    if (how === 'bug') throw new TypeError('x is undefined');
    return unfitResults[how] as Record<string, never>;
  },
};

const openPorts: PortTransport[] = [];

function connect(): [PortTransport, PortTransport] {
  const { port1, port2 } = new MessageChannel();
  const ends: [PortTransport, PortTransport] = [transportOverPort(port1), transportOverPort(port2)];
  openPorts.push(...ends);
  return ends;
}

function connectServed(): Client<typeof contract> & { near: PortTransport; far: PortTransport } {
  const [near, far] = connect();
  serve(contract, handlers, far);
  return { ...createClient(contract, near), near, far };
}

/** Returns the error of a promise that must reject, reduced to what a caller may rely on. */
async function rejection(promise: Promise<unknown>): Promise<{ code: string; message: string } | 'resolved'> {
  return promise.then(
    () => 'resolved' as const,
    (error: unknown) => {
      if (!EngineError.is(error)) throw error;
      return { code: error.code, message: error.message };
    },
  );
}

afterEach(() => {
  for (const port of openPorts.splice(0)) port.close();
  stopped.length = 0;
  ticking.clear();
});

describe('calls', () => {
  test('answers a call with the validated result and fills in schema defaults on arrival', async () => {
    const { call } = connectServed();
    expect(await call('sum.of', { terms: [1, 2] })).toEqual({ total: 3 });
    expect(await call('sum.of', { terms: [1, 2], scale: 10 })).toEqual({ total: 30 });
  });

  test('matches each of many concurrent calls with its own reply', async () => {
    const { call } = connectServed();
    const totals = await Promise.all([...Array(50).keys()].map((n) => call('sum.of', { terms: [n, n] })));
    expect(totals.map(({ total }) => total)).toEqual([...Array(50).keys()].map((n) => 2 * n));
  });

  test('types of params and results come from the contract', () => {
    type Sum = (typeof contract)['sum.of'];
    expectTypeOf<ArgsOf<Sum>>().toEqualTypeOf<[{ terms: number[]; scale?: number | undefined }]>();
    expectTypeOf<ArgsOf<(typeof contract)['wait.forEver']>>().toEqualTypeOf<[signal?: AbortSignal]>();
    expectTypeOf<ResultOf<Sum>>().toEqualTypeOf<{ total: number }>();
    const { fail: _lacking, ...incomplete } = handlers;
    // @ts-expect-error a table without a handler for `fail` does not compile
    expect(() => createDispatcher(contract, incomplete)).not.toThrow();
  });

  test('an expected failure arrives as an EngineError with code and recoverability', async () => {
    const { call } = connectServed();
    const error = await call('fail', { how: 'expected' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'run.not-found', message: 'No run r1.', recoverable: true });
    expect(EngineError.is(error)).toBe(true);
  });

  test('a bug in a handler arrives with the code internal, and the server keeps working', async () => {
    const { call } = connectServed();
    expect(await rejection(call('fail', { how: 'bug' }))).toEqual({ code: 'internal', message: 'x is undefined' });
    expect(await call('sum.of', { terms: [1] })).toEqual({ total: 1 });
  });

  test('replies with an error if a result cannot be cloned, so that the caller does not wait forever', async () => {
    const { call } = connectServed();
    expect(await rejection(call('fail', { how: 'uncloneable' }))).toMatchObject({ code: 'internal' });
  });

  test('the client rejects a result that violates the contract', async () => {
    const { call } = connectServed();
    expect(await rejection(call('fail', { how: 'bad-result' }))).toMatchObject({ code: 'rpc.bad-result' });
  });

  test('rejects params that violate the contract and lists the path of each problem', async () => {
    const { call } = connectServed();
    const bad = { terms: [1, 'two', 3], extra: true } as unknown as { terms: number[] }; // Params that a faulty page could send.
    expect(await rejection(call('sum.of', bad))).toEqual({
      code: 'rpc.bad-params',
      message: expect.stringMatching(/sum\.of: 0\.terms\.1: .*extra/s),
    });
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'sum'])(
    'rejects the unknown or inherited name %s',
    async (name) => {
      const [near, far] = connect();
      serve(contract, handlers, far);
      const client = createClient({ ...contract, [name]: contract.fail }, near);
      const call = client.call as (name: string, params: object) => Promise<unknown>;
      expect(await rejection(call(name, { how: 'bug' }))).toMatchObject({ code: 'rpc.unknown-method' });
    },
  );

  test('ignores messages that are not calls', async () => {
    const { call, near } = connectServed();
    for (const message of [
      null,
      7,
      'call',
      { kind: 'call' },
      { kind: 'call', id: 'x', name: 'fail' },
      { kind: 'cancel', id: 77 },
      { kind: 'taken', id: 77 },
      { kind: 'stream', id: 78, name: 'constructor' },
      { kind: 'stream', id: 79, name: 'sum.of' },
      { kind: 'reply', id: 1 },
    ]) {
      near.post(message);
    }
    expect(await call('sum.of', { terms: [2] })).toEqual({ total: 2 });
  });

  test('does not answer calls after serving has stopped', async () => {
    const [near, far] = connect();
    const end = serve(contract, handlers, far);
    const { call } = createClient(contract, near);
    await call('sum.of', { terms: [] });
    end();
    const unanswered = rejection(call('sum.of', { terms: [1] }));
    far.close();
    expect(await unanswered).toMatchObject({ code: 'rpc.disconnected' });
  });
});

describe('a call that can be canceled', () => {
  const reason = new Error('No longer wanted.');

  test('rejects at once with the reason of its signal, and aborts the handler', async () => {
    const { call } = connectServed();
    const controller = new AbortController();
    const waiting = call('wait.forEver', controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect.poll(() => stopped).toMatchObject([{ code: 'rpc.cancelled' }]);
  });

  test('is never sent if its signal has already aborted', async () => {
    const { call, near } = connectServed();
    const post = vi.spyOn(near, 'post');
    await expect(call('wait.forEver', AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(post).not.toHaveBeenCalled();
  });

  test('is aborted when the connection closes', async () => {
    const { call, near } = connectServed();
    const waiting = rejection(call('wait.forEver'));
    await call('sum.of', { terms: [] });
    near.close();
    expect(await waiting).toMatchObject({ code: 'rpc.disconnected' });
    await expect.poll(() => stopped).toHaveLength(1);
  });

  test('does not affect calls without a signal, which may omit arguments', async () => {
    const { call } = connectServed();
    expect([await call('join', 'a'), await call('join', 'a', 'b')]).toEqual(['a', 'ab']);
    const three = call as (name: string, ...args: unknown[]) => Promise<unknown>;
    expect(await rejection(three('join', 'a', 'b', 'c'))).toMatchObject({ code: 'rpc.bad-params' });
  });
});

describe('a stream', () => {
  const send = (item: number) => Promise.all([...ticking].map((push) => push(item)));

  test('delivers items in order until its caller ends it', async () => {
    const { call, stream } = connectServed();
    const items: number[] = [];
    const end = stream('ticks', (item) => items.push(item));
    await call('sum.of', { terms: [] });
    await send(1);
    await send(2);
    end();
    await call('sum.of', { terms: [] });
    expect({ items, goesOn: ticking.size }).toEqual({ items: [1, 2], goesOn: 0 });
  });

  test('notifies the sender when an item has been processed, which may be later', async () => {
    const { call, stream } = connectServed();
    let take: () => void = () => undefined;
    stream('ticks', () => new Promise<void>((resolve) => (take = resolve)));
    await call('sum.of', { terms: [] });
    let isTaken = false;
    const sent = send(1).then(() => {
      isTaken = true;
    });
    await call('sum.of', { terms: [] });
    expect(isTaken).toBe(false);
    take();
    await sent;
  });

  test('ends when the connection closes', async () => {
    const { call, stream, near } = connectServed();
    stream('ticks', () => undefined);
    await call('sum.of', { terms: [] });
    near.close();
    await expect.poll(() => ticking.size).toBe(0);
  });

  test('throws an item that violates the contract on the receiving side', () => {
    let deliver: (message: unknown) => void = () => undefined;
    const transport = {
      post: () => undefined,
      onClose: () => () => undefined,
      onMessage: (listener: typeof deliver) => {
        deliver = listener;
        return () => undefined;
      },
    };
    const items: number[] = [];
    createClient(contract, transport).stream('ticks', (item) => items.push(item));
    expect(() => deliver({ kind: 'item', id: 1, item: 'one' })).toThrow(/an item of ticks/);
    expect(items).toEqual([]);
  });
});

describe('a closed connection', () => {
  test.each(['near', 'far'] as const)('rejects pending and later calls when the %s end closes', async (end) => {
    const connection = connectServed();
    const waiting = rejection(connection.call('wait.forEver'));
    connection[end].close();
    expect(await waiting).toMatchObject({ code: 'rpc.disconnected' });
    expect(await rejection(connection.call('sum.of', { terms: [] }))).toMatchObject({ code: 'rpc.disconnected' });
  });

  test('a client created on a closed transport rejects at once', async () => {
    const [near] = connect();
    near.close();
    expect(await rejection(createClient(contract, near).call('sum.of', { terms: [] }))).toMatchObject({
      code: 'rpc.disconnected',
    });
  });
});
