/**
 * The error of a function that scripts call, when what it was given cannot be used.
 */
import { EngineError } from '../base/engine-error.ts';

/** @param message shown to the script as it is; where packs compare it, the text that they expect */
export function scriptError(message: string): EngineError {
  return new EngineError({ code: 'lua.refused-argument', message });
}
