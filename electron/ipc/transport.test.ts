import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { transportOverPort } from './transport.ts';

test('the end of a line is told once, and not to listeners that have ended', () => {
  const near = transportOverPort(new MessageChannel().port1);
  const told: string[] = [];
  near.onClose(() => told.push('kept'));
  near.onClose(() => told.push('ended'))();
  near.close();
  near.close();
  expect(told).toEqual(['kept']);
});
