import { expect, test } from 'vitest';
import { Listeners } from './listeners.ts';

test('a function can subscribe twice, and each returned function removes its own subscription', () => {
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

test('an error of one listener does not affect the others', () => {
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

test('subscriptions changed during a call do not add listeners to it, and removed ones are still called', () => {
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
