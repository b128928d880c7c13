/**
 * Predictable ids for tests.
 */
import { asRunId, asSessionId, type IdSource } from '../base/ids.ts';

/** Counts up: `run-1`, `run-2`, …; `session-1`, …. @param prefix start of the runs' ids */
export function createCountingIds(prefix = 'run'): IdSource {
  let runs = 0;
  let sessions = 0;
  return {
    runId: () => asRunId(`${prefix}-${++runs}`),
    sessionId: () => asSessionId(`session-${++sessions}`),
  };
}
