import { beforeEach, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../engine/testing/manual-clock.ts';
import { toHostMessage } from '../../ipc/host-messages.ts';
import { createKeyDelivery, type KeyTaker } from './key-delivery.ts';

let keys: Record<string, string>;
let clock: ManualClock;
let delivery: ReturnType<typeof createKeyDelivery>;
beforeEach(() => {
  keys = { A_KEY: 'one' };
  clock = createManualClock();
  delivery = createKeyDelivery(() => keys, clock);
});

interface Host extends KeyTaker {
  readonly received: { delivery: number; keys: Record<string, string> }[];
}

function startHost(): Host {
  const received: Host['received'] = [];
  const taker = delivery.attach((message) => {
    const checked = toHostMessage.parse(message);
    if (checked.type === 'keys') received.push(checked);
  });
  return { ...taker, received };
}

/** Returns whether a promise has settled by now. */
async function hasSettled(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, pending))])) !== pending;
}

test('a host receives the keys at its start and on every change until it exits', async () => {
  const [stays, goes] = [startHost(), startHost()];
  goes.leave();
  keys = { A_KEY: 'two' };
  void delivery.deliver();
  expect(stays.received.map((message) => message.keys['A_KEY'])).toEqual(['one', 'two']);
  expect(goes.received.map((message) => message.keys['A_KEY'])).toEqual(['one']);
});

test('a delivery completes when every host has confirmed it or exited', async () => {
  const [first, second, third] = [startHost(), startHost(), startHost()];
  const delivered = delivery.deliver();
  const last = (host: Host): number => host.received.at(-1)!.delivery;
  first.took(last(first));
  // Confirms the keys it started with.
  second.took(second.received[0]!.delivery);
  third.leave();
  expect(await hasSettled(delivered)).toBe(false);
  second.took(last(second));
  expect(await hasSettled(delivered)).toBe(true);
});

test('a delivery without hosts completes immediately', async () => {
  expect(await hasSettled(delivery.deliver())).toBe(true);
});

test('a host that does not respond delays a delivery by at most five seconds', async () => {
  const silent = startHost();
  const delivered = delivery.deliver();
  await clock.advance(4999);
  expect(await hasSettled(delivered)).toBe(false);
  await clock.advance(1);
  expect(await hasSettled(delivered)).toBe(true);
  expect(silent.received).toHaveLength(2);
});
