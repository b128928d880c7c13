import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asRunId, type EventEnvelope, type RunEvent } from '../../../../engine/isomorphic.ts';
import { testRounds } from '../../../../engine/testing/test-rounds.ts';
import { createRunTeller, nodeComplete, nodeStart, runEnd, runStart } from '../../../bridge/testing/run-events.ts';
import { createNotices } from '../../window/notices.ts';
import type { ShownComparison } from '../comparison.ts';
import { selectRunNow, selectShownRun } from '../shown-run.ts';
import { foldInto, newRun } from './live-run.ts';
import { createLiveRuns } from './live-runs.ts';
import { createRunMoments } from './run-moments.ts';
import { trackPageSize } from './run-track.ts';

const path = 'a.flow.yaml';
const runId = asRunId('r1');
type Teller = ReturnType<typeof createRunTeller>;

/** Shows a run, and reads its events as the engine does. */
function showRun(run: Teller, events: readonly EventEnvelope[] = run.events) {
  const liveRuns = createLiveRuns();
  liveRuns.getState().applyEvents(events);
  liveRuns.getState().choose(path, runId);
  const reads: number[] = [];
  const engine = {
    call: async (method: string, _: string, after: number, limit: number) => {
      expect(method).toBe('readEvents');
      reads.push(after);
      return run.events.slice(after + 1, after + 1 + limit);
    },
  };
  const moments = createRunMoments(engine as never, liveRuns, createNotices());
  const shown = () => selectShownRun(liveRuns.getState(), path);
  return { liveRuns, moments, reads, shown, at: () => shown()?.moment?.seq ?? 'now' };
}

/** Everything observable of a run, without what is the same at every moment. */
function seen({ state, log, worked }: ReturnType<typeof newRun>): string {
  const { later: _, ...lines } = log;
  return JSON.stringify([state, lines, worked.ms], (_key, value: unknown) =>
    value instanceof Object && Symbol.iterator in value && !Array.isArray(value) ? [...(value as Set<unknown>)] : value,
  );
}

const child = { runId: 'c1', parentRunId: 'r1', taskId: 'node:a' };

/** Adds one of many kinds of events, in the run or a child run. */
function tellOne(run: Teller, [kind, nodeId]: readonly [number, string]): void {
  const task = { taskId: `node:${nodeId}`, nodeId };
  const error = { code: 'demo.failed', message: 'No' };
  const events: readonly RunEvent[] = [
    nodeStart(nodeId, nodeId === 'each' ? 'control.foreach' : 'prompt'),
    nodeComplete(nodeId),
    { type: 'agent:text', content: `${run.events.length} ` },
    { type: 'node:input', nodeId, input: { items: [1, 2] } },
    { type: 'node:retry', nodeId, attempt: 1, delayMs: 5, error },
    { type: 'task:failed', ...task, error, durationMs: 1, attempts: 1 },
    { type: 'node:skipped', nodeId, reason: 'edge' },
    { type: 'edge:fired', edgeId: `a->${nodeId}`, from: 'a', to: nodeId },
    { type: 'node:suspended', nodeId, request: { reason: 'approval', message: 'Go on?' } },
    { type: 'run:suspended', reason: 'approval', nodeId },
    { type: 'run:resumed' },
    { type: 'agent:tool:start', callKey: nodeId, toolName: 't', input: 1 },
    { type: 'label', text: nodeId },
    { type: 'log', level: 'info', text: nodeId },
  ];
  const event = events[kind % events.length];
  if (event === undefined) return;
  if (kind < events.length) run.tell(event, nodeId);
  else run.tellChild(child, event);
}

const kinds = fc.tuple(fc.nat({ max: 27 }), fc.constantFrom('a', 'b', 'each', 'each[0].a', 'each[1].a'));

function randomRun(picked: readonly (readonly [number, string])[], count: number): Teller {
  const run = createRunTeller('r1');
  run.tell(runStart(path));
  run.tell(nodeStart('a'), 'a');
  run.tellChild(child, { ...(runStart('b.flow.yaml') as object), parentTaskId: 'node:a' } as RunEvent);
  for (let index = 0; run.events.length < count; index++) tellOne(run, picked[index % picked.length] ?? [0, 'a']);
  return run;
}

const shape = fc.tuple(
  fc.array(kinds, { minLength: 1, maxLength: 60 }),
  fc.array(fc.nat({ max: 2599 }), { minLength: 1, maxLength: 6 }),
);

