import { runInNewContext } from 'node:vm';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { call as callOf, createClient, findUnsendable, stream } from './rpc.ts';

import { serve } from './rpc-server.ts';
import { type PortTransport, transportOverPort } from './transport.ts';

const contract = { echo: callOf([z.unknown()], z.unknown()), ticks: stream(z.number()) } as const;

const openPorts: PortTransport[] = [];

function connect() {
  const { port1, port2 } = new MessageChannel();
  const [near, far] = [transportOverPort(port1), transportOverPort(port2)];
  openPorts.push(near, far);
  serve(contract, { echo: (value) => value, ticks: () => () => undefined }, far);
  return { near, call: createClient(contract, near).call };
}

function circle(): unknown {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}

afterEach(() => {
  for (const port of openPorts.splice(0)) port.close();
});

test.each([
  ['a Blob', { file: new Blob(['x']) }, '[0].file is a Blob'],
  ['a File in a list', [[new File(['x'], 'y')]], '[0][0][0] is a File'],
  ['a Map', new Map(), '[0] is a Map'],
  ['a date', new Date(), '[0] is a Date'],
  ['an error', new Error('x'), '[0] is a Error'],
  ['a promise', Promise.resolve(), '[0] is a Promise'],
  ['a function', { fn: () => 1 }, '[0].fn is a function'],
  ['a symbol', Symbol('x'), '[0] is a symbol'],
  ['an instance of a class', new (class Thing {})(), '[0] is a Object'],
  ['a circular reference', circle(), 'is nested deeper than 1000 levels'],
])('rejects %s among the arguments of a call before it is sent', async (_, value, why) => {
  const { call, near } = connect();
  const post = vi.spyOn(near, 'post');
  await expect(call('echo', value)).rejects.toMatchObject({
    code: 'rpc.bad-params',
    message: expect.stringContaining(`${why}, which cannot be sent`),
  });
  expect(post).not.toHaveBeenCalled();
});

test('sends plain data, bytes, objects without a prototype and objects from another realm', async () => {
  const { call } = connect();
  const bare = Object.assign(Object.create(null), { a: [1, null, undefined, 'x'] });
  expect(await call('echo', bare)).toEqual({ a: [1, null, undefined, 'x'] });
  expect(await call('echo', runInNewContext('({ a: [1] })'))).toEqual({ a: [1] });
  expect(await call('echo', new Uint8Array([1, 2]))).toEqual(new Uint8Array([1, 2]));
  expect(findUnsendable([new ArrayBuffer(1), 1n, Number.NaN])).toBeUndefined();
});

test('replies to unreadable messages with an error, including their number if they have one', async () => {
  const { near } = connect();
  const answers: unknown[] = [];
  near.onMessage((message) => answers.push(message));
  // A port delivers null in place of a message that it could not carry.
  for (const message of [
    null,
    { kind: 'call', id: 5, name: 7 },
    { kind: 'stream', id: 6, name: 'constructor' },
    { kind: 'reply', id: 1 },
  ]) {
    near.post(message);
  }
  const refusal = (id: number | null, code: string) => ({ id, kind: 'reply', reply: { ok: false, error: { code } } });
  await expect
    .poll(() => answers)
    .toMatchObject([
      refusal(null, 'rpc.unreadable'),
      refusal(5, 'rpc.unreadable'),
      refusal(6, 'rpc.unknown-method'),
      refusal(null, 'rpc.unreadable'),
    ]);
});
