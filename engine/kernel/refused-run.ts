/**
 * How a run ends that was not begun, for those who know runs by their ends.
 */
import type { RunEndEvent, RunRefusedEvent } from './run-event.ts';

export function endOfRefused({ code, message, details }: RunRefusedEvent): RunEndEvent {
  return { type: 'run:end', status: 'failed', error: { code, message, details }, failedNodes: [], durationMs: 0 };
}
