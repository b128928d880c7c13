import { describe, expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../../base/ids.ts';
import type { WhenTrace } from '../../../language/bindings/when.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { runCompleted, runStart } from '../../../testing/run-samples.ts';
import type { EventEnvelope, RunEvent } from '../events/run-event.ts';
import { createHub } from './hub.ts';
import type { HubOptions } from './hub-core.ts';

const terminal: RunEvent = { type: 'task:complete', taskId: 'node:a', result: 1, durationMs: 0, attempts: 1 };
const text = (content: string): RunEvent => ({ type: 'agent:text', content });
const thinking = (content: string): RunEvent => ({ type: 'agent:thinking', content });
const phase: RunEvent = { type: 'phase:start', name: 'Run Flow' };

function setUp(options: Partial<HubOptions> = {}) {
  const clock = createManualClock();
  const log: string[] = [];
  const events: EventEnvelope[] = [];
  const runHub = createHub({
    runId: asRunId('run'),
    sessionId: asSessionId('session'),
    clock,
    record: (group) => log.push(`record ${group.map(({ seq }) => seq).join()}`),
    ...options,
  });
  runHub.subscribe((group) => {
    log.push(`tell ${group.map(({ seq }) => seq).join()}`);
    events.push(...group);
  });
  return { ...runHub, clock, log, events, types: () => events.map(({ event }) => event.type) };
}

describe('numbering and context', () => {
  test('numbers events from 0 without gaps and adds the time and their scope', async () => {
    const { hub, clock, events } = setUp();
    hub.emit(phase);
    await clock.advance(5);
    hub
      .scoped({ phase: { name: 'Run Flow' } })
      .scoped({ task: { id: 'node:a' } })
      .emit(terminal);
    expect(events).toEqual([
      { seq: 0, at: 1_700_000_000_000, runId: 'run', context: { sessionId: 'session' }, event: phase },
      {
        seq: 1,
        at: 1_700_000_000_005,
        runId: 'run',
        context: { sessionId: 'session', phase: { name: 'Run Flow' }, task: { id: 'node:a' } },
        event: terminal,
      },
    ]);
  });

  test('events of a child run contain the ID of their parent', () => {
    const { hub, events } = setUp({ parentRunId: asRunId('root') });
    hub.emit(terminal);
    expect(events[0]).toMatchObject({ runId: 'run', parentRunId: 'root' });
  });

  test('FE-83 events of a run called by a node, at any depth, name the node in addition to their own task', () => {
    const { hub, events } = setUp();
    const called = hub.scoped({ task: { id: 'node:each[0].ask' } }).child(asRunId('called'));
    called.scoped({ task: { id: 'input:0' } }).emit(terminal);
    called
      .scoped({ task: { id: 'input:1' } })
      .child(asRunId('deeper'))
      .emit(terminal);
    hub
      .scoped({ task: { id: 'input:0' } })
      .child(asRunId('of an agent'))
      .emit(terminal);
    expect(events.map(({ context: { task, node } }) => [task?.id, node?.id])).toEqual([
      ['input:0', 'each[0].ask'],
      [undefined, 'each[0].ask'],
      [undefined, undefined],
    ]);
  });
});

describe('durability', () => {
  test('records a group before delivering it, immediately at a barrier', () => {
    const { hub, log } = setUp();
    hub.emit(phase);
    hub.emit(phase);
    expect(log).toEqual([]);
    hub.emit(terminal);
    expect(log).toEqual(['record 0,1,2', 'tell 0,1,2']);
  });

  test('a called run starts and ends with the next barrier, such as the calling task, and within 16 ms', async () => {
    const { hub, log, clock } = setUp();
    const called = hub.child(asRunId('called'));
    called.emit(runStart);
    called.emit(runCompleted);
    expect(log).toEqual([]);
    hub.emit(terminal);
    expect(log).toEqual(['record 0,1,2', 'tell 0,1,2']);
    called.emit(runStart);
    await clock.advance(16);
    expect(log.slice(2)).toEqual(['record 3', 'tell 3']);
    called.emit(runCompleted);
    called.flush();
    expect(log.slice(4)).toEqual(['record 4', 'tell 4']);
    hub.emit(runCompleted);
    expect(log.slice(6)).toEqual(['record 5', 'tell 5']);
  });

  test('records events without a following barrier within 16 ms, and then leaves no timer', async () => {
    const { hub, log, clock } = setUp();
    hub.emit(phase);
    await clock.advance(15);
    expect(log).toEqual([]);
    await clock.advance(1);
    expect(log).toEqual(['record 0', 'tell 0']);
    expect(clock.openTimers).toBe(0);
  });

  test('flush makes everything durable and visible before it returns', () => {
    const { hub, log } = setUp();
    hub.emit(phase);
    hub.scoped({}).flush();
    expect(log).toEqual(['record 0', 'tell 0']);
  });

  test('keeps the order for all listeners if one of them causes more events', () => {
    const { hub, subscribe, log } = setUp();
    const end = subscribe(() => {
      end();
      hub.emit(terminal);
    });
    subscribe((group) => log.push(`late ${group.map(({ seq }) => seq).join()}`));
    hub.emit(terminal);
    expect(log).toEqual(['record 0', 'tell 0', 'record 1', 'late 0', 'tell 1', 'late 1']);
  });

  test('continues to deliver unrecorded events if recording fails, and reports that once', () => {
    const failures: unknown[] = [];
    const full = new Error('disk full');
    const { hub, types } = setUp({
      record: () => {
        throw full;
      },
      onRecordFailure: (thrown) => failures.push(thrown),
    });
    hub.emit(terminal);
    hub.emit(terminal);
    expect({ failures, types: types() }).toEqual({ failures: [full], types: ['task:complete', 'task:complete'] });
  });
});

describe('text deltas', () => {
  test('joins consecutive pending text of one task, and nothing else', () => {
    const { hub, events } = setUp();
    const a = hub.scoped({ task: { id: 'node:a' } });
    const b = hub.scoped({ task: { id: 'node:b' } });
    a.emit(text('Hel'));
    b.emit(text('other'));
    a.emit(text('lo'));
    a.emit(thinking('hm'));
    a.emit(text('!'));
    hub.flush();
    a.emit(text('next'));
    hub.flush();
    expect(events.map(({ seq, event }) => [seq, 'content' in event && event.content])).toEqual([
      [0, 'Hello'],
      [1, 'other'],
      [2, 'hm'],
      [3, '!'],
      [4, 'next'],
    ]);
  });

  test('loses nothing and keeps the order of one task whatever is between the pieces', () => {
    const { hub, events } = setUp();
    const task = hub.scoped({ task: { id: 'node:a' } });
    task.emit(text('1'));
    task.emit({ type: 'node:retry', nodeId: 'a', attempt: 1, delayMs: 0, error: { code: 'x', message: 'x' } });
    task.emit(text('2'));
    hub.flush();
    expect(events.map(({ event }) => event.type)).toEqual(['agent:text', 'node:retry', 'agent:text']);
  });
});

describe('large values', () => {
  const large = 'x'.repeat(20_000);
  const handle = { $value: 'f'.repeat(64), bytes: 20_002, type: 'string' as const, preview: 'xxx' };

  test('replaces large values with handles and does not intern small ones', () => {
    const asked: unknown[] = [];
    const { hub, events } = setUp({
      intern: (value) => {
        asked.push(value);
        return { ...handle };
      },
    });
    hub.emit({ ...terminal, result: { small: true } });
    hub.emit({ ...terminal, result: large });
    hub.emit({ type: 'node:input', nodeId: 'a', input: { text: large } });
    hub.emit({ type: 'run:end', status: 'completed', output: { a: large }, failedNodes: [], durationMs: 1 });
    expect({ asked, events: events.map(({ event }) => event) }).toMatchObject({
      asked: [large, { text: large }, { a: large }],
      events: [{ result: { small: true } }, { result: handle }, { input: handle }, { output: handle }],
    });
  });

  test('replaces values in a condition trace at any depth', () => {
    const { hub, events } = setUp({ intern: () => ({ ...handle }) });
    const small = { op: 'equals', var: 'a.x', value: 1, actual: 2, result: false } as const;
    const seen = { op: 'equals', var: 'a.text', value: large, actual: large, result: true } as const;
    const detail = (part: WhenTrace): WhenTrace => ({ op: 'and', of: [small, part], result: false });
    const skipped = (part: WhenTrace): RunEvent => ({
      type: 'node:skipped',
      nodeId: 'b',
      reason: 'when',
      detail: { op: 'not', of: [detail(part)], result: true },
    });
    hub.emit(skipped(seen));
    hub.flush();
    expect(events[0]?.event).toEqual(skipped({ ...seen, value: handle, actual: handle }));
  });

  test('treats a value that cannot be stored as a failure to record', () => {
    const failures: unknown[] = [];
    const { hub, events } = setUp({
      intern: () => {
        throw new Error('disk full');
      },
      onRecordFailure: (thrown) => failures.push(thrown),
    });
    hub.emit({ ...terminal, result: large });
    expect({ failures: failures.length, told: events.length }).toEqual({ failures: 1, told: 1 });
  });
});

describe('listeners', () => {
  test('a listener that throws affects neither the run nor other listeners', () => {
    const errors: unknown[] = [];
    const { hub, subscribe } = setUp({ onListenerError: (thrown) => errors.push(thrown) });
    const seen: number[] = [];
    subscribe(() => {
      throw new Error('broken view');
    });
    subscribe((group) => seen.push(...group.map(({ seq }) => seq)));
    hub.emit(terminal);
    hub.emit(terminal);
    expect({ seen, errors: errors.length }).toEqual({ seen: [0, 1], errors: 2 });
  });

  test('ends a subscription on request, also if requested twice', () => {
    const { hub, subscribe } = setUp();
    const seen: number[] = [];
    const end = subscribe((group) => seen.push(group.length));
    hub.emit(terminal);
    end();
    end();
    hub.emit(terminal);
    expect(seen).toEqual([1]);
  });

  test('closing records and delivers the rest; nothing is emitted afterwards and no timer remains', async () => {
    const { hub, close, clock, log } = setUp();
    hub.emit(phase);
    close();
    hub.emit(terminal);
    await clock.advance(100);
    expect({ log, openTimers: clock.openTimers }).toEqual({ log: ['record 0', 'tell 0'], openTimers: 0 });
  });
});
