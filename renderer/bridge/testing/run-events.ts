/**
 * For tests: short functions that create the events of a run.
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
  /** Returns the next event of the run, one millisecond after the previous one. */
  tell(event: RunEvent, nodeId?: string): EventEnvelope;
  /** Returns the next event of an agent's run, in the task of the input with this index (from 0). */
  tellInput(index: number, event: RunEvent): EventEnvelope;
  /** Returns the next event of a direct or nested child run, in the task with the given ID, if any. */
  tellChild(child: ChildOfEvents, event: RunEvent): EventEnvelope;
  /** Everything emitted so far. */
  readonly events: readonly EventEnvelope[];
}

/** A child run and the place where its event happened. */
export interface ChildOfEvents {
  readonly runId: string;
  readonly parentRunId: string;
  readonly taskId?: string;
}

/** Time of the first event of every run, in epoch milliseconds. */
export const eventsStartAt = 1_000_000;

/** Creates the events of a run of `sourcePath`, numbered from 0. */
export function createRunTeller(runId: string): RunTeller {
  const events: EventEnvelope[] = [];
  const add = (place: Pick<EventEnvelope, 'runId' | 'parentRunId' | 'rootRunId'>, event: RunEvent, taskId?: string) => {
    const envelope: EventEnvelope = {
      seq: events.length,
      at: eventsStartAt + events.length,
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

export function nodeStart(nodeId: string, nodeType = 'echo'): RunEvent {
  return { type: 'task:start', taskId: `node:${nodeId}`, nodeId, nodeType };
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
