import { expect, test } from 'vitest';
import { z } from 'zod';
import { createPushSender, onPush } from './pushes.ts';
import { createLine } from './transport.ts';

const pushes = { tick: z.object({ count: z.number() }) } as const;

/** A page's end of the line to main, and main's way to push. */
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

test('messages that are no pushes are ignored', () => {
  const { transport, deliver } = connect();
  const counts: number[] = [];
  onPush(pushes, transport, { tick: ({ count }) => counts.push(count) });
  for (const message of [null, 7, { kind: 'reply', id: 1 }, { kind: 'push', name: 7 }]) deliver(message);
  expect(counts).toEqual([]);
});

test('pushes that break the contract are thrown and reach no listener', () => {
  const { transport, deliver } = connect();
  const counts: number[] = [];
  onPush(pushes, transport, { tick: ({ count }) => counts.push(count) });
  expect(() => deliver({ kind: 'push', name: 'tick', payload: { count: 'one' } })).toThrow(/tick: count: /);
  expect(() => deliver({ kind: 'push', name: 'constructor', payload: {} })).toThrow(/no push named constructor/);
  expect(counts).toEqual([]);
});
