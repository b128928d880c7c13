/** Errors of functions that scripts call: invalid arguments, and engine failures with the messages that packs know. */
import { EngineError, fromErrorRecord, toErrorRecord } from '../../base/engine-error.ts';

/** @param message shown to the script unchanged; if packs compare it, the exact text they expect */
export function scriptError(message: string): EngineError {
  return new EngineError({ code: 'lua.refused-argument', message });
}

/**
 * Returns the result of `work` and prefixes its errors.
 * @param prefix text before the original message
 * @throws EngineError the error of `work` with the prefix before its message; `internal` for other errors
 */
export function prefixErrors<T>(prefix: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const record = toErrorRecord(error);
    throw fromErrorRecord({ ...record, message: `${prefix}${record.message}` });
  }
}
