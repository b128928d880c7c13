import { describe, expect, test } from 'vitest';
import { asRunId, type RunEvent } from '../../engine/isomorphic.ts';
import { createRunTeller, eventsStartAt, nodeComplete, nodeStart, runStart } from '../bridge/testing/run-events.ts';
import { createLiveRuns, type LiveRun } from '../stores/runs/live/live-runs.ts';
import { axisTicks, tickText, timelineOf } from './timeline-model.ts';
import { barWords } from './timeline-tips.tsx';

const error = { code: 'control.fail', message: '503' };
const a = { id: 'a', name: 'A', isTolerated: false, depth: 0, loopId: null };
const b = { id: 'b', name: 'B', isTolerated: true, depth: 0, loopId: null };

/** Creates a run of these events, one millisecond apart, starting at 0. */
function runOf(...events: RunEvent[]): LiveRun {
  const teller = createRunTeller('r1');
  teller.tell(runStart('a.flow.yaml'));
  for (const event of events) teller.tell(event);
  const store = createLiveRuns();
  store.getState().applyEvents(teller.events);
  return store.getState().runs.get('r1')!;
}

describe('the timeline', () => {
  test('keeps the rows in the order of the flow, regardless of how the nodes ended', () => {
    const run = runOf(nodeStart('b'), nodeComplete('b'), nodeStart('a'));
    const { rows } = timelineOf(
      run,
      [a, b, { id: 'c', name: 'C', isTolerated: false, depth: 0, loopId: null }],
      eventsStartAt + 10,
    );
    expect(rows.map(({ nodeId, state }) => `${nodeId} ${state}`)).toEqual(['a running', 'b completed', 'c queued']);
  });

  test('BB-45 BB-47 distinguishes a pinned output from a reused one, and shows nodes outside a partial run as not waiting', () => {
    const teller = createRunTeller('r1');
    teller.tell({ ...runStart('a.flow.yaml'), scope: { only: 'b' }, pinned: ['a'] } as RunEvent);
    teller.tell({ type: 'node:reused', nodeId: 'a', pin: true, output: 1 });
    teller.tell({ type: 'node:reused', nodeId: 'd', pin: true, output: 1, given: { by: 'ada' } });
    const store = createLiveRuns();
    store.getState().applyEvents(teller.events);
    const run = store.getState().runs.get('r1')!;
    const [c, d] = [
      { ...a, id: 'c', name: 'C' },
      { ...a, id: 'd', name: 'D' },
    ];
    const { rows } = timelineOf(run, [a, b, c, d], eventsStartAt + 10);
    expect(rows.map(({ nodeId, state, note }) => [nodeId, state, note])).toEqual([
      ['a', 'pinned', 'pinned output'],
      ['b', 'queued', ''],
      ['c', 'idle', ''],
      ['d', 'changed', 'output given by ada'],
    ]);
  });

  test('a run that was denied before it began has no duration', () => {
    const teller = createRunTeller('r1');
    teller.tell({ type: 'run:refused', code: 'policy_blocked', message: 'No.', details: {} });
    const store = createLiveRuns();
    store.getState().applyEvents(teller.events);
    const { elapsedMs, rows } = timelineOf(store.getState().runs.get('r1')!, [a], eventsStartAt + 40);
    expect([elapsedMs, rows[0]?.bars]).toEqual([0, []]);
  });

  test('the bar of a running node extends to the present', () => {
    const { rows, elapsedMs } = timelineOf(runOf(nodeStart('a')), [a], eventsStartAt + 40);
    expect([elapsedMs, rows[0]?.bars]).toEqual([40, [{ kind: 'work', fromMs: 1, toMs: 40 }]]);
  });

  test('tool calls are rows below their node, with the wait for a person before their work', () => {
    const call = { callKey: 'c1', tool: 'core.file_read' };
    const teller = createRunTeller('r1');
    teller.tell(runStart('a.flow.yaml'));
    teller.tell(nodeStart('a'));
    teller.tell({ type: 'agent:tool:start', callKey: 'c1', toolName: 'core.file_read', input: {} }, 'a');
    for (let index = 0; index < 5; index++) teller.tell({ type: 'log', level: 'info', text: '' });
    teller.tell({ type: 'tool:attempt', ...call, attempt: 1, params: {}, effects: 'idempotent' }, 'a');
    teller.tell(
      { type: 'tool:result', ...call, attempts: 1, result: 'x', isError: true, durationMs: 2, backend: 'core' },
      'a',
    );
    const store = createLiveRuns();
    store.getState().applyEvents(teller.events);
    const { rows } = timelineOf(store.getState().runs.get('r1')!, [a, b], eventsStartAt + 20);
    expect(rows.map(({ name, state, depth }) => [name, state, depth])).toEqual([
      ['A', 'running', 0],
      ['core.file_read', 'failed', 1],
      ['B', 'queued', 0],
    ]);
    expect(rows[1]?.bars).toEqual([
      { kind: 'wait', fromMs: 2, toMs: 7 },
      { kind: 'work', fromMs: 7, toMs: 9 },
    ]);
  });

  test('failed attempts and the pauses after them are separate bars', () => {
    const retry: RunEvent = { type: 'node:retry', nodeId: 'a', attempt: 1, delayMs: 20, error };
    const { rows } = timelineOf(runOf(nodeStart('a'), retry), [a], eventsStartAt + 50);
    expect(rows[0]?.bars).toEqual([
      { kind: 'failed-attempt', fromMs: 1, toMs: 2 },
      { kind: 'pause', fromMs: 2, toMs: 22 },
      { kind: 'work', fromMs: 22, toMs: 50 },
    ]);
    expect(rows[0]?.note).toBe('2 attempts, 503');
  });

  test('a bar names its attempt, start and length, and in a loop the item that took longest', () => {
    const retry: RunEvent = { type: 'node:retry', nodeId: 'a', attempt: 1, delayMs: 20, error };
    const run = runOf(nodeStart('a'), retry);
    const now = eventsStartAt + 50;
    const [row] = timelineOf(run, [a], now).rows;
    expect([0, 1, 2].map((index) => barWords({ run, rows: [], now }, row!, index))).toEqual([
      'A, attempt 1: failed, from 1 ms for 1 ms',
      'A, attempt 1: pause before the next attempt, from 2 ms for 20 ms',
      'A, attempt 2: retrying, from 22 ms for 28 ms',
    ]);

    const item = (index: number, durationMs: number): RunEvent[] => [
      nodeStart(`each[${index}].b`),
      { ...nodeComplete(`each[${index}].b`), durationMs } as RunEvent,
    ];
    const input: RunEvent = { type: 'node:input', nodeId: 'each', input: { items: [1, 2, 3], as: 'mail' } };
    const loop = runOf(nodeStart('each', 'control.foreach'), input, ...item(0, 1), ...item(1, 30), ...item(2, 1));
    const [body] = timelineOf(loop, [{ ...b, depth: 1, loopId: 'each' }], now).rows;
    expect([body?.summedCount, body?.durationMs]).toEqual([3, 32]);
    const whole = { ...body!, bars: [{ kind: 'work' as const, fromMs: 3, toMs: 9 }] };
    expect(barWords({ run: loop, rows: [], now }, whole, 0)).toBe(
      'B: 3 items, from 3 ms for 6 ms. Longest: mail 2 of 3, completed, 30 ms',
    );
    const one = { ...body!, bars: [{ kind: 'work' as const, fromMs: 3, toMs: 3 }] };
    expect(barWords({ run: loop, rows: [], now }, one, 0)).toBe('B, mail 1 of 3: completed, from 3 ms for 1 ms');
  });

  test('a pause in progress ends at the present', () => {
    const retry: RunEvent = { type: 'node:retry', nodeId: 'a', attempt: 1, delayMs: 1000, error };
    const { rows } = timelineOf(runOf(nodeStart('a'), retry), [a], eventsStartAt + 50);
    expect(rows[0]?.bars.at(1)).toEqual({ kind: 'pause', fromMs: 2, toMs: 50 });
  });

  test('the body of a reused loop is marked as reused, including loops in it', () => {
    const loop = { ...a, id: 'loop' };
    const inner = { ...a, id: 'inner', depth: 1, loopId: 'loop' };
    const deep = { ...a, id: 'deep', depth: 2, loopId: 'inner' };
    const reused: RunEvent = { type: 'node:reused', nodeId: 'loop', fromRunId: asRunId('r0'), output: [] };
    const notes = (run: LiveRun) =>
      timelineOf(run, [loop, inner, deep, a], eventsStartAt + 10).rows.map(({ note }) => note);
    const words = 'reused from an earlier run';
    expect(notes(runOf(reused))).toEqual([words, words, words, '']);
    expect(notes(runOf(nodeStart('loop')))).toEqual(['', '', '', '']);
  });

  test('a tolerated failure and a skipped node are marked', () => {
    const failed: RunEvent = {
      type: 'task:failed',
      taskId: 'node:b',
      nodeId: 'b',
      error,
      durationMs: 1,
      attempts: 1,
    };
    const skipped: RunEvent = { type: 'node:skipped', nodeId: 'a', reason: 'when' };
    const { rows } = timelineOf(runOf(nodeStart('b'), failed, skipped), [b, a], eventsStartAt + 9);
    expect(rows.map(({ state, note, bars }) => [state, note, bars.length])).toEqual([
      ['tolerated', '503', 1],
      ['skipped', 'skipped: its condition was false', 0],
    ]);
  });

  test('13.5 a paused run ends before the next node, which is marked, and does not grow', () => {
    const { rows, elapsedMs } = timelineOf(
      runOf(nodeStart('b'), nodeComplete('b'), { type: 'run:suspended', reason: 'paused', nodeId: 'a' }),
      [b, a],
      eventsStartAt + 86_400_000,
    );
    expect(rows.map(({ state, note }) => [state, note]).at(-1)).toEqual(['paused', 'paused before this node']);
    expect(elapsedMs).toBe(3);
    const hit: RunEvent = { type: 'run:suspended', reason: 'breakpoint', nodeId: 'a' };
    const stopped = timelineOf(runOf(nodeStart('b'), nodeComplete('b'), hit), [b, a], eventsStartAt);
    expect(stopped.rows.at(-1)?.note).toBe('stopped here');
  });

  test('12.1 a node waits from its request until the answer, and shows who answered', () => {
    const teller = createRunTeller('r1');
    const asked = { nodeId: 'a', key: 'k', requestHash: 'h' };
    for (const event of [
      runStart('x'),
      nodeStart('a'),
      { type: 'approval:requested', ...asked, request: { kind: 'approval', title: 'Go?' } },
      { type: 'node:suspended', nodeId: 'a', request: { reason: 'approval', message: 'Go?' } },
      { type: 'run:suspended', reason: 'approval', nodeId: 'a' },
    ] satisfies RunEvent[])
      teller.tell(event);
    const store = createLiveRuns();
    store.getState().applyEvents(teller.events);
    const dayMs = 86_400_000;
    const waiting = timelineOf(store.getState().runs.get('r1')!, [a], eventsStartAt + dayMs);
    expect([waiting.elapsedMs, waiting.rows[0]?.bars]).toEqual([
      dayMs,
      [
        { kind: 'work', fromMs: 1, toMs: 2 },
        { kind: 'wait', fromMs: 2, toMs: dayMs },
      ],
    ]);
    const at = eventsStartAt + dayMs;
    const resumed = teller.tell({ type: 'run:resumed' });
    const answer = teller.tell({ type: 'approval:resolved', ...asked, payload: { approved: false }, by: 'ada', at });
    store.getState().applyEvents([
      { ...resumed, at },
      { ...answer, at },
    ]);
    const after = timelineOf(store.getState().runs.get('r1')!, [a], at + 50).rows[0];
    expect(after?.bars).toEqual([
      { kind: 'work', fromMs: 1, toMs: 2 },
      { kind: 'wait', fromMs: 2, toMs: dayMs },
      { kind: 'work', fromMs: dayMs, toMs: dayMs + 50 },
    ]);
    expect(after?.note).toBe('rejected by ada');
  });

  test('the axis has few round ticks and covers the run', () => {
    for (const elapsedMs of [0, 7, 999, 4800, 38_400, 725_000, 90_000_000]) {
      const ticks = axisTicks(elapsedMs);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(elapsedMs);
    }
    for (const elapsedMs of [7, 310, 999, 38_400, 725_000]) {
      const ticks = axisTicks(elapsedMs);
      expect(new Set(ticks.map((tick) => tickText(tick, ticks[1] ?? 1))).size).toBe(ticks.length);
    }
    expect(axisTicks(38_400)).toEqual([0, 10_000, 20_000, 30_000, 40_000]);
  });
});
