/**
 * Resolves a reference to a run: its id, or its shorter number in the workspace.
 */
import type { RunReads } from '../index.ts';
import { asRunId, type RunId } from '../isomorphic.ts';

/**
 * Returns the ID of a run that is named by its ID (`20261121-231502-abcd`) or its number (`12` or `#12`).
 * @throws EngineError `run.not-found` if no run has the number
 */
export async function resolveRunReference(reads: Pick<RunReads, 'findRun'>, reference: string): Promise<RunId> {
  const number = /^#?(\d{1,15})$/.exec(reference)?.[1];
  return number === undefined ? asRunId(reference) : await reads.findRun(Number(number));
}
