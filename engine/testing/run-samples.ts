/**
 * Sample runs and events for tests.
 */
import { asRunId, asSessionId, type RunId } from '../base/ids.ts';
import type { NewRun } from '../history/store/run-store.ts';
import type { EventEnvelope, RunEndEvent, RunEvent } from '../runtime/kernel/events/run-event.ts';

/** Returns a queued flow run; `changes` overrides fields. */
export function newRun(id: string, changes: Partial<NewRun> = {}): NewRun {
  return {
    runId: asRunId(id),
    sessionId: asSessionId('session'),
    kind: 'flow',
    name: 'Weekly report',
    sourcePath: 'flows/report.flow.yaml',
    definition: 'flow: {}\n',
    inputs: {},
    queuedAt: 1_000,
    ...changes,
  };
}

/** Returns an event in its envelope. */
export function envelope(runId: RunId, event: RunEvent, seq: number): EventEnvelope {
  return { seq, at: 2_000 + seq, runId, context: { sessionId: asSessionId('session') }, event };
}

/** Numbers events like a hub, from `firstSeq`. */
export function envelopes(runId: RunId, events: readonly RunEvent[], firstSeq = 0): EventEnvelope[] {
  return events.map((event, index) => envelope(runId, event, firstSeq + index));
}

export const runStart: RunEvent = {
  type: 'run:start',
  kind: 'flow',
  name: 'Weekly report',
  sourcePath: 'flows/report.flow.yaml',
  definitionHash: 'hash',
  inputs: {},
};

export const runCompleted: RunEndEvent = { type: 'run:end', status: 'completed', failedNodes: [], durationMs: 12 };
