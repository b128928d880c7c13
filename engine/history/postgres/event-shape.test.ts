/**
 * Tests the check of events that other programs may have written.
 */
import { expect, test } from 'vitest';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { askingLog } from '../../testing/asking-log.ts';
import { eventProblem } from './event-shape.ts';

/** Fields that all their events have. */
const required = [
  ...['taskId', 'durationMs', 'attempts', 'edgeId', 'from', 'to', 'key', 'requestHash', 'request', 'name', 'inputs'],
  ...['status', 'failedNodes', 'payload', 'at', 'sourcePath', 'definitionHash'],
];

test('the events of a run are valid, but not without one of their fields or with another type of value', async () => {
  const log = await askingLog();
  expect(log.flatMap((event) => eventProblem(event) ?? [])).toEqual([]);
  const cases = log.flatMap((envelope) =>
    required.filter((name) => name in envelope.event).map((name) => [envelope, name] as const),
  );
  expect(new Set(cases.map(([, name]) => name))).toEqual(new Set(required));
  for (const [envelope, name] of cases)
    for (const value of [undefined, ...(name === 'inputs' ? [] : [[7]])]) {
      const event = { ...envelope.event, [name]: value } as RunEvent;
      expect(eventProblem({ ...envelope, event })).toBe(
        `"${name}" of event ${envelope.seq} (${event.type}) is invalid`,
      );
    }
});

test('the scope of an event is checked, and events of unknown types are not', () => {
  const event = { type: 'node:input', nodeId: 'n', input: 1 } as const;
  const envelope = { seq: 3, at: 1, runId: 'r', context: { sessionId: 's' }, event } as unknown as EventEnvelope;
  expect(eventProblem(envelope)).toBeUndefined();
  const task = { id: 5 } as unknown as { id: string };
  expect(eventProblem({ ...envelope, context: { ...envelope.context, task } })).toBe('the scope of event 3 is invalid');
  const unknown = { type: 'quantum:leap', nodeId: 5 } as unknown as RunEvent;
  expect(eventProblem({ ...envelope, event: unknown })).toBeUndefined();
});
