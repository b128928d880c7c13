/**
 * Creates the end of a run that was never started, for code that identifies runs by their ends.
 */
import type { RunEndEvent, RunRefusedEvent } from './run-event.ts';

export function endOfRefused({ code, message, details }: RunRefusedEvent): RunEndEvent {
  return { type: 'run:end', status: 'failed', error: { code, message, details }, failedNodes: [], durationMs: 0 };
}
