import { afterEach, expect, test, vi } from 'vitest';
import { EngineError } from '../../../../engine/isomorphic.ts';
import { createRunFeed } from '../../../bridge/run-feed.ts';
import { createEngineStandIn, settled } from '../../../bridge/testing/engine-stand-in.ts';
import { createRunTeller, runEnd, runStart } from '../../../bridge/testing/run-events.ts';
import { createNotices } from '../../window/notices.ts';
import { createLiveRuns } from './live-runs.ts';
import { createRunFollower } from './run-follower.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('notices that the process of a run was killed without an event, and keeps other runs active', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const statuses = new Map<string, 'running' | 'completed' | 'interrupted'>([
    ['killed', 'running'],
    ['alive', 'running'],
    ['ended', 'completed'],
  ]);
  const asked: string[] = [];
  const engine = createEngineStandIn({
    getRun(runId) {
      asked.push(runId);
      const status = statuses.get(runId);
      if (status === undefined) throw new EngineError({ code: 'run.not-found', message: 'There is none.' });
      return {
        runId,
        number: 1,
        kind: 'flow',
        name: 'Flow',
        sourcePath: 'a.flow.yaml',
        definitionHash: 'h',
        status,
        startedAt: 1,
        failedNodes: [],
      };
    },
  });
  engine.connect();
  const runs = createLiveRuns();
  for (const runId of ['killed', 'alive', 'ended', 'nowhere']) {
    const teller = createRunTeller(runId);
    teller.tell(runStart(`${runId}.flow.yaml`));
    if (runId === 'ended') teller.tell(runEnd('completed'));
    runs.getState().applyEvents(teller.events);
  }
  const statusOf = () =>
    Object.fromEntries([...runs.getState().runs.values()].map((run) => [run.runId, run.state.status]));
  const feed = createRunFeed({
    engine: engine.client,
    sink: { lastSeq: () => -1, applyEvents: () => undefined },
    nextFrame: () => () => undefined,
  });
  const end = createRunFollower(engine.client, feed, runs, createNotices()).noticeDeaths();

  vi.advanceTimersByTime(60_000);
  await settled();
  expect(statusOf()).toEqual({ killed: 'running', alive: 'running', ended: 'completed', nowhere: 'running' });
  expect(new Set(asked)).toEqual(new Set(['killed', 'alive', 'nowhere']));
  statuses.set('killed', 'interrupted');
  vi.advanceTimersByTime(10_000);
  await settled();
  expect(statusOf()).toEqual({ killed: 'interrupted', alive: 'running', ended: 'completed', nowhere: 'running' });

  end();
  asked.length = 0;
  vi.advanceTimersByTime(60_000);
  await settled();
  expect(asked).toEqual([]);
});

test('calls during a pass over all active runs cause one more pass', async () => {
  let lists = 0;
  const answers: (() => void)[] = [];
  const engine = createEngineStandIn({
    listRuns: () =>
      new Promise((resolve) => {
        lists++;
        answers.push(() => resolve([]));
      }),
  });
  engine.connect();
  const feed = { catchUp: async () => undefined, stop: () => undefined };
  const follower = createRunFollower(engine.client, feed, createLiveRuns(), createNotices());
  const passes = [follower.followUnfinished(), follower.followUnfinished(), follower.followUnfinished()];
  for (const expected of [1, 2]) {
    await vi.waitFor(() => expect(answers).toHaveLength(1), { timeout: 20_000 });
    expect(lists).toBe(expected);
    answers.shift()?.();
  }
  await Promise.all(passes);
  expect(lists).toBe(2);
  const later = follower.followUnfinished();
  await vi.waitFor(() => expect(answers).toHaveLength(1), { timeout: 20_000 });
  answers.shift()?.();
  await later;
  expect(lists).toBe(3);
});
