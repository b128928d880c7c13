/**
 * Which run a person means: by its id, or by its number in the workspace, which is shorter.
 */
import type { History } from '../executor/history.ts';
import { asRunId, type RunId } from '../isomorphic.ts';

/**
 * `20261121-231502-abcd` is an id; `12` and `#12` are numbers.
 * @throws EngineError `run.not-found` when no run has the number
 */
export function runMeantBy(engine: Pick<History, 'findRun'>, reference: string): RunId {
  const number = /^#?(\d{1,15})$/.exec(reference)?.[1];
  return number === undefined ? asRunId(reference) : engine.findRun(Number(number));
}
