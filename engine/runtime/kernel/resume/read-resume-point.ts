/**
 * Determines from a stored log where its run and child runs stopped.
 */
import { asRunId, type RunId } from '../../../base/ids.ts';
import type { EventEnvelope } from '../events/run-event.ts';
import type { ResumePoint, RunLogSource } from './resume-point.ts';
import { RunReader } from './run-reader.ts';

/** Reads a run's complete log. */
export function readResumePoint(
  events: Iterable<EventEnvelope>,
  { answer, ...source }: RunLogSource & { readonly answer?: ResumePoint['answer'] },
): ResumePoint {
  let root: RunReader | undefined;
  const readers = new Map<RunId, RunReader>();
  for (const { seq, at, runId, parentRunId, context, event } of events) {
    root ??= new RunReader(runId, source);
    const readerOf = (id: RunId | undefined): RunReader | undefined =>
      id === root?.runId ? root : id && readers.get(id);
    let reader = readerOf(runId);
    if (reader === undefined && event.type === 'run:start') {
      reader = readerOf(parentRunId)?.call(runId, { agentName: event.name, taskId: event.parentTaskId });
      if (reader !== undefined) readers.set(runId, reader);
    }
    const called = reader?.take(event, at, context.task?.id);
    if (called !== undefined) readers.set(called.runId, called);
    if (event.type === 'run:end') readers.delete(runId);
    root.note(seq);
  }
  return (root ?? new RunReader(asRunId(''), source)).point(answer);
}
