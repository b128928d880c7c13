/**
 * Test helper: creates traces of logs.
 */
import { asRunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { envelopes } from '../../testing/run-samples.ts';
import { createRedactor } from '../../world/secrets/redactor.ts';
import { TraceLog } from './trace-log.ts';
import type { TraceRecord } from './trace-record.ts';

export const runId = asRunId('r1');

/** Returns the trace of a log; `values` are the values behind handles. */
export function traced(log: readonly EventEnvelope[], values: Readonly<Record<string, JsonValue>> = {}): TraceRecord[] {
  const trace = new TraceLog({
    ...{ runId, product: 'shop', flow: 'refund' },
    steps: new Map([['pay', { index: 1, name: 'Pay it' }]]),
    redactor: createRedactor(() => [], { isForOthers: true }),
    whole: (value) => {
      const handle = typeof value === 'object' && value !== null && '$value' in value ? value['$value'] : '';
      return values[String(handle)] ?? value;
    },
  });
  return [...log.flatMap((event) => trace.add(event)), ...trace.end()];
}

/** Returns the trace of events, numbered from 0. */
export function tracedEvents(...events: readonly RunEvent[]): TraceRecord[] {
  return traced(envelopes(runId, events));
}
