import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** Moves the clock on while an update works. */
function work(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

let inLiveFrame: typeof import('./live-frame.ts').inLiveFrame;

beforeEach(async () => {
  // The module remembers the last update, which must not be that of another test.
  vi.resetModules();
  ({ inLiveFrame } = await import('./live-frame.ts'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame', 'Date'] });
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Asks for an update and returns how many milliseconds pass before it. */
function waitForUpdate(update: () => void = () => undefined): number {
  const asked = performance.now();
  let ran: number | undefined;
  inLiveFrame(() => {
    ran = performance.now();
    update();
  });
  while (ran === undefined) vi.advanceTimersByTime(1);
  vi.advanceTimersByTime(1);
  return ran - asked;
}

test('updates in the next frame, all that wait in the same one', () => {
  const ran: string[] = [];
  inLiveFrame(() => ran.push('a'));
  inLiveFrame(() => ran.push('b'));
  inLiveFrame(() => ran.push('cancelled'))();
  vi.advanceTimersToNextFrame();
  expect(ran).toEqual(['a', 'b']);
  vi.advanceTimersByTime(100);
  expect(ran).toEqual(['a', 'b']);
});

test('short updates follow each other without a pause', () => {
  expect(waitForUpdate(() => work(3))).toBeLessThanOrEqual(16);
  expect(waitForUpdate()).toBeLessThanOrEqual(16);
});

test('an update that took long is followed by a pause ten times as long, and a late one by 400 ms', () => {
  waitForUpdate(() => work(8));
  const waited = waitForUpdate();
  expect(waited).toBeGreaterThanOrEqual(70);
  expect(waited).toBeLessThanOrEqual(110);
  for (const late of [20, 400]) {
    waitForUpdate(() => work(late));
    const pause = waitForUpdate();
    expect(pause).toBeGreaterThanOrEqual(390);
    expect(pause).toBeLessThanOrEqual(420);
  }
  expect(waitForUpdate()).toBeLessThanOrEqual(16);
});

test('an update that is asked for during a long one waits for the pause, too', () => {
  let ran = 0;
  inLiveFrame(() => {
    inLiveFrame(() => {
      ran = performance.now();
    });
    work(20);
  });
  const asked = performance.now();
  vi.advanceTimersByTime(600);
  expect(ran - asked).toBeGreaterThanOrEqual(210);
});

test('an update that fails is reported and does not keep the others from running', () => {
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  const ran: string[] = [];
  inLiveFrame(() => {
    throw new Error('odd');
  });
  inLiveFrame(() => ran.push('b'));
  vi.advanceTimersToNextFrame();
  expect(ran).toEqual(['b']);
  expect(reported).toEqual([new Error('odd')]);
  vi.unstubAllGlobals();
});
