import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { EngineError } from '../../engine/base/engine-error.ts';
import { type MainBridge, transportOverBridge } from './bridge.ts';
import { type Client, createClient, createDispatcher, createPushSender, type Handlers, onPush, serve } from './rpc.ts';
import { type PortTransport, transportOverPort } from './transport.ts';

const contract = {
  'sum.of': {
    params: z.strictObject({ terms: z.array(z.number()), scale: z.number().default(1) }),
    result: z.object({ total: z.number() }),
  },
  'wait.forEver': { params: z.strictObject({}), result: z.object({}) },
  fail: {
    params: z.strictObject({ how: z.enum(['expected', 'bug', 'uncloneable', 'bad-result']) }),
    result: z.object({}),
  },
} as const;

const pushes = { tick: z.object({ count: z.number() }) } as const;

/** What a faulty handler may return in spite of its type. */
const unfitResults: Record<string, unknown> = { uncloneable: { fn: () => undefined }, 'bad-result': 'text' };

const handlers: Handlers<typeof contract> = {
  'sum.of': ({ terms, scale }) => ({ total: terms.reduce((sum, term) => sum + term, 0) * scale }),
  'wait.forEver': () => new Promise(() => undefined),
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

function connectServed(): { call: Client<typeof contract>; near: PortTransport; far: PortTransport } {
  const [near, far] = connect();
  serve(contract, handlers, far);
  return { call: createClient(contract, near), near, far };
}

/** The error of a promise that must reject, reduced to what a caller may rely on. */
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
});

