/**
 * One try of one node: its own run id, its own view of the hub, its time limit, and a check of what it gives.
 */
import type { Clock } from '../base/clock.ts';
import { type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { IdSource, RunId } from '../base/ids.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { checkAgainst } from '../flowspec/schema-problems.ts';
import { stopReason } from '../kernel/cancel-scope.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import type { Hub } from '../kernel/hub.ts';
import { AttemptHub } from './attempt-hub.ts';
import type { Breather } from './breather.ts';
import type { NodeRunContext } from './node-type.ts';
import { type PreparedNode, problemsError } from './prepare-node.ts';
import type { Spending } from './spending.ts';
import { withTimeLimit } from './time-limit.ts';

/** What the attempts of all nodes of one run share. */
export interface AttemptWorld {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly ids: IdSource;
  readonly capabilities: Capabilities;
  readonly spending: Spending;
  readonly breather: Breather;
}

export interface NodeJob {
  readonly node: CompiledNode;
  readonly prepared: PreparedNode;
  /** In the context of the node's task. */
  readonly hub: Hub;
  readonly world: AttemptWorld;
}

export type AttemptEnd =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }
  | { readonly kind: 'cancelled' };

/** Runs the node once. Never throws. */
export async function runAttempt(job: NodeJob): Promise<AttemptEnd> {
  const { node, hub, world } = job;
  const attemptHub = new AttemptHub(hub, world.spending);
  try {
    if (effectsOf(job) === 'external') hub.flush();
    // The flush may have stopped the run: nothing may act outside that could not be recorded first.
    if (world.signal.aborted) throw stopReason(world.signal);
    const value = await withTimeLimit((signal) => callNode(job, attemptHub, signal), {
      clock: world.clock,
      signal: world.signal,
      timeoutMs: node.policy.timeoutMs,
    });
    return { kind: 'value', value: checkedOutput(job, value) };
  } catch (thrown) {
    return world.signal.aborted
      ? { kind: 'cancelled' }
      : { kind: 'failed', error: { ...toErrorRecord(thrown), nodeId: node.id } };
  } finally {
    attemptHub.close();
  }
}

function effectsOf({ prepared: { nodeType, config, input } }: NodeJob): string {
  return nodeType.effectsOf?.(config as never, input as never) ?? nodeType.effects;
}

/** `async`, so that a type whose `run` throws at once fails like any other. */
async function callNode({ node, prepared, world }: NodeJob, hub: Hub, signal: AbortSignal): Promise<JsonValue> {
  const { nodeType, input, config } = prepared;
  let runId: RunId | undefined;
  const context = {
    nodeId: node.id,
    // Most nodes never ask, and a fresh id is not free.
    get runId() {
      runId ??= world.ids.runId();
      return runId;
    },
    input,
    config,
    signal,
    clock: world.clock,
    hub,
    can: grantedTo(prepared, world.capabilities),
  };
  return await nodeType.run(context as NodeRunContext<never, never, never>);
}

function grantedTo({ nodeType }: PreparedNode, capabilities: Capabilities): Partial<Capabilities> {
  const granted: Partial<Capabilities> = {};
  for (const name of nodeType.capabilities) Object.assign(granted, { [name]: capabilities[name] });
  return granted;
}

/** A type that was not written in TypeScript may give nothing at all, which is no JSON. */
function checkedOutput({ node, prepared }: NodeJob, value: JsonValue | undefined): JsonValue {
  const place = { code: 'node.bad-output', part: 'output', node } as const;
  if (value === undefined) throw problemsError(place, [{ path: [], message: 'is missing' }]);
  const checked = checkAgainst(prepared.nodeType.outputSchema, value);
  if (!checked.ok) throw problemsError(place, checked.problems);
  // The schema is one for JSON: `defineNodeType` demands it.
  return checked.value as JsonValue;
}
