import { afterEach, beforeEach, expect, test } from 'vitest';
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
beforeEach(() => {
  runs = [run];
  window = openTestWindow({ listRuns: () => runs });
  window.engine.connect();
});
afterEach(() => window.close());

async function draw(): Promise<HTMLElement> {
  const list = window.draw(<RunHistoryList path={path} />);
  await window.settle();
  return list;
}

function detailsIn(list: HTMLElement): (string | null)[] {
  return Array.from(list.querySelectorAll('.run-row-detail'), ({ textContent }) => textContent);
}

test('a row says what its run has cost, where prices are known', async () => {
  runs = [
    { ...run, runId: 'r3', costUsd: 0.0184 },
    { ...run, runId: 'r2', costUsd: 1.5, unpricedCalls: 2 },
    { ...run, unpricedCalls: 1 },
  ];
  expect(detailsIn(await draw())).toEqual(['1.5 s · $0.018', '1.5 s · at least $1.50', '1.5 s']);
});

test('what a run has cost that goes on is what is known of it here', async () => {
  runs = [{ ...run, status: 'running', durationMs: undefined }];
  const list = await draw();
  await window.tellRun(path, { type: 'model:response', costUsd: 0.02, durationMs: 9, finishReason: 'stop' });
  expect(detailsIn(list)).toEqual(['running · $0.020']);
});
