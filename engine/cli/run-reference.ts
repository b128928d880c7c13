/**
 * Resolves a run reference: an ID, the run's shorter number in the workspace, or `latest`.
 */
import type { RunReads } from '../index.ts';
import { asRunId, EngineError, type RunId } from '../isomorphic.ts';

/**
 * Returns the ID of a run that is given by its ID (`20261121-231502-abcd`), by its number (`12` or `#12`), or as
 * `latest`, the run that was started last.
 * @throws EngineError `run.not-found` if no run has the number, or there is no run yet
 */
export async function resolveRunReference(
  reads: Pick<RunReads, 'findRun' | 'listRuns'>,
  reference: string,
): Promise<RunId> {
  if (reference === 'latest') {
    const [latest] = await reads.listRuns({ limit: 1 });
    if (latest !== undefined) return latest.runId;
    throw new EngineError({ code: 'run.not-found', message: 'There are no runs in this workspace yet.' });
  }
  const number = /^#?(\d{1,15})$/.exec(reference)?.[1];
  return number === undefined ? asRunId(reference) : await reads.findRun(Number(number));
}
