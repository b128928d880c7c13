import { expect, test, vi } from 'vitest';
import { onAbort } from './on-abort.ts';

test('everybody who listens is told once, in order, and nobody who has ended it', () => {
  const controller = new AbortController();
  const told: string[] = [];
  const twice = (): void => void told.push('twice');
  onAbort(controller.signal, () => told.push('first'));
  const end = onAbort(controller.signal, () => told.push('ended'));
  onAbort(controller.signal, twice);
  onAbort(controller.signal, twice);
  end();
  end();
  controller.abort();
  controller.abort();
  expect(told).toEqual(['first', 'twice', 'twice']);
});

test('one who is told may end another, who is not told any more', () => {
  const controller = new AbortController();
  const told: string[] = [];
  onAbort(controller.signal, () => {
    told.push('first');
    end();
  });
  const end = onAbort(controller.signal, () => told.push('second'));
  controller.abort();
  expect(told).toEqual(['first']);
});

test('a signal has one listener for all of them, and none when the last has gone', () => {
  const { signal } = new AbortController();
  const add = vi.spyOn(signal, 'addEventListener');
  const remove = vi.spyOn(signal, 'removeEventListener');
  const ends = Array.from({ length: 50 }, () => onAbort(signal, () => undefined));
  expect(add).toHaveBeenCalledTimes(1);
  for (const end of ends.slice(1)) end();
  expect(remove).not.toHaveBeenCalled();
  ends[0]?.();
  expect(remove).toHaveBeenCalledTimes(1);
  onAbort(signal, () => undefined);
  expect(add).toHaveBeenCalledTimes(2);
});
