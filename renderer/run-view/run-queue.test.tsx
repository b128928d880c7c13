import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { asRunId } from '../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { EngineResult } from '../bridge/engine-client.ts';
import { RunHistoryList } from './run-history-list.tsx';

const path = 'a.flow.yaml';
const run = {
  runId: 'r1',
  number: 1,
  kind: 'flow',
  name: 'Letters',
  sourcePath: path,
  definitionHash: 'h',
  status: 'completed',
  startedAt: 0,
  durationMs: 1500,
  failedNodes: [],
} as const;

let runs: EngineResult<'listRuns'>;
let window: TestWindow;
afterEach(() => window.close());

describe('the queue', () => {
  const firing = { id: 7, flow: 'a.flow.yaml', trigger: 'weekdays', key: 'k', priority: 0, createdAt: 0 };
  const startedAgain: number[] = [];

  async function drawQueue(firings: EngineResult<'listFirings'>): Promise<HTMLElement> {
    startedAgain.length = 0;
    window = openTestWindow({
      listRuns: ({ status }) => runs.filter((one) => one.status === status),
      listFirings: () => firings,
      fireAgain(id) {
        startedAgain.push(id);
        return { ...firing, id: 8, state: 'waiting' };
      },
    });
    window.engine.connect();
    window.stores.runHistory.getState().setScope('queue');
    const list = window.draw(<RunHistoryList path={path} picks={null} />);
    await window.settle();
    return list;
  }

  const groupsOf = (list: HTMLElement): (string | null)[] =>
    Array.from(list.querySelectorAll('h3'), ({ textContent }) => textContent);

  test('lists runs of all flows by status, and firings that started none', async () => {
    runs = [
      { ...run, runId: 'r1', status: 'failed', error: { code: 'x', message: 'no host' } },
      { ...run, runId: 'r2', status: 'running', sourcePath: 'b.flow.yaml' },
      { ...run, runId: 'r3', status: 'suspended' },
      { ...run, runId: 'r4', status: 'completed' },
    ];
    const list = await drawQueue([
      { ...firing, state: 'refused', reason: 'The flow has problems.' },
      { ...firing, id: 6, state: 'started', runId: asRunId('r4') },
    ]);
    expect(groupsOf(list)).toEqual(['Running · 1', 'Waiting for a person · 1', 'Failed · 1', 'Started no run · 1']);
    expect(list.textContent).toContain('refused · The flow has problems. · trigger weekdays');
  });

  test('shows the priority of firings if it is not the usual one', async () => {
    runs = [];
    const list = await drawQueue([
      { ...firing, id: 5, state: 'waiting', priority: 0 },
      { ...firing, id: 6, state: 'waiting', priority: -5 },
    ]);
    const rows = [...list.querySelectorAll('.run-row-detail')].map(({ textContent }) => textContent);
    expect(rows).toEqual([
      'waits for its turn · trigger weekdays',
      'waits for its turn · trigger weekdays · priority -5',
    ]);
  });

  test('lists paused runs apart from those that wait for a person', async () => {
    runs = [
      { ...run, runId: 'r1', status: 'suspended' },
      { ...run, runId: 'r2', status: 'suspended', waitStatus: 'PAUSED' },
    ];
    const list = await drawQueue([]);
    expect(groupsOf(list)).toEqual(['Paused · 1', 'Waiting for a person · 1']);
    expect(list.querySelector('[data-run="r2"]')?.textContent).toContain('paused');
  });

  test('starts refused firings again, and those whose run has failed', async () => {
    runs = [{ ...run, status: 'failed' }];
    const list = await drawQueue([
      { ...firing, id: 5, state: 'started', runId: asRunId('r1') },
      { ...firing, id: 6, state: 'refused' },
      { ...firing, id: 7, state: 'waiting' },
    ]);
    const buttons = [...list.querySelectorAll<HTMLButtonElement>('button[aria-label="Start again"]')];
    for (const button of buttons) act(() => button.click());
    await window.settle();
    expect(startedAgain).toEqual([5, 6]);
  });

  test('says what it is for while it is empty', async () => {
    runs = [];
    expect((await drawQueue([])).textContent).toContain('Nothing is running');
  });
});
