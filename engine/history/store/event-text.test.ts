import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { eventText } from './event-group.ts';

const id = fc.oneof(fc.constantFrom('a', 'each[2].write', 'a->b#2', 'node:x', '', 'ä"\\\n\u2028\ud800'), fc.string());
const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const trace = { op: 'exists', var: 'a.b', result: false } as const;

const events: fc.Arbitrary<RunEvent> = fc.oneof(
  fc.record({ type: fc.constant('task:start' as const), taskId: id, nodeId: id, nodeType: id }),
  fc.record({ type: fc.constant('task:start' as const), taskId: id }),
  fc.record({
    type: fc.constant('task:start' as const),
    taskId: id,
    nodeId: id,
    nodeType: id,
    resumed: fc.constant(true as const),
  }),
  fc.record({
    type: fc.constant('task:complete' as const),
    taskId: id,
    nodeId: id,
    result: json,
    durationMs: fc.nat(),
    attempts: fc.nat(),
  }),
  fc.record({
    type: fc.constant('task:complete' as const),
    taskId: id,
    result: json,
    durationMs: fc.nat(),
    attempts: fc.nat(),
  }),
  fc.record({ type: fc.constant('node:input' as const), nodeId: id, input: json }),
  fc.record({ type: fc.constant('edge:fired' as const), edgeId: id, from: id, to: id }),
  fc.record({ type: fc.constant('edge:fired' as const), edgeId: id, from: id, to: id, detail: fc.constant(trace) }),
  fc.record({ type: fc.constant('node:reused' as const), nodeId: id, fromRunId: id.map(asRunId), output: json }),
);

test('the text of any event equals the output of JSON.stringify', () => {
  fc.assert(
    fc.property(events, (event) => {
      expect(JSON.parse(eventText(event))).toEqual(JSON.parse(JSON.stringify(event)));
      expect(eventText(event)).toBe(JSON.stringify(event));
    }),
    { numRuns: testRounds(1000) },
  );
});
