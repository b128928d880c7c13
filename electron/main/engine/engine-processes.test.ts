import { beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../engine/testing/manual-clock.ts';
import { createEngineProcesses, type EngineProcesses, type EngineUser } from './engine-processes.ts';
import { FakeHost } from './test-host.ts';

let clock: ManualClock;

const forked: { workspace: string; host: FakeHost }[] = [];
let lines = 0;
let processes: EngineProcesses<string>;

function createWindow(): EngineUser<string> & { readonly told: string[] } {
  const told: string[] = [];
  return {
    told,
    receivePort: (port) => told.push(port),
    receiveState: ({ state }) => told.push(state),
  };
}

function lastHost(): FakeHost {
  return forked.at(-1)!.host;
}

function running(): number {
  return forked.filter(({ host }) => host.isRunning).length;
}

/** Returns whether a promise has settled by now. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, pending))])) !== pending;
}

beforeEach(() => {
  clock = createManualClock();
  forked.length = 0;
  lines = 0;
  processes = createEngineProcesses({
    clock,
    fork: (workspace) => {
      const host = new FakeHost();
      forked.push({ workspace, host });
      return host;
    },
    createChannel: () => {
      lines++;
      return [`host-end-${lines}`, `page-end-${lines}`];
    },
  });
});

describe('a window and its engine host', () => {
  test('the host starts with the first window, and sends the port when both host and page are ready', () => {
    const window = createWindow();
    const link = processes.join('/a', window);
    expect(forked.map(({ workspace }) => workspace)).toEqual(['/a']);
    link.connect();
    expect(window.told).toEqual(['starting']);
    lastHost().tell({ type: 'ready' });
    expect(window.told).toEqual(['starting', 'ready', 'page-end-1']);
    expect(lastHost().received).toEqual(['port host-end-1']);
  });

  test('a host that is ready before the page listens sends nothing yet', () => {
    const window = createWindow();
    const link = processes.join('/a', window);
    lastHost().tell({ type: 'ready' });
    expect(window.told).toEqual([]);
    link.connect();
    expect(window.told).toEqual(['ready', 'page-end-1']);
  });

  test('a page that reloads receives a new port on request, and nothing in between', () => {
    const window = createWindow();
    const link = processes.join('/a', window);
    lastHost().tell({ type: 'ready' });
    link.connect();
    link.disconnect();
    lastHost().exit(1);
    expect(window.told).toEqual(['ready', 'page-end-1']);
    link.connect();
    expect(window.told.slice(2)).toEqual(['restarting']);
  });

  test('two windows on one folder share a host with separate connections, and the last to leave ends it', async () => {
    const [first, second] = [createWindow(), createWindow()];
    const links = [processes.join('/a', first), processes.join('/a', second)];
    lastHost().tell({ type: 'ready' });
    for (const link of links) link.connect();
    expect(forked).toHaveLength(1);
    expect(lastHost().received).toEqual(['port host-end-1', 'port host-end-2']);
    links[0]!.leave();
    links[0]!.leave();
    expect(lastHost().received).not.toContain('shutdown');
    links[1]!.leave();
    expect(lastHost().received.at(-1)).toBe('shutdown');
  });

  test('windows on different folders have different hosts', () => {
    processes.join('/a', createWindow());
    processes.join('/b', createWindow());
    expect(forked.map(({ workspace }) => workspace)).toEqual(['/a', '/b']);
  });

  test('a window that joins while the previous host is exiting gets a new one', () => {
    processes.join('/a', createWindow()).leave();
    processes.join('/a', createWindow());
    expect(running()).toBe(2);
  });
});

describe('runs at stake', () => {
  test('are the runs of a window if no other window has its folder', () => {
    const links = [processes.join('/a', createWindow()), processes.join('/a', createWindow())];
    lastHost().tell({ type: 'runs', underWay: ['r1', 'r2'] });
    expect(links.map((link) => link.runsAtStake())).toEqual([0, 0]);
    links[1]!.leave();
    expect(links.map((link) => link.runsAtStake())).toEqual([2, 0]);
    lastHost().tell({ type: 'runs', underWay: [] });
    expect(links[0]!.runsAtStake()).toBe(0);
  });

  test('are counted over all folders, excluding hosts that have crashed or are exiting', () => {
    const [leaving] = ['/a', '/b', '/c'].map((folder) => processes.join(folder, createWindow()));
    for (const { host } of forked) host.tell({ type: 'runs', underWay: ['r1'] });
    expect(processes.runsUnderWay()).toBe(3);
    leaving!.leave();
    lastHost().exit(1);
    expect(processes.runsUnderWay()).toBe(1);
  });
});

describe('a crash', () => {
  function startedWindow(): ReturnType<typeof createWindow> {
    const window = createWindow();
    const link = processes.join('/a', window);
    lastHost().tell({ type: 'ready' });
    link.connect();
    window.told.length = 0;
    return window;
  }

  test.each([0, 1, 3, 9])('exit code %i without a request starts a new host and sends a new port', async (exitCode) => {
    const window = startedWindow();
    lastHost().exit(exitCode);
    expect(window.told).toEqual(['restarting']);
    await clock.advance(0);
    expect(forked).toHaveLength(2);
    lastHost().tell({ type: 'ready' });
    expect(window.told).toEqual(['restarting', 'ready', 'page-end-2']);
  });

  test('restarts are delayed by 0, 500 and then 2,000 ms, and the fifth crash within a minute is final', async () => {
    const window = startedWindow();
    for (const delayMs of [0, 500, 2000, 2000]) {
      const before = forked.length;
      lastHost().exit(1);
      if (delayMs > 0) await clock.advance(delayMs - 1);
      expect(forked).toHaveLength(before);
      await clock.advance(1);
      expect(forked).toHaveLength(before + 1);
    }
    lastHost().exit(3);
    await clock.advance(100_000);
    expect({ forks: forked.length, running: running(), last: window.told.at(-1), timers: clock.openTimers }).toEqual({
      forks: 5,
      running: 0,
      last: 'failed',
      timers: 0,
    });
  });

  test('crashes more than a minute apart never stop the restarts', async () => {
    startedWindow();
    for (let crash = 0; crash < 12; crash++) {
      await clock.advance(60_000);
      lastHost().exit(1);
      await clock.advance(0);
    }
    expect(running()).toBe(1);
  });

  test('a page that connects after the last attempt starts the host again with a new count', async () => {
    const window = createWindow();
    const link = processes.join('/a', window);
    link.connect();
    for (let crash = 0; crash < 5; crash++) {
      lastHost().exit(1);
      await clock.advance(2000);
    }
    expect(window.told.at(-1)).toBe('failed');
    link.connect();
    lastHost().exit(1);
    await clock.advance(0);
    lastHost().tell({ type: 'ready' });
    expect(window.told.slice(-4)).toEqual(['starting', 'restarting', 'ready', 'page-end-1']);
  });

  test('a host that refuses the folder is ended and not restarted', async () => {
    const window = startedWindow();
    lastHost().tell({ type: 'refused', message: 'It is not a folder.' });
    await clock.advance(100_000);
    expect({ told: window.told, running: running(), forks: forked.length }).toEqual({
      told: ['failed'],
      running: 0,
      forks: 1,
    });
  });
});

describe('ending all hosts', () => {
  test('waits until every host has exited', async () => {
    processes.join('/a', createWindow());
    processes.join('/b', createWindow());
    const ended = processes.endAll();
    forked[0]!.host.exit(0);
    expect(await hasSettled(ended)).toBe(false);
    forked[1]!.host.exit(0);
    await ended;
    expect({ forks: forked.length, timers: clock.openTimers }).toEqual({ forks: 2, timers: 0 });
  });

  test('includes hosts that windows left earlier', async () => {
    processes.join('/a', createWindow()).leave();
    const ended = processes.endAll();
    expect(await hasSettled(ended)).toBe(false);
    lastHost().exit(0);
    await ended;
  });

  test('kills a host that does not exit within 5 s', async () => {
    processes.join('/a', createWindow());
    const ended = processes.endAll();
    await clock.advance(4999);
    expect(lastHost().received).toEqual(['shutdown']);
    await clock.advance(1);
    expect(lastHost().received).toEqual(['shutdown', 'kill']);
    await ended;
  });

  test('does not restart a host that is waiting for its restart', async () => {
    const link = processes.join('/a', createWindow());
    lastHost().exit(1);
    link.leave();
    await clock.advance(100_000);
    await processes.endAll();
    expect({ forks: forked.length, timers: clock.openTimers }).toEqual({ forks: 1, timers: 0 });
  });

  test('does not treat a crash during the end as a reason to restart', async () => {
    processes.join('/a', createWindow());
    const ended = processes.endAll();
    lastHost().exit(1);
    await ended;
    await clock.advance(100_000);
    expect(forked).toHaveLength(1);
  });
});
