import { expect, test, vi } from 'vitest';
import { CancelSource } from './cancel-source.ts';

function follow(signal: AbortSignal): CancelSource<unknown> {
  const source = new CancelSource<unknown>();
  source.followSignal(signal, ({ reason }) => reason);
  return source;
}

test('work is canceled once, for the first reason, and its signal has the same reason', () => {
  const outer = new AbortController();
  const source = follow(outer.signal);
  const { signal } = source;
  const listener = vi.fn();
  source.onCancel(listener);
  outer.abort('cancelled');
  source.cancel('too late');
  expect(source.reason).toBe('cancelled');
  expect(signal).toMatchObject({ aborted: true, reason: 'cancelled' });
  expect(listener).toHaveBeenCalledTimes(1);
});

test('a signal that is requested after cancellation is already aborted', () => {
  const source = follow(AbortSignal.abort('before'));
  expect(source.reason).toBe('before');
  expect(source.signal).toMatchObject({ aborted: true, reason: 'before' });
});

test('a listener that was removed is not called, and the others still are', () => {
  const source = new CancelSource<string>();
  const [first, second, removed] = [vi.fn(), vi.fn(), vi.fn()];
  const remove = source.onCancel(() => {
    remove();
    first();
  });
  source.onCancel(second);
  source.onCancel(removed)();
  source.cancel('now');
  expect([first, second, removed].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
});

test('a closed source leaves no listener on the signal that it followed', () => {
  const outer = new AbortController();
  const listen = vi.spyOn(outer.signal, 'addEventListener');
  const leave = vi.spyOn(outer.signal, 'removeEventListener');
  const source = follow(outer.signal);
  source.close();
  expect([listen.mock.calls.length, leave.mock.calls.length]).toEqual([1, 1]);
  outer.abort('cancelled');
  expect(source.reason).toBeUndefined();
});
