import { expect, test } from 'vitest';
import { Listeners } from './listeners.ts';

test('one function may subscribe twice, and each end ends its own', () => {
  const told: number[] = [];
  const listeners = new Listeners<[number]>();
  const note = (value: number): void => void told.push(value);
  const end = listeners.add(note);
  listeners.add(note);
  end();
  end();
  listeners.tell(() => {}, 7);
  expect([told, listeners.count]).toEqual([[7], 1]);
});

test('who throws keeps nobody else from being told', () => {
  const told: string[] = [];
  const thrown: unknown[] = [];
  const listeners = new Listeners<[string]>();
  listeners.add(() => {
    throw 'not an error';
  });
  listeners.add((word) => told.push(word));
  listeners.tell((error) => thrown.push(error), 'hello');
  expect([told, thrown]).toEqual([['hello'], ['not an error']]);
});

test('who subscribes or leaves while others are told does not change who is told this time', () => {
  const told: string[] = [];
  const listeners = new Listeners<[]>();
  listeners.add(() => {
    told.push('first');
    endSecond();
    listeners.add(() => told.push('late'));
  });
  const endSecond = listeners.add(() => told.push('second'));
  listeners.tell(() => {});
  expect(told).toEqual(['first', 'second']);
});
