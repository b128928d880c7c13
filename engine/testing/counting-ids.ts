/**
 * Predictable ids for tests.
 */
import { asRunId, asSessionId, type IdSource } from '../base/ids.ts';

/** Counts up: `run-1`, `run-2`, …; `session-1`, …. */
export function createCountingIds(): IdSource {
  let runs = 0;
  let sessions = 0;
  return {
    runId: () => asRunId(`run-${++runs}`),
    sessionId: () => asSessionId(`session-${++sessions}`),
  };
}
