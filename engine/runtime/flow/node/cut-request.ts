/**
 * Creates the request about a node that a crash interrupted.
 */
import { EngineError, type ErrorRecord, toErrorRecord } from '../../../base/engine-error.ts';
import type { CompiledNode } from '../../../language/flow/compiled-flow.ts';
import type { SuspensionRequest } from '../../kernel/events/run-event.ts';

/** Asks whether the node may run again. */
export function cutRequest({ id, type }: CompiledNode): SuspensionRequest {
  const message = `Node "${id}" (${type}) was running when the program stopped, and may have finished some or all of its work. Approve to run it again, or reject to let it fail.`;
  return { reason: 'operator', message };
}

/** Returns the error for a node that was not allowed to run again. */
export function rejectedRetryError(nodeId: string): ErrorRecord {
  const message = `Node "${nodeId}" was interrupted when the program stopped, and running it again was rejected.`;
  return toErrorRecord(new EngineError({ code: 'node.cut', message, nodeId }));
}
