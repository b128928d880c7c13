import { expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../base/ids.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { envelope, runCompleted, runStart } from '../../testing/run-samples.ts';
import { decodeGroup, type EventGroup, encodeGroup } from './event-group.ts';

const root = asRunId('root');
const sessionId = asSessionId('session');
const child = { runId: asRunId('child'), parentRunId: root, rootRunId: root };
const taskScope = { sessionId, phase: { name: 'Run Flow' }, task: { id: 'node:a' } };

const log = { runId: root, sessionId };

function decoded(events: EventGroup): readonly EventEnvelope[] {
  return decodeGroup(encodeGroup(events, log), log);
}

test('round-trips every field of every event, through changes of time, run and context', () => {
  const start = { ...envelope(root, runStart, 7), at: 10 };
  const text = { ...start, seq: 8, at: 11, context: taskScope, event: { type: 'agent:text', content: 'ü\n' } as const };
  const events: EventGroup = [
    start,
    text,
    { ...text, seq: 9, ...child },
    { ...text, seq: 10, ...child, at: 10, context: { ...taskScope, agent: { name: 'helper' } } },
    { ...start, seq: 11, event: runCompleted },
    { ...start, seq: 12, ...child, event: runCompleted },
  ];
  const back = decoded(events);
  expect(back).toEqual(events);
  expect(back.map((event) => 'parentRunId' in event)).toEqual([false, false, true, true, false, true]);
});

test('round-trips a single event', () => {
  const events: EventGroup = [{ ...envelope(root, runCompleted, 3), ...child }];
  expect(decoded(events)).toEqual(events);
});

test("round-trips a session that differs from the run's, as after a resume", () => {
  const later = { sessionId: asSessionId('later') };
  const events: EventGroup = [
    { ...envelope(root, runStart, 0), context: later },
    { ...envelope(root, runCompleted, 1), context: { ...later, phase: { name: 'Run Flow' } } },
  ];
  expect(decoded(events)).toEqual(events);
});

test('writes names and ids as JSON does, whatever they contain', () => {
  const hard = 'a "b" \\ \u0000\u2028\ud800 <ü>';
  const context = { sessionId, phase: { name: hard }, task: { id: hard }, agent: { name: hard }, node: { id: hard } };
  const events: EventGroup = [
    { ...envelope(root, runCompleted, 0), context },
    { ...envelope(root, runCompleted, 1), ...child, runId: asRunId(hard), context: { sessionId } },
  ];
  expect(decoded(events)).toEqual(events);
});

test('writes fields shared by several events once, and omits those known from the run', () => {
  const shared = { at: 10, runId: root, context: taskScope };
  const piece = (seq: number): EventEnvelope => ({ ...shared, seq, event: { type: 'agent:text', content: `${seq}` } });
  const pieces: EventGroup = [piece(0), piece(1), piece(2)];
  const text = encodeGroup(pieces, log);
  expect(text).not.toMatch(/session|root/);
  expect(text.match(/node:a/g)).toHaveLength(1);
  expect(decodeGroup(text, log)).toEqual(pieces);
});
