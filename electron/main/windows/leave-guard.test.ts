import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRunQuestion, LeaveGuard, type LeaveQuestion, type LeavingWindow } from './leave-guard.ts';

/** Events, in order. */
const told: string[] = [];
/** Names of the questions that have something at stake. */
const atStake = new Set<string>();
/** Resolvers of open questions. */
const waiting: ((mayLeave: boolean) => void)[] = [];

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function question(name: string): LeaveQuestion<LeavingWindow> {
  return {
    isAtStake: () => atStake.has(name),
    ask(ending, window) {
      told.push(`${name}? ${ending}${window === null ? '' : ' of a window'}`);
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}

class TestWindow extends EventEmitter {
  isGone = false;
  isDestroyed = () => this.isGone;
  destroy = () => {
    this.isGone = true;
    told.push('destroyed');
  };

  /** @returns whether it may close immediately */
  close(): boolean {
    let isPrevented = false;
    this.emit('close', { preventDefault: () => (isPrevented = true) });
    return !isPrevented;
  }
}

/** The part of Electron's app that concerns quitting. */
class TestApp extends EventEmitter {
  quit(): void {
    let isPrevented = false;
    this.emit('before-quit', { preventDefault: () => (isPrevented = true) });
    told.push(isPrevented ? 'quit prevented' : 'quit');
  }
}

let app: TestApp;
let window: TestWindow;
let guard: LeaveGuard<LeavingWindow>;
let leaving: LeavingWindow;

beforeEach(() => {
  for (const list of [told, waiting]) list.length = 0;
  atStake.clear();
  [app, window] = [new TestApp(), new TestWindow()];
  // Only the events and methods that the guard uses.
  leaving = { browserWindow: window as unknown as BrowserWindow };
  guard = new LeaveGuard(app, [question('runs'), question('text')]);
  guard.watchClosing(leaving);
});

afterEach(() => {
  for (const signal of signals) process.removeAllListeners(signal);
});

async function answer(mayLeave: boolean): Promise<void> {
  waiting.shift()?.(mayLeave);
  await new Promise((resolve) => setImmediate(resolve));
}

describe('closing a window', () => {
  test('closes immediately if nothing is at stake', () => {
    expect([window.close(), told]).toEqual([true, []]);
  });

  test('asks one question after the other, and closes when all are answered with yes', async () => {
    atStake.add('runs').add('text');
    expect(window.close()).toBe(false);
    expect(told).toEqual(['runs? closeWindow of a window']);
    await answer(true);
    expect(told.slice(1)).toEqual(['text? closeWindow of a window']);
    await answer(true);
    expect(told.slice(2)).toEqual(['destroyed']);
  });

  test('stops at the first no, and can be retried', async () => {
    atStake.add('runs').add('text');
    window.close();
    await answer(false);
    expect(told).toEqual(['runs? closeWindow of a window']);
    window.close();
    expect(told).toHaveLength(2);
  });

  test('skips a question that has nothing at stake when its turn comes', async () => {
    atStake.add('runs').add('text');
    window.close();
    atStake.delete('text');
    await answer(true);
    expect(told).toEqual(['runs? closeWindow of a window', 'destroyed']);
  });

  test('never shows two questions at once', async () => {
    atStake.add('text');
    guard.watchQuitting();
    window.close();
    window.close();
    app.quit();
    expect(await guard.mayLeave(leaving, 'openFolder')).toBe(false);
    expect(told).toEqual(['text? closeWindow of a window', 'quit prevented']);
    await answer(false);
    app.quit();
    expect(told.slice(2)).toEqual(['text? quit', 'quit prevented']);
  });
});

describe('quitting', () => {
  beforeEach(() => guard.watchQuitting());

  test('quits immediately if nothing is at stake', () => {
    app.quit();
    expect(told).toEqual(['quit']);
  });

  test('asks once, and then no window asks again', async () => {
    atStake.add('text');
    app.quit();
    await answer(true);
    expect(told).toEqual(['text? quit', 'quit prevented', 'quit']);
    expect([window.close(), await guard.mayLeave(leaving, 'openFolder')]).toEqual([true, true]);
  });

  test.each(signals)('does not ask if the system ends the program with %s', (signal) => {
    atStake.add('runs').add('text');
    process.emit(signal);
    expect([told, window.close()]).toEqual([['quit'], true]);
  });
});

describe('the question about runs', () => {
  const shown: unknown[] = [];
  const runs = createRunQuestion<{ runsAtStake(): number }>(
    () => 3,
    async (options, of) => {
      shown.push([options.message, options.detail, options.buttons, of !== null]);
      return { response: 1, checkboxChecked: false };
    },
  );

  test('concerns the runs of the window or of the whole program, which continue unless the user agrees', async () => {
    const one = { runsAtStake: () => 1 };
    expect([runs.isAtStake({ runsAtStake: () => 0 }), runs.isAtStake(one), runs.isAtStake(null)]).toEqual([
      false,
      true,
      true,
    ]);
    expect([await runs.ask('openFolder', one), await runs.ask('quit', null)]).toEqual([false, false]);
    const kept = 'What was done until then is kept in the history.';
    expect(shown).toEqual([
      [
        'A run is still under way.',
        `Opening another folder in this window cancels it. ${kept}`,
        ['Cancel Run and Open', 'Keep Running'],
        true,
      ],
      [
        '3 runs are still under way.',
        `Quitting cancels them. ${kept}`,
        ['Cancel Runs and Quit', 'Keep Running'],
        false,
      ],
    ]);
  });
});
