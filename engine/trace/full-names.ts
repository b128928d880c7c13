/**
 * Names of steps that are one of a kind in a run, also of those in runs that it called: where each call stands, joined by `/`.
 */
import { type RunId, taskNameOf } from '../base/ids.ts';
import type { EventEnvelope } from '../kernel/run-event.ts';

/** Learns from the events in their order. */
export class FullNames {
  /** By called run that has not ended: the full name of what called it. */
  readonly #callers = new Map<RunId, string>();

  /** Takes an event in, before it is asked about. */
  note({ runId, parentRunId, context, event }: EventEnvelope): void {
    if (parentRunId === undefined) return;
    if (event.type === 'run:start') {
      const { parentTaskId, parentStage } = event;
      const caller = parentTaskId === undefined ? parentStage : taskNameOf(parentTaskId);
      this.#callers.set(runId, this.#below(parentRunId, caller) ?? context.node?.id ?? 'called');
    } else if (!this.#callers.has(runId)) {
      // The run began before the first event that was seen.
      this.#callers.set(runId, context.node?.id ?? 'called');
    }
  }

  /** Takes in that the event was dealt with. */
  forget({ runId, event }: EventEnvelope): void {
    if (event.type === 'run:end') this.#callers.delete(runId);
  }

  /** The step that the event is about, or in which it happened; undefined for the run at the top itself. */
  stepOf(envelope: EventEnvelope): string | undefined {
    const { event, context, runId } = envelope;
    if (event.type.startsWith('run:')) return this.#callers.get(runId);
    const nodeId = 'nodeId' in event ? event.nodeId : undefined;
    const taskId = ('taskId' in event ? event.taskId : undefined) ?? context.task?.id;
    return this.#below(runId, nodeId ?? (taskId === undefined ? undefined : taskNameOf(taskId)));
  }

  #below(runId: RunId, name: string | undefined): string | undefined {
    const caller = this.#callers.get(runId);
    if (caller === undefined || name === undefined) return caller ?? name;
    return `${caller}/${name}`;
  }
}
