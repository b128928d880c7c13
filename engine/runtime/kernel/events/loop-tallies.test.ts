import { describe, expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../../base/ids.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import { foldRun, reduceRun } from './fold-run.ts';
import type { LoopTallies } from './loop-tallies.ts';
import type { EventEnvelope, RunEvent } from './run-event.ts';
import { emptyRunState } from './run-state.ts';

const context = { sessionId: asSessionId('session') };

function logOf(...events: readonly RunEvent[]): readonly EventEnvelope[] {
  return events.map((event, seq) => ({ seq, at: 1000 + seq, runId: asRunId('run'), context, event }));
}

/** One by one, as slow models emit events. */
function folded(...events: readonly RunEvent[]): LoopTallies {
  return logOf(...events).reduce(reduceRun, emptyRunState).tallies;
}

const taskOf = (nodeId: string) => ({ taskId: `node:${nodeId}`, nodeId });
const start = (nodeId: string, nodeType = 'echo'): RunEvent => ({ type: 'task:start', ...taskOf(nodeId), nodeType });
const again = (nodeId: string): RunEvent => ({
  type: 'task:start',
  ...taskOf(nodeId),
  nodeType: 'echo',
  resumed: true,
});
const complete = (nodeId: string): RunEvent => ({
  ...{ type: 'task:complete', ...taskOf(nodeId), result: null, durationMs: 1, attempts: 1 },
});
const fail = (nodeId: string): RunEvent => ({
  ...{ type: 'task:failed', ...taskOf(nodeId), durationMs: 1, attempts: 1 },
  error: { code: 'node.failed', message: 'no' },
});
const cancel = (nodeId: string): RunEvent => ({ type: 'task:cancelled', ...taskOf(nodeId), reason: 'cancel' });
const skip = (nodeId: string): RunEvent => ({ type: 'node:skipped', nodeId, reason: 'when' });
const ran = (nodeId: string): readonly RunEvent[] => [start(nodeId), complete(nodeId)];
const fire = (item: number): RunEvent => ({
  ...{ type: 'edge:fired', edgeId: `each[${item}].a->b`, from: `each[${item}].a`, to: `each[${item}].b` },
});
const items = start('each', 'control.foreach');
const passes = start('again', 'control.loop');
const inputOf = (nodeId: string, input: JsonValue): RunEvent => ({ type: 'node:input', nodeId, input });

describe('a loop', () => {
  test.each<[JsonValue, number | null, string | null]>([
    [{ items: ['x', 'y'], as: 'mail' }, 2, 'mail'],
    [{ items: ['x'] }, 1, null],
    [{ items: ['x'], as: 3 }, 1, null],
    [{ $value: 'ab', bytes: 9, preview: '{' }, null, null],
  ])('of items with the input %j has %s of them, called %s', (input, total, as) => {
    expect(folded(items, inputOf('each', input)).loops.get('each')).toMatchObject({ total, as, mostPasses: null });
  });

  test('of passes has no number of items, and as many passes as it may take', () => {
    const most = (...inputs: readonly JsonMap[]) =>
      folded(passes, ...inputs.map((input) => inputOf('again', input))).loops.get('again');
    expect(most()).toMatchObject({ total: null, mostPasses: 10 });
    expect(most({})).toMatchObject({ total: null, mostPasses: 10 });
    expect(most({ maxIterations: '4' })).toMatchObject({ total: null, mostPasses: 4 });
  });

  test('counts what is open, ended and failed by item, and a start after an interruption only once', () => {
    const { loops } = folded(items, start('each[0].a'), again('each[0].a'), complete('each[0].a'), start('each[1].a'));
    expect(loops.get('each')?.items.get(0)).toEqual({ open: 0, ended: 1, failed: 0 });
    expect(loops.get('each')?.items.get(1)).toEqual({ open: 1, ended: 0, failed: 0 });
    expect(folded(items, start('each[2].a'), fail('each[2].a')).loops.get('each')?.items.get(2)).toEqual({
      ...{ open: 0, ended: 1, failed: 1 },
    });
  });

  test('knows the number of its items at the end if its input is stored elsewhere', () => {
    const input = { $value: 'h', bytes: 20_000, type: 'object', preview: '{' };
    const stored: RunEvent = { type: 'node:input', nodeId: 'each', input };
    const events = [start('each', 'control.foreach'), stored, ...ran('each[0].a'), ...ran('each[1].a')];
    expect(folded(...events).loops.get('each')?.total).toBeNull();
    expect(folded(...events, complete('each')).loops.get('each')?.total).toBe(2);
  });

  test('has an item that nothing is open in after an agent has skipped its run in it', () => {
    const place = 'each[0].a';
    const skipped: RunEvent = { type: 'task:skipped', ...taskOf(place), reason: 'nothing to do' };
    const { loops } = folded(items, start(place), skipped, {
      type: 'node:skipped',
      nodeId: place,
      reason: 'directive',
    });
    expect(loops.get('each')?.items.get(0)).toEqual({ open: 0, ended: 1, failed: 0 });
  });
});

describe('a node in a body', () => {
  const counts = (...events: readonly RunEvent[]) => folded(items, ...events).bodies.get('a')?.counts;
  const followed = (...events: readonly RunEvent[]) => folded(items, ...events).bodies.get('a')?.followed;

  test('counts how its items ended; one that was canceled or failed and starts again counts once', () => {
    const ends = [...ran('each[0].a'), start('each[1].a'), fail('each[1].a'), skip('each[2].a')];
    expect(counts(...ends)).toMatchObject({ ran: 1, failed: 1, skipped: 1, cancelled: 0 });
    expect(counts(...ends, start('each[3].a'), cancel('each[3].a'))).toMatchObject({ cancelled: 1 });
    const resumed = [again('each[1].a'), complete('each[1].a'), again('each[3].a')];
    expect(counts(...ends, start('each[3].a'), cancel('each[3].a'), ...resumed)).toMatchObject({
      ...{ ran: 2, failed: 0, cancelled: 0 },
    });
  });

  test('is followed at the first place that failed until that starts again, then at the next one', () => {
    const failures = [2, 0, 1].flatMap((item) => [start(`each[${item}].a`), fail(`each[${item}].a`)]);
    expect(followed(...failures)).toBe('each[2].a');
    expect(followed(...failures, ...ran('each[2].a'))).toBe('each[0].a');
  });

  test('has an open place that waits for a person', () => {
    const request = { reason: 'operator', message: 'Go on?' } as const;
    const { bodies } = folded(items, start('each[0].a'), { type: 'node:suspended', nodeId: 'each[0].a', request });
    expect(bodies.get('a')?.open).toEqual(new Map([['each[0].a', true]]));
  });
});

describe('an edge in a body', () => {
  const count = (...events: readonly RunEvent[]) => folded(items, ...events).bodyEdges.get('a->b') ?? 0;

  test('counts items that went from a node to another, none of them skipped', () => {
    expect(count(...ran('each[0].a'), fire(0))).toBe(1);
    expect(count(...ran('each[0].a'), fire(0), start('each[0].b'), ...ran('each[1].a'), fire(1))).toBe(2);
    expect(count(...ran('each[0].a'), fire(0), skip('each[0].b'))).toBe(0);
    expect(count(skip('each[0].a'), fire(0), start('each[0].b'))).toBe(0);
  });

  test('leaves nothing behind in its item once the node that it leads to is reached', () => {
    const led = (...events: readonly RunEvent[]) =>
      folded(items, ...events)
        .loops.get('each')
        ?.items.get(0)?.led;
    expect(led(...ran('each[0].a'), fire(0))).toEqual(new Map([['each[0].b', ['a->b']]]));
    expect(led(...ran('each[0].a'), fire(0), start('each[0].b'))).toBeUndefined();
  });
});

test('runs that others have called count for themselves', () => {
  const events = logOf(start('call'), items, ...ran('each[0].a'));
  const child = { runId: asRunId('child'), parentRunId: asRunId('run'), rootRunId: asRunId('run') };
  const state = foldRun(
    emptyRunState,
    events.map((event) => (event.seq === 0 ? event : { ...event, ...child })),
  );
  expect(state.tallies.loops.size).toBe(0);
  expect(state.children.get('child')?.tallies.loops.get('each')?.items.size).toBe(1);
});

test('events that are about no loop leave the tallies as they are', () => {
  const log = logOf(items, ...ran('each[0].a'), { type: 'agent:text', content: 'x' }, ...ran('b'));
  const before = foldRun(emptyRunState, log.slice(0, 3));
  expect(foldRun(before, log).tallies).toBe(before.tallies);
  expect(folded(...ran('a'))).toBe(emptyRunState.tallies);
});

test('the tallies of 10,000 failing items cost as much one by one as at once, and contain no list of places', () => {
  const log = logOf(
    items,
    ...Array.from({ length: 10_000 }, (_, item) => {
      const place = `each[${item}].a`;
      return [start(place), fail(place)];
    }).flat(),
  );
  const { loops, bodies } = log.reduce(reduceRun, emptyRunState).tallies;
  expect(bodies.get('a')).toMatchObject({
    counts: { failed: 10_000 },
    open: new Map(),
    firstFailed: 'each[0].a',
  });
  expect(loops.get('each')?.items.size).toBe(10_000);
  expect(loops.get('each')?.items.get(9999)).toEqual({ open: 0, ended: 1, failed: 1 });
});
