import { beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../engine/testing/manual-clock.ts';
import { BackgroundService, type ServiceProcess } from './background-service.ts';

/** A service that the test controls. */
class FakeService implements ServiceProcess {
  readonly workspaces: readonly string[];
  readonly received: string[] = [];
  #line: (line: string) => void = () => undefined;
  #note: (line: string) => void = () => undefined;
  exit: (exitCode: number) => void = () => undefined;

  constructor(workspaces: readonly string[]) {
    this.workspaces = workspaces;
  }
  end(): void {
    this.received.push('end');
  }
  kill(): void {
    this.received.push('kill');
    this.exit(137);
  }
  onLine(listener: (line: string) => void): void {
    this.#line = listener;
  }
  onNote(listener: (line: string) => void): void {
    this.#note = listener;
  }
  onExit(listener: (exitCode: number) => void): void {
    this.exit = listener;
  }
  note(line: string): void {
    this.#note(line);
  }
  listen(origin: string): void {
    this.#line(JSON.stringify({ origin }));
  }
  report(workspace: string, triggers: readonly object[] = [], running = 0): void {
    this.#line(JSON.stringify({ workspace, running, triggers }));
  }
}

let clock: ManualClock;
let listed: readonly string[];
const services: FakeService[] = [];
let service: BackgroundService;
beforeEach(() => {
  clock = createManualClock(Date.parse('2026-12-01T07:00Z'));
  listed = ['/a'];
  services.length = 0;
  service = new BackgroundService({
    clock,
    fork(workspaces) {
      const child = new FakeService(workspaces);
      services.push(child);
      return child;
    },
    listWorkspaces: () => listed,
    listPublished: () => ['/a', '/a', '/c'],
    onChange: () => undefined,
  });
});

function last(): FakeService {
  const found = services.at(-1);
  if (found === undefined) throw new Error('No service was started.');
  return found;
}

describe('the service in the background', () => {
  test('runs for the workspaces in which something is on, and shows what each is waiting for', () => {
    expect(services).toEqual([]);
    service.set(true);
    expect(last().workspaces).toEqual(['/a']);
    expect(service.state.service).toBe('starting');
    const on = { flow: 'a.flow.yaml', trigger: 'late', state: 'on', nextAt: ['2026-12-01T09:00:00Z'] };
    const soon = { ...on, trigger: 'soon', nextAt: ['2026-12-01T06:00:00Z', '2026-12-01T08:00:00Z'] };
    last().report('/a', [on, soon, { ...on, trigger: 'off', state: 'off' }, { ...on, state: 'changed' }], 2);
    last().listen('http://127.0.0.1:7420');
    const next = { flow: 'a.flow.yaml', trigger: 'soon', at: Date.parse('2026-12-01T08:00Z') };
    expect(service.state).toMatchObject({
      ...{ service: 'running', address: 'http://127.0.0.1:7420', published: 3 },
      workspaces: [{ folder: '/a', on: 2, changed: 1, published: 2, running: 2, next }],
    });
  });

  test('starts nothing while nothing is switched on, and starts when that changes', () => {
    listed = [];
    service.set(true);
    expect(services).toEqual([]);
    expect(service.state.service).toBe('idle');
    listed = ['/b'];
    service.refresh();
    expect(last().workspaces).toEqual(['/b']);
  });

  test('ends with its runs before another one starts for another list, and is killed after 30 seconds', async () => {
    service.set(true);
    last().report('/a');
    service.refresh();
    expect(last().received).toEqual([]);
    listed = ['/a', '/b'];
    service.refresh();
    expect(last().received).toEqual(['end']);
    expect(services).toHaveLength(1);
    await clock.advance(29_000);
    expect(services).toHaveLength(1);
    await clock.advance(1_000);
    expect(services.map(({ received }) => received)).toEqual([['end', 'kill'], []]);
    expect(last().workspaces).toEqual(['/a', '/b']);
  });

  test('starts again after failures with growing pauses, and shows what it reported', async () => {
    service.set(true);
    for (const pause of [1_000, 5_000, 30_000, 120_000, 600_000, 600_000]) {
      last().note('The history cannot be read.');
      last().exit(1);
      expect(service.state).toMatchObject({ service: 'waiting', problem: 'The history cannot be read.' });
      const count = services.length;
      await clock.advance(pause - 1);
      expect(services).toHaveLength(count);
      await clock.advance(1);
      expect(services).toHaveLength(count + 1);
    }
    last().report('/a');
    expect(service.state.problem).toBeNull();
    await clock.advance(60_000);
    last().exit(9);
    expect(service.state.problem).toBe('The service ended unexpectedly (exit code 9).');
    await clock.advance(1_000);
    expect(services).toHaveLength(8);
  });

  test('ends when it is switched off, and continues if it is switched on again meanwhile', () => {
    service.set(true);
    service.set(false);
    expect(last().received).toEqual(['end']);
    expect(service.state.service).toBe('off');
    service.set(true);
    last().exit(0);
    expect(services).toHaveLength(2);
    service.set(false);
    last().exit(0);
    expect(services).toHaveLength(2);
  });

  test('does not delay the end of the program longer than two seconds', async () => {
    service.set(true);
    let isClosed = false;
    const closed = service.close().then(() => {
      isClosed = true;
    });
    await clock.advance(1_999);
    expect(isClosed).toBe(false);
    await clock.advance(1);
    await closed;
    expect(last().received).toEqual(['end', 'kill']);
    await clock.advance(600_000);
    expect(services).toHaveLength(1);
  });

  test('ends at once if no service runs', async () => {
    await service.close();
    service.set(true);
    last().exit(1);
    await service.close();
    await clock.advance(600_000);
    expect(services).toHaveLength(1);
  });
});
