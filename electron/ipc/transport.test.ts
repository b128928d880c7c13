import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { EngineError } from '../../engine/base/engine-error.ts';
import { type MainBridge, transportOverBridge } from './bridge.ts';
import { call, createClient } from './rpc.ts';
import { createDispatcher } from './rpc-server.ts';
import { transportOverPort } from './transport.ts';

const contract = { double: call([z.number()], z.number()), fail: call([], z.void()) };
const dispatch = createDispatcher(contract, {
  double: (value) => value * 2,
  fail: () => {
    throw new EngineError({ code: 'run.not-found', message: 'No run r1.' });
  },
});

test('the end of a line is told once, and not to listeners that have ended', () => {
  const near = transportOverPort(new MessageChannel().port1);
  const told: string[] = [];
  near.onClose(() => told.push('kept'));
  near.onClose(() => told.push('ended'))();
  near.close();
  near.close();
  expect(told).toEqual(['kept']);
});

test('the bridge to main carries calls with the same client code', async () => {
  const bridge: MainBridge = { call: dispatch, onPush: () => () => undefined };
  const client = createClient(contract, transportOverBridge(bridge));
  expect(await client.call('double', 4)).toBe(8);
  await expect(client.call('fail')).rejects.toMatchObject({ code: 'run.not-found' });
});

test('the bridge turns a call that main never answers into rpc.disconnected', async () => {
  const bridge: MainBridge = {
    call: () => Promise.reject(new Error('reply was never sent')),
    onPush: () => () => undefined,
  };
  const client = createClient(contract, transportOverBridge(bridge));
  await expect(client.call('double', 4)).rejects.toMatchObject({ code: 'rpc.disconnected' });
});
