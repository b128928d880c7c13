/**
 * For tests: events of a run in few words.
 */
import { asRunId, asSessionId, type EventEnvelope, type RunEvent } from '../../engine/isomorphic.ts';

export interface RunTeller {
  /** The next event of the run; one millisecond after the former. */
  tell(event: RunEvent, nodeId?: string): EventEnvelope;
  /** Everything told so far. */
  readonly events: readonly EventEnvelope[];
}

/** When the first event of every told run happens; epoch milliseconds. */
export const toldFrom = 1_000_000;

/** Tells a run of `sourcePath`, numbered from 0. */
export function createRunTeller(runId: string): RunTeller {
  const events: EventEnvelope[] = [];
  return {
    events,
    tell(event, nodeId) {
      const envelope: EventEnvelope = {
        seq: events.length,
        at: toldFrom + events.length,
        runId: asRunId(runId),
        context: { sessionId: asSessionId('s1'), ...(nodeId === undefined ? {} : { task: { id: `node:${nodeId}` } }) },
        event,
      };
      events.push(envelope);
      return envelope;
    },
  };
}

export function runStart(sourcePath: string): RunEvent {
  return { type: 'run:start', kind: 'flow', name: 'Flow', sourcePath, definitionHash: 'h', inputs: {} };
}

export function runEnd(status: 'completed' | 'failed' | 'cancelled'): RunEvent {
  return { type: 'run:end', status, failedNodes: [], durationMs: 5 };
}

export function nodeStart(nodeId: string): RunEvent {
  return { type: 'task:start', taskId: `node:${nodeId}`, nodeId, nodeType: 'echo' };
}

export function nodeComplete(nodeId: string): RunEvent {
  return { type: 'task:complete', taskId: `node:${nodeId}`, nodeId, result: { text: 'x' }, durationMs: 1, attempts: 1 };
}
