import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import type { ThingToOpen } from '../../electron/ipc/contracts/main-contract.ts';
import { asRunId, type RunEvent } from '../../engine/isomorphic.ts';
import { Rail } from '../app/shell/rail.tsx';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { createRunTeller, eventsStartAt, nodeStart, runEnd, runStart } from '../bridge/testing/run-events.ts';
import { openOffered } from '../stores/open-offered.ts';
import { WaitingListView } from './waiting-list-view.tsx';

let window: TestWindow;
afterEach(() => window.close());

const path = 'a.flow.yaml';
const text =
  'flow: { name: Report }\nnodes: [{ id: ask, type: human_approval, input: { title: Publish? } }]\nedges: []\n';

const run = {
  ...{ runId: 'r1', number: 1, kind: 'flow' as const, name: 'Report', sourcePath: path, definitionHash: 'h' },
  ...{ status: 'suspended' as const, startedAt: eventsStartAt, failedNodes: [] },
};

/** Opens a workspace without open requests, and a run of another workspace that has some and is read-only. */
async function open() {
  const state = {
    opened: [] as string[],
    answers: [] as unknown[],
    offers: [] as (readonly ThingToOpen[])[],
    stopped: [] as unknown[],
  };
  const teller = createRunTeller('r1');
  teller.tell(runStart(path));
  teller.tell(nodeStart('ask'), 'ask');
  teller.tell({ type: 'node:suspended', nodeId: 'ask', request: { reason: 'approval', message: 'Publish?' } }, 'ask');
  teller.tell({ type: 'run:suspended', reason: 'approval', nodeId: 'ask' });
  window = openTestWindow(
    {
      readNotices: () => [],
      listFlows: () => [{ path, change: null }],
      readFlow: () => ({ text }),
      listRuns: () => [],
      getRun: () => run,
      readDefinition: () => text,
      readEvents: (_run, afterSeq) => teller.events.filter(({ seq }) => seq > afterSeq),
      resumeRun: (answer) => {
        state.answers.push(answer);
        return { runId: 'r1' };
      },
    },
    {
      'open.take': () => ({ things: state.offers.shift() ?? [] }),
      'inbox.tellRun': (one) => void state.stopped.push(one),
      'inbox.openOther': ({ folder, key }) => {
        state.opened.push(`${folder} ${key}`);
        return { isOpen: key !== 'gone' };
      },
      'delivery.read': () => ({
        setting: { via: 'nothing' },
        problem: { message: 'ntfy.sh answered 500', at: eventsStartAt },
      }),
    },
  );
  const element = window.draw(
    <>
      <Rail />
      <WaitingListView />
    </>,
  );
  act(() => window.engine.connect());
  await window.settle();
  return { ...state, element };
}

function press(key: string): void {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  act(() => void (document.activeElement ?? document.body).dispatchEvent(event));
}

test('12.6 requests of other workspaces are listed, and opened there, never answered or snoozed here', async () => {
  const { element, opened, answers } = await open();
  const other = (key: string, more: object) => ({ key, title: 'Lead', text: '<b>Ship?</b>', run: 'Release', ...more });
  const requests = [other('gone', { since: 2 }), other('x', { since: 1, deadlineAt: Date.now() + 60_000 })];
  window.tellFromMain('inbox.othersChanged', {
    workspaces: [{ folder: '/work/shop', name: 'shop', count: 7, requests }],
  });
  await window.settle();
  const rows = [...element.querySelectorAll<HTMLElement>('li .run-row')];
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Lead.*<b>Ship\?<\/b>shop · Releaseby /),
    expect.stringMatching(/^Lead.*<b>Ship\?<\/b>shop · Release$/),
  ]);
  expect(element.textContent).toContain('shop has 5 more requests. Open its window to see them.');
  expect(element.querySelector('nav button[aria-label="Waiting for you: 7"]')).not.toBeNull();
  expect(element.querySelectorAll('li input')).toHaveLength(0);

  act(() => rows[0]?.focus());
  for (const key of ['a', 'r', 's', ' ']) press(key);
  act(() => rows[1]?.click());
  await window.settle();
  expect(opened).toEqual(['/work/shop x', '/work/shop x', '/work/shop gone']);
  expect(window.stores.notices.getState().list.map(({ title }) => title)).toEqual(['The request is no longer open']);
  expect(answers).toEqual([]);
});

