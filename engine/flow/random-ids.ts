/**
 * Run ids where nobody hands in a source of them.
 */
import { asRunId, asSessionId, type IdSource } from '../base/ids.ts';

/** Ids that never repeat, by chance. */
export function createRandomIds(): IdSource {
  return { runId: () => asRunId(randomId()), sessionId: () => asSessionId(randomId()) };
}

const digits = 20;

function randomId(): string {
  return Array.from({ length: digits }, () => Math.floor(Math.random() * 36).toString(36)).join('');
}
