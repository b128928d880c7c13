/**
 * For tests: events of a run in few words.
 */
import {
  asRunId,
  asSessionId,
  type EventEnvelope,
  type JsonValue,
  type RunEvent,
  taskIdOf,
} from '../../../engine/isomorphic.ts';

export interface RunTeller {
  /** The next event of the run; one millisecond after the former. */
  tell(event: RunEvent, nodeId?: string): EventEnvelope;
  /** The next event of an agent's run, in the task of its input (from 0). */
  tellInput(index: number, event: RunEvent): EventEnvelope;
  /** The next event of a run that this one, or one below it, called; in the task of that id, if in any. */
  tellChild(child: ToldChild, event: RunEvent): EventEnvelope;
  /** Everything emitted so far. */
  readonly events: readonly EventEnvelope[];
}

/** A run below the one that emits, and where its event happened. */
export interface ToldChild {
  readonly runId: string;
  readonly parentRunId: string;
  readonly taskId?: string;
}

/** When the first event of every run happens; epoch milliseconds. */
export const toldFrom = 1_000_000;

/** Tells a run of `sourcePath`, numbered from 0. */
export function createRunTeller(runId: string): RunTeller {
  const events: EventEnvelope[] = [];
  const add = (place: Pick<EventEnvelope, 'runId' | 'parentRunId' | 'rootRunId'>, event: RunEvent, taskId?: string) => {
    const envelope: EventEnvelope = {
      seq: events.length,
      at: toldFrom + events.length,
      ...place,
      context: { sessionId: asSessionId('s1'), ...(taskId === undefined ? {} : { task: { id: taskId } }) },
      event,
    };
    events.push(envelope);
    return envelope;
  };
  const rootRunId = asRunId(runId);
  return {
    events,
    tell: (event, nodeId) => add({ runId: rootRunId }, event, nodeId === undefined ? undefined : taskIdOf(nodeId)),
    tellInput: (index, event) => add({ runId: rootRunId }, event, `input:${index}`),
    tellChild: (child, event) =>
      add({ runId: asRunId(child.runId), parentRunId: asRunId(child.parentRunId), rootRunId }, event, child.taskId),
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

export function agentStart(sourcePath: string, parentTaskId?: string): RunEvent {
  const event = { type: 'run:start', kind: 'agent', name: sourcePath, sourcePath, definitionHash: 'h' } as const;
  return { ...event, inputs: ['one', 'two'], ...(parentTaskId === undefined ? {} : { parentTaskId }) };
}

export function inputStart(index: number): RunEvent {
  return { type: 'task:start', taskId: `input:${index}` };
}

export function inputComplete(index: number, result: JsonValue): RunEvent {
  return { type: 'task:complete', taskId: `input:${index}`, result, durationMs: 1, attempts: 1 };
}
