import { expect, test } from 'vitest';
import { z } from 'zod';
import { createPushSender, onPush } from './pushes.ts';
import { createLine } from './transport.ts';

const pushes = { tick: z.object({ count: z.number() }) } as const;

/** Returns a page's end of the connection to main, and a function for pushing from main. */
function connect() {
  const transport = createLine({ postMessage: () => undefined, close: () => undefined });
  const { deliver } = transport;
  return { transport, push: createPushSender<typeof pushes>({ post: deliver }), deliver };
}

test('pushes arrive in order until the subscription ends', () => {
  const { transport, push } = connect();
  const counts: number[] = [];
  const end = onPush(pushes, transport, { tick: ({ count }) => counts.push(count) });
  push('tick', { count: 1 });
  push('tick', { count: 2 });
  end();
  push('tick', { count: 3 });
  expect(counts).toEqual([1, 2]);
});

test('ignores messages that are not pushes', () => {
  const { transport, deliver } = connect();
  const counts: number[] = [];
  onPush(pushes, transport, { tick: ({ count }) => counts.push(count) });
  for (const message of [null, 7, { kind: 'reply', id: 1 }, { kind: 'push', name: 7 }]) deliver(message);
  expect(counts).toEqual([]);
});

test('throws pushes that violate the contract and does not deliver them to subscribers', () => {
  const { transport, deliver } = connect();
  const counts: number[] = [];
  onPush(pushes, transport, { tick: ({ count }) => counts.push(count) });
  expect(() => deliver({ kind: 'push', name: 'tick', payload: { count: 'one' } })).toThrow(/tick: count: /);
  expect(() => deliver({ kind: 'push', name: 'constructor', payload: {} })).toThrow(/Unknown push: constructor/);
  expect(counts).toEqual([]);
});
