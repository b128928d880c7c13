import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId } from '../../base/ids.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { NewRun, RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { RunEndEvent, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { createHistory } from './history.ts';
import { readRunStats, readTaskTimes } from './run-stats.ts';

const sourcePath = 'flows/report.flow.yaml';

let store: RunStore;
let count: number;
beforeEach(async () => {
  store = await openRunStore({ file: null, clock: systemClock, owner: currentOwner() });
  count = 0;
});
afterEach(() => store.close());

/** Records a run that has ended, with the tasks between its start and end. Returns its number. */
function record(end: Partial<RunEndEvent>, tasks: readonly RunEvent[] = [], changes: Partial<NewRun> = {}): number {
  count += 1;
  const run = newRun(`r${count}`, { queuedAt: count * 1_000, ...changes });
  store.createRun(run);
  store.append(run.runId, envelopes(run.runId, [runStart, ...tasks, { ...runCompleted, ...end }]));
  return count;
}

function done(nodeId: string, durationMs: number): RunEvent {
  return { type: 'task:complete', taskId: nodeId, nodeId, result: 1, durationMs, attempts: 1 };
}

const error = { code: 'http.status', message: '429 Too Many Requests', recoverable: true };

function failed(nodeId: string): Partial<RunEndEvent> {
  return { status: 'failed', error, failedNodes: [nodeId] };
}

function stats(query: Parameters<typeof readRunStats>[1] = { sourcePath }) {
  return readRunStats(createHistory(store), query);
}

test('counts statuses, and returns how time, tokens and cost are spread', async () => {
  const usage = (completionTokens: number) => ({ promptTokens: 100, completionTokens });
  for (let index = 1; index <= 20; index++)
    record({ durationMs: index * 10, usage: usage(index), costUsd: index / 100 });
  record({ ...failed('send'), durationMs: 1_000 });
  record({ durationMs: 9_999 }, [], { sourcePath: 'other.flow.yaml' });
  store.createRun(newRun('open'));
  const found = await stats();
  expect(found).toMatchObject({
    runs: 22,
    isCut: false,
    statuses: { completed: 20, failed: 1, queued: 1 },
    durationMs: { p50: 110, p95: 200, total: 3_100 },
    tokens: { p50: 110, p95: 119, total: 2_210 },
    flows: [{ sourcePath, runs: 22, failed: 1 }],
  });
  expect(found.costUsd?.total).toBeCloseTo(2.1);
  expect(found.points.map(({ first, failed: failures }) => [first, failures]).slice(-2)).toEqual([
    [20, 0],
    [21, 1],
  ]);
  expect((await stats({})).flows.map((flow) => [flow.sourcePath, flow.runs])).toEqual([
    [sourcePath, 22],
    ['other.flow.yaml', 1],
  ]);
  expect(await stats({ sourcePath: 'none' })).toEqual({
    ...{ runs: 0, isCut: false, statuses: {}, flows: [], points: [], nodes: [], nodeRuns: 0, failures: [] },
  });
});

test('combines runs to few points, oldest first', async () => {
  for (let index = 1; index <= 130; index++) record({ durationMs: index });
  const { points } = await stats();
  expect(points).toHaveLength(44);
  expect(points[0]).toMatchObject({ first: 1, last: 3, runs: 3, failed: 0, durationMs: { p50: 2 } });
  expect(points.at(-1)).toMatchObject({ first: 130, last: 130, runs: 1 });
});

test('times of nodes count the iterations of a loop and the inputs of an agent together, without child runs', async () => {
  const child = { ...envelopes(asRunId('child'), [done('inner', 70_000)], 3)[0]!, parentRunId: asRunId('r2') };
  record({}, [done('each[0].ask', 10), done('each[1].ask', 30), done('each', 45)]);
  store.createRun(newRun('r2'));
  const log = envelopes(asRunId('r2'), [runStart, done('each', 5), done('input:7', 2)]);
  store.append(asRunId('r2'), [...log, child, ...envelopes(asRunId('r2'), [runCompleted], 4)]);
  const { nodes, nodeRuns } = await stats();
  expect(nodes.map(({ nodeId, count: times, durationMs }) => [nodeId, times, durationMs.p50, durationMs.p95])).toEqual([
    ['each', 2, 5, 45],
    ['ask', 2, 10, 30],
    ['input', 1, 2, 2],
  ]);
  expect(nodeRuns).toBe(2);
  const times = await readTaskTimes(createHistory(store), [asRunId('r1')], 2);
  expect(times.get(asRunId('r1'))?.map(({ nodeId, durationMs }) => [nodeId, durationMs])).toEqual([
    ['ask', 10],
    ['ask', 30],
  ]);
});

const former = 'flow: { name: Report }\nnodes: [{ id: send, type: echo, input: { text: a } }]\nedges: []\n';
const latter = former.replace('text: a', 'text: b');

test('says since when a node fails, and what has changed in the flow then', async () => {
  record(failed('send'), [], { definition: former });
  const fine = record({}, [], { definition: former });
  const first = record(failed('send'), [], { definition: latter });
  // These runs do not show whether the node is fine.
  record(failed('other'), [], { definition: latter });
  record({ status: 'cancelled' }, [], { definition: latter });
  const last = record(failed('each[3].send'), [], { definition: latter });
  const { failures } = await stats();
  expect(failures).toMatchObject([
    {
      nodeId: 'send',
      runs: 3,
      last: { number: last },
      message: error.message,
      streak: { runs: 2, first: { number: first }, before: { number: fine } },
    },
    { nodeId: 'other', runs: 1 },
  ]);
  expect(failures[0]?.streak?.changes).toEqual([expect.stringContaining('send')]);
});

test('names a failure that is over or without a node, and one that began without a change', async () => {
  record({}, [], { definition: former });
  record({ status: 'failed', error }, [], { definition: former });
  expect((await stats()).failures).toMatchObject([{ runs: 1, streak: { runs: 1, changes: [] } }]);
  expect((await stats()).failures[0]).not.toHaveProperty('nodeId');
  record({}, [], { definition: former });
  expect((await stats()).failures[0]).not.toHaveProperty('streak');
});
