/** Tests event times on the real clock, which is paused while only engine code runs. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { testNode } from '../../testing/test-node.ts';
import { type TestRunOptions, testRun } from '../../testing/test-run.ts';
import type { NodeType } from './node-type.ts';

const start = 1_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }));
afterEach(() => void vi.useRealTimers());

function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/** Computes for the `ms` in its input before it waits for anything, and reports progress halfway. */
const busyNode = testNode('busy', async ({ input: { ms }, hub }) => {
  pass(Number(ms) / 2);
  hub.emit({ type: 'agent:text', content: 'half' });
  pass(Number(ms) / 2);
  return {};
});

async function timesOf(flow: string, options: TestRunOptions = {}): Promise<readonly string[]> {
  const nodeTypes: readonly NodeType[] = [busyNode];
  const { events } = await testRun(`flow: { name: t }\n${flow}`, { ...options, clock: systemClock, nodeTypes });
  return events.flatMap(({ at, event, context }) => {
    const { type } = event;
    if (!['task:start', 'task:complete', 'edge:fired', 'agent:text'].includes(type)) return [];
    const name = 'nodeId' in event ? event.nodeId : 'to' in event ? event.to : context.task?.id;
    const took = event.type === 'task:complete' ? ` took ${event.durationMs}` : '';
    return [`${at - start} ${type} ${name}${took}`];
  });
}

test('work of a node that never waits counts toward that node and no other', async () => {
  const times = await timesOf(`nodes:
  - { id: a, type: busy, input: { ms: 100 } }
  - { id: b, type: busy, input: { ms: 40 } }
  - { id: c, type: busy, input: { ms: 6 } }
edges: [{ from: b, to: c }]`);
  expect(times).toEqual([
    '0 task:start a',
    '50 agent:text node:a',
    '100 task:complete a took 100',
    '100 task:start b',
    '120 agent:text node:b',
    '140 task:complete b took 40',
    '140 edge:fired c',
    '140 task:start c',
    '143 agent:text node:c',
    '146 task:complete c took 6',
  ]);
});

test('time spent on recording comes before the next node and is not counted in it', async () => {
  let groups = 0;
  const options = {
    onRecord: () => {
      groups += 1;
      pass(1_000);
    },
  };
  const times = await timesOf(
    `nodes:
  - { id: a, type: busy, input: { ms: 10 } }
  - { id: b, type: busy, input: { ms: 10 } }
edges: [{ from: a, to: b }]`,
    options,
  );
  expect(groups).toBeGreaterThan(2);
  expect(times.map((line) => line.replace(/^\d+ /, ''))).toEqual([
    'task:start a',
    'agent:text node:a',
    'task:complete a took 10',
    'edge:fired b',
    'task:start b',
    'agent:text node:b',
    'task:complete b took 10',
  ]);
  const at = times.map((line) => Number.parseInt(line, 10));
  expect((at[3] ?? 0) - (at[2] ?? 0)).toBe(1_000);
});

test('time continues after a run, and after a run with a node that throws', async () => {
  await timesOf('nodes: [{ id: a, type: busy, input: { ms: 1 } }]\nedges: []');
  const failing = testNode('failing', () => {
    throw new Error('no');
  });
  await testRun('flow: { name: t }\nnodes: [{ id: a, type: failing, input: {} }]\nedges: []', {
    ...{ clock: systemClock, nodeTypes: [failing] },
    onRecord: () => {
      throw new Error('no disk');
    },
  });
  const before = systemClock.now();
  pass(7);
  expect(systemClock.now() - before).toBe(7);
});
