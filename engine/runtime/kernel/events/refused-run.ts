/**
 * Creates the end event of a run that never started, for code that identifies runs by their end events.
 */
import type { RunEndEvent, RunRefusedEvent } from './run-event.ts';

export function endOfRefused({ code, message, details }: RunRefusedEvent): RunEndEvent {
  return { type: 'run:end', status: 'failed', error: { code, message, details }, failedNodes: [], durationMs: 0 };
}