describe('calls', () => {
  test('a call is answered with the checked result, and defaults of the schema are filled in on arrival', async () => {
    const { call } = connectServed();
    expect(await call('sum.of', { terms: [1, 2] })).toEqual({ total: 3 });
    expect(await call('sum.of', { terms: [1, 2], scale: 10 })).toEqual({ total: 30 });
  });

  test('many calls at once get each its own answer', async () => {
    const { call } = connectServed();
    const totals = await Promise.all([...Array(50).keys()].map((n) => call('sum.of', { terms: [n, n] })));
    expect(totals.map(({ total }) => total)).toEqual([...Array(50).keys()].map((n) => 2 * n));
  });

  test('types of params and results come from the table', () => {
    const { call } = connectServed();
    expectTypeOf(call<'sum.of'>)
      .parameter(1)
      .toEqualTypeOf<{ terms: number[]; scale?: number | undefined }>();
    expectTypeOf(call<'sum.of'>).returns.resolves.toEqualTypeOf<{ total: number }>();
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

  test('a bug in a handler arrives with the code internal, and the server lives on', async () => {
    const { call } = connectServed();
    expect(await rejection(call('fail', { how: 'bug' }))).toEqual({ code: 'internal', message: 'x is undefined' });
    expect(await call('sum.of', { terms: [1] })).toEqual({ total: 1 });
  });

  test('a result that cannot be cloned is answered with an error, so the caller does not wait for ever', async () => {
    const { call } = connectServed();
    expect(await rejection(call('fail', { how: 'uncloneable' }))).toMatchObject({ code: 'internal' });
  });

  test('a result that breaks the contract is refused by the client', async () => {
    const { call } = connectServed();
    expect(await rejection(call('fail', { how: 'bad-result' }))).toMatchObject({ code: 'rpc.bad-result' });
  });

  test('params that break the contract are refused with the path of each problem', async () => {
    const { call } = connectServed();
    const bad = { terms: [1, 'two', 3], extra: true } as unknown as { terms: number[] }; // what a faulty page could send
    expect(await rejection(call('sum.of', bad))).toEqual({
      code: 'rpc.bad-params',
      message: expect.stringMatching(/sum\.of: terms\.1: .*extra/s),
    });
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'sum'])(
    'the unknown or inherited name %s is refused',
    async (name) => {
      const [near, far] = connect();
      serve(contract, handlers, far);
      const call = createClient({ ...contract, [name]: contract.fail }, near) as (
        name: string,
        params: object,
      ) => Promise<unknown>;
      expect(await rejection(call(name, { how: 'bug' }))).toMatchObject({ code: 'rpc.unknown-method' });
    },
  );

  test('messages that are no calls are ignored', async () => {
    const { call, near } = connectServed();
    for (const message of [
      null,
      7,
      'call',
      { kind: 'call' },
      { kind: 'call', id: 'x', method: 'fail' },
      { kind: 'reply', id: 1 },
    ]) {
      near.post(message);
    }
    expect(await call('sum.of', { terms: [2] })).toEqual({ total: 2 });
  });

  test('after the end of serving, calls are no longer answered', async () => {
    const [near, far] = connect();
    const end = serve(contract, handlers, far);
    const call = createClient(contract, near);
    await call('sum.of', { terms: [] });
    end();
    const unanswered = rejection(call('sum.of', { terms: [1] }));
    far.close();
    expect(await unanswered).toMatchObject({ code: 'rpc.disconnected' });
  });
});

describe('a cut connection', () => {
  test.each(['near', 'far'] as const)('rejects waiting and later calls when the %s end closes', async (end) => {
    const connection = connectServed();
    const waiting = rejection(connection.call('wait.forEver', {}));
    connection[end].close();
    expect(await waiting).toMatchObject({ code: 'rpc.disconnected' });
    expect(await rejection(connection.call('sum.of', { terms: [] }))).toMatchObject({ code: 'rpc.disconnected' });
  });

  test('a client made over a transport that is cut already rejects at once', async () => {
    const [near] = connect();
    near.close();
    expect(await rejection(createClient(contract, near)('sum.of', { terms: [] }))).toMatchObject({
      code: 'rpc.disconnected',
    });
  });

  test('is told once, and not to listeners that have ended', () => {
    const [near] = connect();
    const told: string[] = [];
    near.onClose(() => told.push('kept'));
    near.onClose(() => told.push('ended'))();
    near.close();
    near.close();
    expect(told).toEqual(['kept']);
  });
});

describe('pushes', () => {
  test('arrive in order, beside calls on the same line, until the subscription ends', async () => {
    const { call, near, far } = connectServed();
    const push = createPushSender<typeof pushes>(far);
    const counts: number[] = [];
    const end = onPush(pushes, near, { tick: ({ count }) => counts.push(count) });
    push('tick', { count: 1 });
    push('tick', { count: 2 });
    await call('sum.of', { terms: [] });
    end();
    push('tick', { count: 3 });
    await call('sum.of', { terms: [] });
    expect(counts).toEqual([1, 2]);
  });

  test('that break the contract are thrown and reach no listener', () => {
    let deliver: (message: unknown) => void = () => undefined;
    const counts: number[] = [];
    const source = {
      onMessage: (listener: typeof deliver) => {
        deliver = listener;
        return () => undefined;
      },
    };
    onPush(pushes, source, { tick: ({ count }) => counts.push(count) });
    expect(() => deliver({ kind: 'push', name: 'tick', payload: { count: 'one' } })).toThrow(/tick: count: /);
    expect(() => deliver({ kind: 'push', name: 'constructor', payload: {} })).toThrow(/no push named constructor/);
    expect(counts).toEqual([]);
  });
});

describe('the bridge to main', () => {
  const dispatch = createDispatcher(contract, handlers);

  test('carries calls and pushes with the same client code', async () => {
    let push: (message: unknown) => void = () => undefined;
    const bridge: MainBridge = {
      call: dispatch,
      onPush: (listener) => {
        push = listener;
        return () => undefined;
      },
    };
    const transport = transportOverBridge(bridge);
    const call = createClient(contract, transport);
    const counts: number[] = [];
    onPush(pushes, transport, { tick: ({ count }) => counts.push(count) });
    push({ kind: 'push', name: 'tick', payload: { count: 5 } });
    expect(counts).toEqual([5]);
    expect(await call('sum.of', { terms: [4] })).toEqual({ total: 4 });
    expect(await rejection(call('fail', { how: 'expected' }))).toMatchObject({ code: 'run.not-found' });
  });

  test('turns a call that main never answers into rpc.disconnected', async () => {
    const bridge: MainBridge = {
      call: () => Promise.reject(new Error('reply was never sent')),
      onPush: () => () => undefined,
    };
    const call = createClient(contract, transportOverBridge(bridge));
    expect(await rejection(call('sum.of', { terms: [] }))).toMatchObject({ code: 'rpc.disconnected' });
  });
});
