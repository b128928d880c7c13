/**
 * Failures of the engine's end, told in the words that packs know.
 */
import { scriptError } from './script-error.ts';

/**
 * What `work` gives.
 * @param prefix stands before what the failure says itself
 * @throws EngineError `lua.refused-argument` when the work fails
 */
export function prefixErrors<T>(prefix: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw scriptError(`${prefix}${error instanceof Error ? error.message : String(error)}`);
  }
}
