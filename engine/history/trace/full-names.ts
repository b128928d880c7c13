/**
 * Determines unique step names in a run and its child runs: the names of the calling steps and of the step, joined by
 * `/`.
 */
import { type RunId, taskNameOf } from '../../base/ids.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';

/** Updates its state from the events, in order. */
export class FullNames {
  /** The full name of the caller, by child run that has not ended. */
  readonly #callers = new Map<RunId, string>();

  /** Processes an event; call it before asking about the event. */
  note({ runId, parentRunId, context, event }: EventEnvelope): void {
    if (parentRunId === undefined) return;
    if (event.type === 'run:start') {
      const { parentTaskId, parentStage } = event;
      const caller = parentTaskId === undefined ? parentStage : taskNameOf(parentTaskId);
      this.#callers.set(runId, this.#below(parentRunId, caller) ?? context.node?.id ?? 'called');
    } else if (!this.#callers.has(runId)) {
      // The run started before the first known event.
      this.#callers.set(runId, context.node?.id ?? 'called');
    }
  }

  /** Records that the event has been handled. */
  forget({ runId, event }: EventEnvelope): void {
    if (event.type === 'run:end') this.#callers.delete(runId);
  }

  /** Returns the step that the event is about or in which it occurred; undefined for the root run itself. */
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
