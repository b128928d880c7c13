import { expect, test } from 'vitest';
import { asRunId } from '../../engine/isomorphic.ts';
import { createManualClock } from '../../engine/testing/manual-clock.ts';
import type { ToldRun } from '../ipc/contracts/inbox-contract.ts';
import { RunNotices, type SystemNotice } from './run-notices.ts';

function setUp() {
  const clock = createManualClock();
  const outside = { isInFront: false, showsRuns: true, notices: [] as SystemNotice[] };
  const notices = new RunNotices({
    clock,
    isInFront: () => outside.isInFront,
    showsRuns: () => outside.showsRuns,
    show: (notice) => outside.notices.push(notice),
  });
  const opened: string[] = [];
  const tell = (name: string, more: Partial<ToldRun> = {}, workspace = '/a'): void => {
    const run = { runId: asRunId(name), seq: 9, name, path: `${name}.flow.yaml`, how: 'completed', workedMs: 20_001 };
    notices.tell(workspace, { ...run, ...more } as ToldRun, () => opened.push(name));
  };
  const texts = async (): Promise<string[]> => {
    await clock.advance(1_000);
    return outside.notices.splice(0).map(({ title, body }) => `${title}: ${body}`);
  };
  return { clock, outside, tell, texts, opened };
}

test('shows how a run of more than 20 seconds has ended or why it waits, once for all windows, and opens it', async () => {
  const { outside, tell, texts, opened, clock } = setUp();
  tell('Nightly');
  tell('Nightly');
  tell('Short', { workedMs: 20_000 });
  await clock.advance(999);
  expect(outside.notices).toEqual([]);
  await clock.advance(1);
  outside.notices[0]?.onClick();
  expect(opened).toEqual(['Nightly']);
  expect(await texts()).toEqual(['Nightly has completed: Nightly.flow.yaml']);
  tell('Report', { how: 'failed' });
  expect(await texts()).toEqual(['Report has failed: Report.flow.yaml']);
  // It was paused before, and continued.
  tell('Costly', { how: 'paused', seq: 5 });
  expect(await texts()).toEqual(['Costly is paused: Costly.flow.yaml']);
  tell('Costly', { how: 'paused', seq: 8 });
  expect(await texts()).toEqual(['Costly is paused: Costly.flow.yaml']);
});

test('combines runs that end at almost the same time, and a click opens the last one', async () => {
  const { outside, tell, texts, opened, clock } = setUp();
  for (const name of ['A', 'B', 'C', 'D', 'E']) {
    tell(name, name === 'B' ? { how: 'failed' } : {});
    await clock.advance(100);
  }
  const [title, ...others] = await texts();
  expect([title, others]).toEqual([
    '5 runs have ended or wait: A has completed, B has failed, C has completed and 2 more',
    [],
  ]);
  tell('F');
  tell('F', {}, '/b');
  await clock.advance(1_000);
  expect(outside.notices.map(({ title: one, body }) => [one, body])).toEqual([
    ['2 runs have ended or wait', 'F has completed, F has completed'],
  ]);
  outside.notices[0]?.onClick();
  expect(opened).toEqual(['F']);
});

test('shows nothing while a window is focused or if the user has switched it off, also not later', async () => {
  const { outside, tell, texts } = setUp();
  outside.isInFront = true;
  tell('Seen');
  outside.isInFront = false;
  expect(await texts()).toEqual([]);
  tell('Returned');
  outside.isInFront = true;
  expect(await texts()).toEqual([]);
  outside.isInFront = false;
  outside.showsRuns = false;
  tell('Off');
  expect(await texts()).toEqual([]);
  outside.showsRuns = true;
  tell('Seen');
  expect(await texts()).toEqual([]);
});

test('converts names from flows to plain text', async () => {
  const { tell, texts } = setUp();
  tell('\u001b[31m<b>red</b>', { path: 'a.flow.yaml' });
  expect(await texts()).toEqual(['[31m‹b›red‹/b› has completed: a.flow.yaml']);
});
