/**
 * Failures of the engine's end, told in the words that packs know.
 */
import { fromErrorRecord, toErrorRecord } from '../base/engine-error.ts';

/**
 * What `work` gives.
 * @param prefix stands before what the failure says itself
 * @throws EngineError what the work throws, with the prefix before its message; `internal` for what is no `EngineError`
 */
export function prefixErrors<T>(prefix: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const record = toErrorRecord(error);
    throw fromErrorRecord({ ...record, message: `${prefix}${record.message}` });
  }
}
