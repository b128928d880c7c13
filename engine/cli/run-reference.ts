/**
 * Resolves a run reference: an id, or the run's shorter number in the workspace.
 */
import type { RunReads } from '../index.ts';
import { asRunId, type RunId } from '../isomorphic.ts';

/**
 * Returns the id of a run that is given by its id (`20261121-231502-abcd`) or its number (`12` or `#12`).
 * @throws EngineError `run.not-found` if no run has the number
 */
export async function resolveRunReference(reads: Pick<RunReads, 'findRun'>, reference: string): Promise<RunId> {
  const number = /^#?(\d{1,15})$/.exec(reference)?.[1];
  return number === undefined ? asRunId(reference) : await reads.findRun(Number(number));
}
