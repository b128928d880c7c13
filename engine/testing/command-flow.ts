/**
 * Flows with one command, and the results of their runs.
 */
import type { EventEnvelope, RunEvent } from '../runtime/kernel/events/run-event.ts';

interface Command {
  readonly input?: object;
  readonly config?: object;
  readonly more?: object;
}

/** Returns a flow with one command: by default Node, with this code and these arguments. */
export function commandFlow(code: string, { input = {}, config = {}, more = {} }: Command = {}): string {
  const node = {
    id: 'call',
    type: 'command.run',
    config: { program: process.execPath, ...config },
    input: { args: ['-e', code], ...input },
    ...more,
  };
  return `flow: { name: Run }\nnodes:\n  - ${JSON.stringify(node)}\nedges: []`;
}

/** Returns the last event of a run that has ended. */
export function endOf(events: readonly EventEnvelope[]): Extract<RunEvent, { type: 'run:end' }> {
  return events.at(-1)?.event as Extract<RunEvent, { type: 'run:end' }>;
}

/** Returns the output of the first task, or why the run failed. */
export function resultOf(events: readonly EventEnvelope[]): unknown {
  const found = events.find(({ event }) => event.type === 'task:complete')?.event;
  return found?.type === 'task:complete' ? found.result : endOf(events).error;
}