test('a click on a system notification opens the request or the list, and answers nothing', async () => {
  const { answers, offers } = await open();
  const place = { path, kind: 'flow' as const, runId: asRunId('r1'), nodeId: 'ask' };
  offers.push([{ kind: 'waiting', place }], [{ kind: 'waiting', place: null }]);
  await openOffered(window.stores.main, window.stores);
  await window.settle();
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('ask');
  expect(window.stores.liveRuns.getState().shown.get(path)).toMatchObject({ runId: 'r1' });
  window.tellFromMain('open.offered', {});
  await window.settle();
  expect(window.stores.panes.getState()).toMatchObject({ sideView: 'waiting', isOpen: { side: true } });
  expect(answers).toEqual([]);
});

test('a link to a run opens it at its node, and a notification that failed to send is reported quietly', async () => {
  const { element, answers, offers } = await open();
  window.tellFromMain('inbox.othersChanged', {
    workspaces: [
      { folder: '/b', name: 'b', count: 1, requests: [{ key: 'x', title: 'T', text: '', run: 'R', since: 1 }] },
    ],
  });
  await window.settle();
  expect(element.textContent).toContain("Couldn't send a message about open requests: ntfy.sh answered 500");
  offers.push([{ kind: 'run', runId: asRunId('r1'), nodeId: 'ask' }]);
  await openOffered(window.stores.main, window.stores);
  await window.settle();
  expect(window.stores.selection.getState().views.get(path)?.nodeId).toBe('ask');
  expect(window.stores.liveRuns.getState().shown.get(path)).toMatchObject({ runId: 'r1' });
  expect(answers).toEqual([]);
});

test('reports to main which runs end or are paused by a breakpoint or budget while the window follows them', async () => {
  const { stopped } = await open();
  const runs = new Map<string, ReturnType<typeof createRunTeller>>();
  const tell = (runId: string, minutesAgo: number, ...events: readonly RunEvent[]) => {
    const run = runs.get(runId) ?? createRunTeller(runId);
    runs.set(runId, run);
    const at = Date.now() - minutesAgo * 60_000;
    const told = events.map((event) => ({ ...run.tell(event), at }));
    act(() => window.stores.liveRuns.getState().applyEvents(told));
  };
  for (const runId of ['ends', 'fails', 'costs', 'held', 'stops', 'asks', 'canceled', 'old'])
    tell(runId, runId === 'old' ? 10 : 0, runStart(path), nodeStart('ask'));
  tell('ends', 0, runEnd('completed'));
  tell('fails', 0, runEnd('failed'));
  tell('costs', 0, { type: 'run:suspended', reason: 'budget', nodeId: 'ask' });
  tell('held', 0, { type: 'run:suspended', reason: 'breakpoint', nodeId: 'ask' });
  // The person has paused or canceled these, the requests of the next one are listed, and the last two are history.
  tell('stops', 0, { type: 'run:suspended', reason: 'paused', nodeId: 'ask' });
  tell('canceled', 0, runEnd('cancelled'));
  tell(
    'asks',
    0,
    { type: 'node:suspended', nodeId: 'ask', request: { reason: 'approval', message: 'Publish?' } },
    { type: 'run:suspended', reason: 'approval', nodeId: 'ask' },
  );
  tell('old', 9, runEnd('completed'));
  tell('whole', 0, runStart(path), runEnd('completed'));
  await window.settle();
  expect(stopped).toMatchObject([
    { runId: 'ends', how: 'completed', path, name: 'Flow', seq: 2 },
    { runId: 'fails', how: 'failed' },
    { runId: 'costs', how: 'paused' },
    { runId: 'held', how: 'paused' },
  ]);
  tell('costs', 0, { type: 'run:resumed', action: 'raise', raised: { usd: 1 } });
  tell('costs', 0, runEnd('completed'));
  await window.settle();
  expect(stopped.slice(4)).toMatchObject([{ runId: 'costs', how: 'completed', seq: 4 }]);
});
