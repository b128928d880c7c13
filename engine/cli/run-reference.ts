/**
 * Which run a person means: by its id, or by its number in the workspace, which is shorter.
 */
import type { RunReads } from '../index.ts';
import { asRunId, type RunId } from '../isomorphic.ts';

/**
 * `20261121-231502-abcd` is an id; `12` and `#12` are numbers.
 * @throws EngineError `run.not-found` when no run has the number
 */
export async function runMeantBy(reads: Pick<RunReads, 'findRun'>, reference: string): Promise<RunId> {
  const number = /^#?(\d{1,15})$/.exec(reference)?.[1];
  return number === undefined ? asRunId(reference) : await reads.findRun(Number(number));
}
