import { expect, test } from 'vitest';
import type { RunEvent } from '../../engine/isomorphic.ts';
import {
  createRunTeller,
  eventsStartAt,
  nodeComplete,
  nodeStart,
  runEnd,
  runStart,
} from '../bridge/testing/run-events.ts';
import { eventLine } from './event-line.ts';

test('each line shows its node, the time, and what happened', () => {
  const run = createRunTeller('r1');
  const retry: RunEvent = {
    type: 'node:retry',
    nodeId: 'a',
    attempt: 1,
    delayMs: 250,
    error: { code: 'x', message: '503' },
  };
  for (const event of [runStart('f.flow.yaml'), nodeStart('a'), retry, nodeComplete('a'), runEnd('completed')]) {
    run.tell(event);
  }
  const lines = run.events.map((event) => eventLine(event, eventsStartAt));
  expect(lines.map(({ offsetMs, nodeId, tone, text }) => [offsetMs, nodeId, tone, text])).toEqual([
    [0, null, 'plain', 'run of f.flow.yaml started with {}'],
    [1, 'a', 'plain', 'started, echo'],
    [2, 'a', 'bad', 'attempt 1 failed, next attempt in 0.2 s: 503'],
    [3, 'a', 'good', 'completed after 1 ms: {"text":"x"}'],
    [4, null, 'good', 'run completed after 5 ms'],
  ]);
});

test('an event in the scope of a node belongs to that node', () => {
  const run = createRunTeller('r1');
  const asked = run.tell({ type: 'model:request', provider: 'scripted', model: 'm', messagesHash: 'h' }, 'a');
  expect(eventLine(asked, eventsStartAt)).toMatchObject({ nodeId: 'a', text: 'prompt sent to m (scripted)' });
});

test('a long value is truncated to one line', () => {
  const run = createRunTeller('r1');
  const given = run.tell({ type: 'node:input', nodeId: 'a', input: { text: 'x'.repeat(5000) } });
  expect(eventLine(given, eventsStartAt).text.length).toBeLessThan(200);
});

test('a cancellation is not highlighted in the log and never a failure, even if it ended a node', () => {
  const run = createRunTeller('r1');
  const cut: RunEvent = { type: 'task:cancelled', taskId: 'node:a', nodeId: 'a', reason: 'cancel' };
  const end: RunEvent = {
    ...runEnd('cancelled'),
    error: { code: 'run.cancelled', message: 'It was cancelled' },
  } as RunEvent;
  for (const event of [runStart('f.flow.yaml'), nodeStart('a'), cut, end]) run.tell(event);
  expect(run.events.slice(2).map((event) => eventLine(event, eventsStartAt).tone)).toEqual(['quiet', 'quiet']);
});

test('13.5 a pause shows the next node, and who let the run continue or take a step', () => {
  const run = createRunTeller('r1');
  const events: RunEvent[] = [
    { type: 'run:suspended', reason: 'paused', nodeId: 'a' },
    { type: 'run:resumed', action: 'step', by: 'Kim' },
    { type: 'run:suspended', reason: 'paused' },
    { type: 'run:resumed', action: 'continue', by: 'Kim' },
    { type: 'run:resumed', action: 'continue' },
    { type: 'run:suspended', reason: 'approval', nodeId: 'a' },
  ];
  const lines = events.map((event) => eventLine(run.tell(event), eventsStartAt));
  expect(lines.map(({ nodeId, text }) => [nodeId, text])).toEqual([
    ['a', 'run paused before this node'],
    [null, 'step by Kim'],
    [null, 'run paused'],
    [null, 'run continued by Kim'],
    [null, 'run continued'],
    ['a', 'run is waiting for a person'],
  ]);
});

test('a skip, an edge in a loop and a large value are shown in words', () => {
  const run = createRunTeller('r1');
  const part = { op: 'equals', var: 'b.route', value: 'DE', actual: 'default', result: false } as const;
  const large = { $value: 'f7a09269', bytes: 64_000, type: 'array', preview: '[{' };
  const events: RunEvent[] = [
    { type: 'node:skipped', nodeId: 'each[0].a', reason: 'edge', detail: { op: 'or', of: [part], result: false } },
    { type: 'node:skipped', nodeId: 'c', reason: 'disabled' },
    { type: 'edge:fired', edgeId: 'each[0].e', from: 'each[0].b', to: 'each[0].a' },
    { ...nodeComplete('a'), result: large } as RunEvent,
  ];
  expect(events.map((event) => eventLine(run.tell(event), eventsStartAt).text)).toEqual([
    'skipped, none of its incoming edges was taken: b.route is "default", not "DE"',
    'skipped, because it is disabled in the file',
    'reached from b',
    'completed after 1 ms: list, 64 KB',
  ]);
});
