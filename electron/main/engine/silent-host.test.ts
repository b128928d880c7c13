/** Tests a host that runs but does not respond; see `engine-supervisor.ts`. */
import { beforeEach, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../engine/testing/manual-clock.ts';
import { createEngineProcesses, type EngineProcesses, type EngineProcessLink } from './engine-processes.ts';
import type { EngineState } from './engine-supervisor.ts';
import { FakeHost } from './test-host.ts';

let clock: ManualClock;
let processes: EngineProcesses<string>;
let hosts: FakeHost[];
let told: string[];
let states: EngineState[];
let link: EngineProcessLink;

beforeEach(() => {
  clock = createManualClock();
  [hosts, told, states] = [[], [], []];
  const fork = () => {
    const host = new FakeHost();
    hosts.push(host);
    return host;
  };
  let lines = 0;
  processes = createEngineProcesses({ clock, fork, createChannel: () => [`host-${++lines}`, `page-${lines}`] });
  link = processes.join('/a', {
    receivePort: (port) => told.push(port),
    receiveState(state) {
      states.push(state);
      told.push(state.state);
    },
  });
  hosts[0]!.tell({ type: 'ready' });
  link.connect();
  told.length = 0;
});

function countPings(): number {
  return hosts.at(-1)!.received.filter((type) => type === 'ping').length;
}

/** Advances the time while the last host replies to each ping immediately. */
async function answerFor(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    const before = countPings();
    await clock.advance(1000);
    if (countPings() > before) hosts.at(-1)!.tell({ type: 'pong' });
  }
}

test('pings a responsive host every four seconds without showing it in any window', async () => {
  await answerFor(20);
  expect(told).toEqual([]);
  expect(countPings()).toBe(5);
});

test('pings a host four seconds after the last message it sent by itself', async () => {
  for (let message = 0; message < 6; message++) {
    await clock.advance(3000);
    hosts[0]!.tell({ type: 'runs', underWay: [] });
  }
  expect(countPings()).toBe(0);
  await clock.advance(4000);
  expect(countPings()).toBe(1);
});

test('reports five seconds without a reply once, with the time of the last message, and then the next reply', async () => {
  await answerFor(12);
  const heardAt = clock.now();
  await clock.advance(8999);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(states.at(-1)).toEqual({ state: 'silent', message: 'The engine does not answer.', since: heardAt });
  await clock.advance(60_000);
  expect(told).toEqual(['silent']);
  // The host is not flooded with pings that it could only answer late.
  expect(hosts[0]!.received.filter((type) => type === 'ping')).toHaveLength(4);
  hosts[0]!.tell({ type: 'pong' });
  // Its connections are unchanged, so no page needs a new one.
  expect(told).toEqual(['silent', 'ready']);
});

test('a page that reloads in the meantime also receives the state, and a connection for when the host responds again', async () => {
  await clock.advance(9000);
  link.disconnect();
  link.connect();
  expect(told).toEqual(['silent', 'silent', 'page-2']);
});

test('a host that has not started has fifteen seconds', async () => {
  hosts[0]!.exit(1);
  await clock.advance(0);
  told.length = 0;
  await clock.advance(15_999);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told).toEqual(['silent']);
  hosts[1]!.tell({ type: 'ready' });
  expect(told).toEqual(['silent', 'restarting', 'ready', 'page-2']);
});

test('when the user ends it, another starts immediately and resumes the runs', async () => {
  hosts[0]!.tell({ type: 'runs', underWay: ['r1', 'r2'] });
  await clock.advance(9000);
  link.replaceSilent();
  link.replaceSilent();
  expect(hosts.map(({ isRunning }) => isRunning)).toEqual([false, true]);
  expect(states.at(-1)).toEqual({
    state: 'restarting',
    message: 'You ended the engine. It is restarting and will resume its 2 runs.',
  });
  hosts[1]!.tell({ type: 'ready' });
  expect(told).toEqual(['silent', 'restarting', 'ready', 'page-2']);
  expect(hosts[1]!.messages).toContainEqual({ type: 'resume', runIds: ['r1', 'r2'] });
  hosts[1]!.exit(1);
  await clock.advance(0);
  hosts[2]!.tell({ type: 'ready' });
  expect(hosts[2]!.received).not.toContain('resume');
});

test('a host that responds, even in the meantime, cannot be ended this way', async () => {
  link.replaceSilent();
  await clock.advance(9000);
  hosts[0]!.tell({ type: 'pong' });
  link.replaceSilent();
  expect(hosts[0]!.received).not.toContain('kill');
});

test('ending a host does not count as a crash, however often it happens', async () => {
  for (let round = 0; round < 7; round++) {
    await clock.advance(9000);
    link.replaceSilent();
    hosts.at(-1)!.tell({ type: 'ready' });
  }
  expect(hosts).toHaveLength(8);
  expect(told.at(-2)).toBe('ready');
});

test('a call on behalf of the user fails after five seconds, and immediately without a host', async () => {
  const waiting = link.asPerson((person) => person.call('setTrust', true)).catch(({ code }) => code);
  await clock.advance(5000);
  expect(await waiting).toBe('engine.not-answering');
  hosts[0]!.exit(1);
  await expect(link.asPerson((person) => person.call('setTrust', true))).rejects.toMatchObject({
    code: 'engine.not-ready',
  });
});

test('clears all ping timers when the host ends', async () => {
  await answerFor(4);
  const ended = processes.endAll();
  hosts[0]!.exit(0);
  await ended;
  expect(clock.openTimers).toBe(0);
});
