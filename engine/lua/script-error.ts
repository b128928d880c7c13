/**
 * How functions that scripts call fail: with an error of their own for what they were given, and with the engine's failures
 * in the words that packs know.
 */
import { EngineError, fromErrorRecord, toErrorRecord } from '../base/engine-error.ts';

/** @param message shown to the script as it is; where packs compare it, the text that they expect */
export function scriptError(message: string): EngineError {
  return new EngineError({ code: 'lua.refused-argument', message });
}

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