describe('moments of a run', () => {
  test('the run at any event is the fold of the events up to it, in a run of several pages that arrived in any batches', async () => {
    await fc.assert(
      fc.asyncProperty(shape, fc.integer({ min: 1, max: 700 }), async ([picked, places], batch) => {
        const run = randomRun(picked, 2600);
        const { liveRuns, moments, shown } = showRun(run, []);
        for (let from = 0; from < run.events.length; from += batch)
          liveRuns.getState().applyEvents(run.events.slice(from, from + batch));
        for (const seq of places) {
          await moments.show(runId, seq);
          const expected = foldInto(newRun(runId), run.events.slice(0, seq + 1));
          const then = shown();
          expect(then && seen(then)).toBe(seen(expected));
        }
      }),
      { numRuns: testRounds(8) },
    );
  });

  test('steps lead event by event and node by node, and from the last event back to now', async () => {
    const run = createRunTeller('r1');
    run.tell(runStart(path));
    run.tell(nodeStart('a'), 'a');
    for (const content of ['x', 'y', 'z']) run.tell({ type: 'agent:text', content }, 'a');
    run.tell(nodeComplete('a'), 'a');
    run.tell(runEnd('completed'));
    const { moments, shown, at } = showRun(run);
    await moments.step(runId, -1, 'event');
    expect([at(), shown()?.state.status]).toEqual([5, 'running']);
    await moments.step(runId, -1, 'event');
    expect([at(), shown()?.state.nodes.get('a')?.text]).toEqual([4, 'xyz']);
    await moments.step(runId, -1, 'node');
    expect([at(), shown()?.state.nodes.get('a')?.text]).toEqual([1, '']);
    await moments.step(runId, -1, 'node');
    await moments.step(runId, -1, 'event');
    expect([at(), shown()?.state.nodes.size]).toEqual([0, 0]);
    await moments.step(runId, 1, 'node');
    await moments.step(runId, 1, 'node');
    expect(at()).toBe(5);
    await moments.step(runId, 1, 'event');
    expect(at()).toBe('now');
    await moments.step(runId, 1, 'node');
    expect(at()).toBe('now');
  });

  test('further events of a run do not move the moment, and what the window learns about the run applies to it', async () => {
    const run = createRunTeller('r1');
    run.tell(runStart(path));
    run.tell(nodeStart('a'), 'a');
    run.tell(nodeComplete('a'), 'a');
    const { liveRuns, moments, shown, at } = showRun(run);
    await moments.show(runId, 1);
    const before = shown();
    liveRuns.getState().applyEvents([run.tell(runEnd('completed'))]);
    expect(shown()).toBe(before);
    expect(selectRunNow(liveRuns.getState(), path)?.state.status).toBe('completed');
    liveRuns.getState().setStale(runId, new Map([['a', 'edited']]));
    const comparison = { request: { a: asRunId('r0'), b: runId } } as ShownComparison;
    liveRuns.getState().setComparison(runId, comparison);
    expect([shown()?.stale.size, shown()?.comparison, at()]).toEqual([0, comparison, 1]);
    expect(shown()?.log.later.map(({ seq }) => seq)).toEqual([2]);
    liveRuns.getState().hide(path);
    expect(liveRuns.getState().past.size).toBe(0);
  });

  test('a run that starts does not replace the moment that is on screen', async () => {
    const run = createRunTeller('r1');
    run.tell(runStart(path));
    run.tell(runEnd('completed'));
    const liveRuns = createLiveRuns();
    liveRuns.getState().applyEvents(run.events);
    const engine = { call: async () => run.events };
    const moments = createRunMoments(engine as never, liveRuns, createNotices());
    await moments.show(runId, 0);
    liveRuns.getState().applyEvents([createRunTeller('r2').tell(runStart(path))]);
    expect(liveRuns.getState().shown.get(path)?.runId).toBe('r1');
    await moments.show(runId, 1);
    liveRuns.getState().applyEvents([createRunTeller('r3').tell(runStart(path))]);
    expect(liveRuns.getState().shown.get(path)?.runId).toBe('r3');
  });

  test('a child run is shown at the moment of its root run, also before it started', async () => {
    const run = createRunTeller('r1');
    run.tell(runStart(path));
    run.tell(nodeStart('a'), 'a');
    run.tellChild(child, { ...runStart('b.flow.yaml'), parentTaskId: 'node:a' } as RunEvent);
    run.tellChild({ ...child, taskId: 'node:inner' }, nodeStart('inner'));
    run.tellChild({ ...child, taskId: 'node:inner' }, nodeComplete('inner'));
    run.tell(nodeComplete('a'), 'a');
    const { liveRuns, moments } = showRun(run);
    await moments.show(runId, 3);
    liveRuns.getState().chooseCalled(path, runId, asRunId('c1'));
    const called = () => selectShownRun(liveRuns.getState(), 'b.flow.yaml');
    expect(called()?.state.nodes.get('inner')?.status).toBe('running');
    expect([called()?.log.events.length, called()?.log.later.length, called()?.moment?.seq]).toEqual([2, 1, 3]);
    await moments.show(runId, 4);
    expect(called()?.state.nodes.get('inner')?.status).toBe('completed');
    await moments.show(runId, 1);
    expect([called()?.state.nodes.size, called()?.state.sourcePath]).toEqual([0, 'b.flow.yaml']);
  });

  test('only the events around a moment are read, once for many steps, and the latest of several requests is shown', async () => {
    const run = createRunTeller('r1');
    run.tell(runStart(path));
    while (run.events.length < 5 * trackPageSize) run.tell(nodeStart(`n${run.events.length}`));
    const { moments, reads, shown, at } = showRun(run);
    const asked = [4500, 500, 2500].map((seq) => moments.show(runId, seq));
    await Promise.all(asked);
    expect([at(), reads]).toEqual([2500, [4 * trackPageSize - 1, 2 * trackPageSize - 1]]);
    expect(shown()?.log.events.at(-1)?.seq).toBe(2500);
    await moments.step(runId, -1, 'event');
    await moments.step(runId, -1, 'event');
    expect([at(), reads.length]).toEqual([2498, 2]);
  });

  test('events that are missing from the history are not asked for again and again', async () => {
    const run = createRunTeller('r1');
    run.tell(runStart(path));
    const all = [...run.events];
    for (let seq = 1; seq < 20; seq++)
      all.push({ ...run.events[0], seq, event: nodeStart(`n${seq}`) } as EventEnvelope);
    const { moments, reads, at } = showRun(run, all);
    await moments.show(runId, 10);
    expect([at(), reads.length]).toEqual(['now', 1]);
  });

  test('the last event that had happened at a time is found', () => {
    const run = createRunTeller('r1');
    run.tell(runStart(path));
    run.tell(nodeStart('a'));
    run.tell(nodeComplete('a'));
    const { track } = foldInto(newRun(runId), run.events);
    const start = track.timeOf(0);
    expect([start - 5, start, start + 1.5, start + 2, start + 900].map((time) => track.seqAt(time))).toEqual([
      0, 0, 1, 2, 2,
    ]);
  });
});
