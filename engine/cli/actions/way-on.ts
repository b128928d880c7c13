/**
 * How a run that stopped half-way goes on.
 */
import type { RunSummary } from '../../isomorphic.ts';

/** The command to type; undefined for a run that has ended or still goes on. */
export function wayOn({ runId, status }: Pick<RunSummary, 'runId' | 'status'>): string | undefined {
  if (status === 'interrupted') return `millrace resume ${runId}`;
  return status === 'suspended' ? `millrace resume ${runId} --approve (or --reject)` : undefined;
}
