import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { transportOverPort } from './transport.ts';

test('reports the end of a connection once, and not to removed listeners', () => {
  const near = transportOverPort(new MessageChannel().port1);
  const told: string[] = [];
  near.onClose(() => told.push('kept'));
  near.onClose(() => told.push('ended'))();
  near.close();
  near.close();
  expect(told).toEqual(['kept']);
});
