/**
 * One node inside its task: prepared once, then tried as often as its policy allows.
 */
import { sleep } from '../base/clock.ts';
import { type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { BindingContext } from '../flowspec/binding-path.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import type { TaskOutcome } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import type { NodeTypeLookup } from './node-type.ts';
import { type PreparedNode, prepareNode } from './prepare-node.ts';
import { type AttemptWorld, type NodeJob, runAttempt } from './run-attempt.ts';

export interface NodeWorld extends AttemptWorld {
  readonly registry: NodeTypeLookup;
  /** What bindings see. */
  readonly context: BindingContext;
}

/** Runs a node to its end. Never throws; `hub` is that of the node's task. */
export async function runNode(node: CompiledNode, hub: Hub, world: NodeWorld): Promise<TaskOutcome> {
  const prepared = tryPrepare(node, world);
  if ('error' in prepared) return { status: 'failed', error: prepared.error, attempts: 0 };
  hub.emit({ type: 'node:input', nodeId: node.id, input: prepared.resolvedInput });
  return await runAttempts({ node, prepared, hub, world });
}

function tryPrepare(node: CompiledNode, world: NodeWorld): PreparedNode | { readonly error: ErrorRecord } {
  try {
    return prepareNode(node, world.registry, world.context);
  } catch (thrown) {
    return { error: { ...toErrorRecord(thrown), nodeId: node.id } };
  }
}

async function runAttempts(job: NodeJob): Promise<TaskOutcome> {
  const { node, hub, world } = job;
  const { maxAttempts, backoffMs } = node.policy;
  for (let attempt = 1; !world.signal.aborted; attempt++) {
    const end = await runAttempt(job);
    if (end.kind === 'value') return { status: 'completed', result: end.value, attempts: attempt };
    if (end.kind === 'cancelled') break;
    if (attempt >= maxAttempts) return { status: 'failed', error: end.error, attempts: attempt };
    hub.emit({ type: 'node:retry', nodeId: node.id, attempt, delayMs: backoffMs, error: end.error });
    if (backoffMs > 0) await untilDelayOrCancel(backoffMs, world);
    else if (world.breather.isDue()) await world.breather.rest();
  }
  return { status: 'cancelled', reason: 'cancel' };
}

async function untilDelayOrCancel(delayMs: number, { clock, signal }: AttemptWorld): Promise<void> {
  try {
    await sleep(clock, delayMs, signal);
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}
