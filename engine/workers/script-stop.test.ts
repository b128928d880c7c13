import { expect, test, vi } from 'vitest';
import { ScriptStop } from './script-stop.ts';

test('a script is stopped once, for the first reason, and its signal has the same reason', () => {
  const outer = new AbortController();
  const stop = new ScriptStop(outer.signal);
  const { signal } = stop;
  const heard = vi.fn();
  stop.onStop(heard);
  outer.abort('cancelled');
  stop.stop('too late');
  expect(stop).toMatchObject({ isStopped: true, reason: 'cancelled' });
  expect(signal).toMatchObject({ aborted: true, reason: 'cancelled' });
  expect(heard).toHaveBeenCalledTimes(1);
});

test('a signal that is asked for afterwards has aborted', () => {
  const stop = new ScriptStop(AbortSignal.abort('before'));
  expect(stop).toMatchObject({ isStopped: true, reason: 'before' });
  expect(stop.signal).toMatchObject({ aborted: true, reason: 'before' });
});

test('a stop without a reason is a stop', () => {
  const stop = new ScriptStop(new AbortController().signal);
  stop.stop(undefined);
  stop.stop('later');
  expect(stop).toMatchObject({ isStopped: true, reason: undefined });
});

test('who no longer listens hears nothing, and the others are not left out', () => {
  const stop = new ScriptStop(new AbortController().signal);
  const [first, second] = [vi.fn(), vi.fn()];
  const leave = stop.onStop(() => {
    leave();
    first();
  });
  stop.onStop(second);
  stop.onStop(first)();
  stop.stop('now');
  expect(first).toHaveBeenCalledTimes(1);
  expect(second).toHaveBeenCalledTimes(1);
});

test('a script that has ended holds no listener on the signal of its run', () => {
  const outer = new AbortController();
  const listen = vi.spyOn(outer.signal, 'addEventListener');
  const leave = vi.spyOn(outer.signal, 'removeEventListener');
  const stop = new ScriptStop(outer.signal);
  stop.close();
  expect([listen.mock.calls.length, leave.mock.calls.length]).toEqual([1, 1]);
  outer.abort('cancelled');
  expect(stop.isStopped).toBe(false);
});
