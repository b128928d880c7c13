import { expect, test, vi } from 'vitest';
import { onAbort } from './on-abort.ts';

test('calls every listener once, in order, and no removed ones', () => {
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

test('a listener can remove another, which is then not called', () => {
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

test('a signal has a single listener for all of them, and none after the last was removed', () => {
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
