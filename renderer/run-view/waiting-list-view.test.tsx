import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { RunEvent } from '../../engine/isomorphic.ts';
import { Rail } from '../app/shell/rail.tsx';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { createRunTeller, nodeStart, runStart, toldFrom } from '../bridge/testing/run-events.ts';
import { WaitingListView } from './waiting-list-view.tsx';

let window: TestWindow;
afterEach(() => window.close());

const path = 'a.flow.yaml';
const text = `flow: { name: Report }
nodes:
  - { id: ask, name: Editor, type: human.approval, config: { message: Publish? } }
edges: []
`;

function ask(message: string): RunEvent {
  return { type: 'node:suspended', nodeId: 'ask', request: { reason: 'approval', message } };
}

function openWindow(waiting: readonly string[]): { waiting: readonly string[] } {
  const state = { waiting };
  const runOf = (runId: string) => ({
    runId,
    number: 1,
    kind: 'flow' as const,
    name: 'Report',
    sourcePath: path,
    definitionHash: 'h',
    status: 'suspended' as const,
    startedAt: toldFrom,
    failedNodes: [],
  });
  window = openTestWindow({
    readNotices: () => [],
    listFlows: () => [{ path, change: null }],
    readFlow: () => ({ text }),
    listRuns: ({ status }) => (status === 'suspended' ? state.waiting.map(runOf) : []),
    getRun: runOf,
    readDefinition: () => text,
    readEvents: (runId, afterSeq) => {
      const teller = createRunTeller(runId);
      teller.tell(runStart(path));
      teller.tell(nodeStart('ask'), 'ask');
      teller.tell(ask(`Publish ${runId}?`), 'ask');
      teller.tell({ type: 'run:suspended', reason: 'approval', nodeId: 'ask' });
      return teller.events.filter(({ seq }) => seq > afterSeq);
    },
  });
  return state;
}

test('lists each node that waits with its question, counts the runs, and opens a run at its node', async () => {
  const state = openWindow(['r1', 'r2']);
  const element = window.draw(
    <>
      <Rail />
      <WaitingListView />
    </>,
  );
  act(() => window.engine.connect());
  await window.settle();
  const rows = () => [...element.querySelectorAll('li')].map((row) => row.textContent);
  expect(rows().map((row) => row?.replace(/\d+ d \d+ h/, '|'))).toEqual([
    'Editor|Publish r1?Report',
    'Editor|Publish r2?Report',
  ]);
  expect(element.querySelector('nav button[aria-label="Waiting for you: 2"]')?.textContent).toBe('2');

  act(() => element.querySelector<HTMLButtonElement>('li:nth-child(2) button')?.click());
  await window.settle();
  expect(window.stores.liveRuns.getState().shown.get(path)).toMatchObject({ runId: 'r2' });
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('ask');

  state.waiting = [];
  act(() => window.engine.push('watchHistory', undefined));
  await window.settle();
  expect([rows(), element.querySelector('nav button[aria-label="Waiting for you"]')?.textContent]).toEqual([[], '']);
  expect(element.textContent).toContain('Nothing waits for you');
  expect(element.textContent).toContain('asks here whether to run it again');
});
