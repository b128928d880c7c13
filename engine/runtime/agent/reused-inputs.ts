/**
 * Reuses an earlier run's outputs for an agent's inputs.
 */

import { startingOptions } from '../../language/agent/agent-options.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { Harness } from '../kernel/hub/harness.ts';
import type { AgentRun, PreparedInputs } from './agent-request.ts';
import { taskOf } from './run-input.ts';

/** Reuses earlier outputs for inputs that have not started. Returns them by index. */
export async function takeOverInputs(
  { request }: AgentRun,
  { inputs, beforeAll, options }: Omit<PreparedInputs, 'startingOptions'>,
  { hub }: Harness,
): Promise<ReadonlyMap<number, JsonValue>> {
  const outputs = new Map<number, JsonValue>();
  if (request.reuse === undefined) return outputs;
  const { settled, open } = request.resume?.point ?? {};
  const found = await request.reuse.find({ inputs, beforeAll, options, startingOptions: startingOptions(request) });
  for (const [index, { output, fromRunId, from }] of found) {
    const nodeId = taskOf(index);
    if (settled?.has(nodeId) === true || open?.has(nodeId) === true) continue;
    outputs.set(index, output);
    const moved = from === nodeId ? {} : { fromNodeId: from };
    hub.emit({ type: 'node:reused', nodeId, output, fromRunId, ...moved });
  }
  return outputs;
}
