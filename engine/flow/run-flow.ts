/**
 * The flow runner: a library function over hub, phase and task. It owns no bus, no store and no scheduler; all it
 * needs besides the harness are its arguments.
 */
import type { Clock } from '../base/clock.ts';
import { type ErrorRecord, fromErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import { type IdSource, taskIdOf } from '../base/ids.ts';
import type { CompiledFlow, CompiledNode } from '../flowspec/compiled-flow.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { errorMarker, type SkipReason, skipMarker } from '../flowspec/markers.ts';
import { evaluateWhen } from '../flowspec/when.ts';
import type { WhenTrace } from '../flowspec/when-trace.ts';
import { isCancellation, stopReason } from '../kernel/cancel-scope.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import { type Harness, Suspension, type TaskOutcome } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import type { ModelUsage } from '../kernel/run-event.ts';
import { Breather } from './breather.ts';
import type { NodeTypeLookup } from './node-type.ts';
import { runNode } from './run-node.ts';
import { Spending } from './spending.ts';

/** A flow to run, and everything that running it needs. */
export interface FlowRequest {
  readonly flow: CompiledFlow;
  readonly registry: NodeTypeLookup;
  /** Merged over the flow's own defaults, key by key. */
  readonly inputs: JsonMap;
  readonly clock: Clock;
  /** Asks the run to stop; its reason says why (see `cancellation`). */
  readonly signal: AbortSignal;
  readonly ids: IdSource;
  readonly capabilities: Capabilities;
}

/** How a flow ended and what it gave. */
export interface FlowResult {
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** By node id: an output, or the marker that stands for it. Nodes that were not reached have none. */
  readonly outputs: ReadonlyMap<string, JsonValue>;
  /** Every node whose task failed, tolerated or not, in order. */
  readonly failedNodes: readonly string[];
  /** Why it failed: the error of the node that ended it. */
  readonly error?: ErrorRecord;
  readonly usage?: ModelUsage;
  readonly costUsd?: number;
}

/** Runs a flow to its end, node after node in start order. Expected failures are part of the result, never thrown. */
export async function runFlow(request: FlowRequest, harness: Harness): Promise<FlowResult> {
  const execution = new FlowExecution(request);
  try {
    await harness.phase('Run Flow', (inner) => execution.runNodes(inner));
    return execution.result('completed');
  } catch (thrown) {
    return isCancellation(thrown) ? execution.result('cancelled') : execution.result('failed', toErrorRecord(thrown));
  }
}

class FlowExecution {
  readonly #request: FlowRequest;
  readonly #outputs = new Map<string, JsonValue>();
  readonly #failedNodes: string[] = [];
  readonly #world;
  /** The failure that ends the run, as its task told it. */
  #fatal: ErrorRecord | undefined;
  #hasUnflushedSkips = false;

  constructor(request: FlowRequest) {
    const { flow, inputs, registry, clock, signal, ids, capabilities } = request;
    const flowRoot = { input: { ...flow.inputs, ...inputs } };
    const context = { get: (root: string) => (root === 'flow' ? flowRoot : this.#outputs.get(root)) };
    this.#request = request;
    this.#world = {
      registry,
      clock,
      signal,
      ids,
      capabilities,
      context,
      spending: new Spending(),
      breather: new Breather(clock),
    };
  }

  /**
   * @throws EngineError the failure of a node that ends the run, or the signal's reason
   */
  async runNodes(harness: Harness): Promise<void> {
    const { flow, signal } = this.#request;
    for (const node of flow.nodes) {
      if (this.#world.breather.isDue()) await this.#world.breather.rest();
      if (signal.aborted) throw stopReason(signal);
      const skip = this.#skipOf(node);
      if (skip === null) await this.#runTask(node, harness);
      else this.#skip(node, skip, harness.hub);
      for (const { id, from, to } of node.outgoing) harness.hub.emit({ type: 'edge:fired', edgeId: id, from, to });
    }
  }

  result(status: FlowResult['status'], error?: ErrorRecord): FlowResult {
    const outputs = this.#outputs;
    const failedNodes = this.#failedNodes;
    const cause = this.#fatal ?? error;
    const why = status === 'failed' && cause !== undefined ? { error: cause } : {};
    return { status, outputs, failedNodes, ...why, ...this.#world.spending.total() };
  }

  /** Comes before the node's task opens and before its bindings are resolved. */
  #skipOf(node: CompiledNode): Skip | null {
    if (node.disabled) return { reason: 'disabled' };
    if (node.when === undefined) return null;
    const detail = evaluateWhen(node.when, this.#world.context);
    return detail.result ? null : { reason: 'when', detail };
  }

  #skip(node: CompiledNode, skip: Skip, hub: Hub): void {
    hub.emit({ type: 'node:skipped', nodeId: node.id, ...skip });
    this.#outputs.set(node.id, skipMarker(skip.reason));
    this.#hasUnflushedSkips = true;
  }

  async #runTask(node: CompiledNode, harness: Harness): Promise<void> {
    if (this.#hasUnflushedSkips) harness.hub.flush();
    this.#hasUnflushedSkips = false;
    const outcome = await harness.task(taskIdOf(node.id), ({ hub }) => runNode(node, hub, this.#world), {
      nodeId: node.id,
      nodeType: node.type,
    });
    this.#settle(node, outcome);
  }

  #settle(node: CompiledNode, outcome: TaskOutcome): void {
    if (outcome.status === 'cancelled') throw stopReason(this.#request.signal);
    if (outcome.status === 'completed') {
      this.#outputs.set(node.id, outcome.result);
      return;
    }
    if (outcome.status === 'suspended') throw new Suspension();
    this.#failedNodes.push(node.id);
    if (endsRun(node, this.#request.flow)) {
      this.#fatal = outcome.error;
      throw fromErrorRecord(outcome.error);
    }
    this.#outputs.set(node.id, errorMarker(outcome.error, outcome.attempts));
  }
}

interface Skip {
  readonly reason: SkipReason;
  readonly detail?: WhenTrace;
}

/** A node that says nothing follows the flow's policy; an explicit word of its own comes first, also an explicit no. */
function endsRun(node: CompiledNode, flow: CompiledFlow): boolean {
  return node.policy.continueOnError === undefined ? flow.policy.failFast : !node.policy.continueOnError;
}

/** The outputs of the nodes that nothing follows, which is what a flow gives: map from node id to output or marker. */
export function finalOutput(flow: CompiledFlow, outputs: ReadonlyMap<string, JsonValue>): JsonMap {
  const ends = flow.nodes.filter(({ outgoing }) => outgoing.length === 0);
  return Object.fromEntries(ends.map(({ id }) => [id, outputs.get(id) ?? null]));
}
