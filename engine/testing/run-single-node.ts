/**
 * Runs a single node, for tests of node types.
 */
import type { ErrorRecord } from '../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../language/json/json-value.ts';
import type { EventEnvelope } from '../runtime/kernel/events/run-event.ts';
import { startTestRun, type TestRunOptions } from './test-run.ts';

export interface SingleNode {
  readonly type: string;
  readonly input?: JsonMap;
  readonly config?: JsonMap;
  /** Maximum number of attempts; 1 by default. */
  readonly maxAttempts?: number;
}

export interface SingleNodeEnd {
  readonly output?: JsonValue;
  readonly error?: ErrorRecord;
  readonly events: readonly EventEnvelope[];
}

/** Runs the node to its end. Bindings in its input can use only the options' inputs. */
export async function runSingleNode(node: SingleNode, options: TestRunOptions = {}): Promise<SingleNodeEnd> {
  return await startSingleNode(node, options).done;
}

/** Starts the node, for tests that advance its clock or cancel it. */
export function startSingleNode(
  { type, input = {}, config = {}, maxAttempts = 1 }: SingleNode,
  options: TestRunOptions = {},
) {
  const policy = { timeoutMs: null, continueOnError: undefined, maxAttempts, backoffMs: 0 };
  const node = {
    id: 'node',
    type,
    input,
    config,
    when: undefined,
    disabled: false,
    policy,
    position: 0,
    upstream: [],
    incomingCount: 0,
    outgoing: [],
  };
  const flow = { name: type, inputs: {}, policy: { failFast: true, maxParallel: 1 }, nodes: [node], edges: [] };
  const run = startTestRun(flow, options);
  const done = run.done.then(({ state, events }): SingleNodeEnd => {
    const { output, error } = state.nodes.get('node') ?? {};
    return { ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }), events };
  });
  return { done, cancel: run.cancel };
}
