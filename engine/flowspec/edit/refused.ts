/**
 * Changes that cannot be made: what, where, and what to do instead.
 */
import { EngineError } from '../../base/engine-error.ts';

/** An error `edit.refused`: the text stays as it is. */
export function refused(message: string, nodeId?: string): EngineError {
  return new EngineError({ code: 'edit.refused', message, ...(nodeId === undefined ? {} : { nodeId }) });
}
