/**
 * What a person is asked about a node that a crash has cut.
 */
import { EngineError, type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import type { SuspensionRequest } from '../kernel/run-event.ts';

/** Asks whether it may run again. */
export function cutRequest({ id, type }: CompiledNode): SuspensionRequest {
  const message = `Node "${id}" (${type}) was running when the program stopped, and may have done its work or a part of it. Approve to run it again, or reject to let it fail.`;
  return { reason: 'operator', message };
}

/** Why it failed that nobody let it run again. */
export function rejectedCut(nodeId: string): ErrorRecord {
  const message = `Node "${nodeId}" was cut when the program stopped, and running it again was rejected.`;
  return toErrorRecord(new EngineError({ code: 'node.cut', message, nodeId }));
}
