/**
 * One try of one node: its own run id, its own view of the hub, its time limit, and a check of what it gives.
 */
import { EngineError, type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { RunId } from '../base/ids.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { NodeEffects } from '../flowspec/node-type-spec.ts';
import { readAsIs } from '../flowspec/schema-acceptor.ts';
import { checkAgainst } from '../flowspec/schema-problems.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import type { Hub } from '../kernel/hub.ts';
import { withInbox } from '../kernel/inbox.ts';
import { AttemptHub } from './attempt-hub.ts';
import type { LoopBody, NodeRunContext } from './node-type.ts';
import { type PreparedNode, problemsError } from './prepare-node.ts';
import type { NodePlace } from './run-scope.ts';

export interface NodeJob {
  readonly node: CompiledNode;
  /** The node's place in the run: its id, or `<loop>[<item>].<id>`. */
  readonly name: string;
  readonly prepared: PreparedNode;
  /** In the context of the node's task. */
  readonly hub: Hub;
  readonly place: NodePlace;
  readonly body?: LoopBody;
}

export type AttemptEnd =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }
  | { readonly kind: 'cancelled' };

/** Runs the node once. Never throws. */
export async function runAttempt(job: NodeJob): Promise<AttemptEnd> {
  const { node, hub, place } = job;
  const { cancel, world } = place.scope;
  const attemptHub = new AttemptHub(hub, world.spending);
  try {
    if (effectsOf(job) === 'external') hub.flush();
    // The flush may have stopped the run: nothing may act outside that could not be recorded first.
    if (cancel.reason !== undefined) throw cancel.reason;
    const value = await place.guard.run((own) => callNode(job, attemptHub, own), {
      timeoutMs: node.policy.timeoutMs,
      isTrusted: job.body !== undefined,
    });
    return { kind: 'value', value: checkedOutput(job, value) };
  } catch (thrown) {
    return cancel.reason !== undefined
      ? { kind: 'cancelled' }
      : { kind: 'failed', error: { ...toErrorRecord(thrown), nodeId: node.id } };
  } finally {
    attemptHub.close();
  }
}

/** What running the node twice would do to the world. */
export function effectsOf({ prepared: { nodeType, config, input } }: NodeJob): NodeEffects {
  // The type's own schemas have parsed both.
  return nodeType.effectsOf?.(config as never, input as never) ?? nodeType.effects;
}

function callNode(job: NodeJob, hub: Hub, scope: CancelScope): Promise<JsonValue> {
  const { nodeType } = job.prepared;
  const context = contextOf(job, hub, scope);
  if (nodeType.supportsInbox !== true) return nodeType.run(asTyped(context));
  const owner = { runId: context.runId, signal: scope.signal };
  return withInbox(job.place.scope.world.inboxes, owner, (inbox) =>
    nodeType.run(asTyped(Object.defineProperty(context, 'inbox', { value: inbox, enumerable: true }))),
  );
}

type UntypedContext = Omit<NodeRunContext<unknown, unknown, never>, 'can'> & { readonly can: Partial<Capabilities> };

function contextOf({ node, prepared, place, body }: NodeJob, hub: Hub, scope: CancelScope): UntypedContext {
  const { clock, capabilities, ids } = place.scope.world;
  let runId: RunId | undefined;
  return {
    nodeId: node.id,
    // Most nodes ask for neither, and both cost.
    get runId() {
      runId ??= ids.runId();
      return runId;
    },
    get signal() {
      return scope.signal;
    },
    input: prepared.input,
    config: prepared.config,
    clock,
    hub,
    can: grantedTo(prepared, capabilities),
    ...(body === undefined ? {} : { body }),
  };
}

/** Input, config and abilities are what the type's definition says; no type here can express that. */
function asTyped(context: UntypedContext): NodeRunContext<never, never, never> {
  return context as unknown as NodeRunContext<never, never, never>;
}

const nothingGranted: Partial<Capabilities> = Object.freeze({});

/** @throws EngineError `node.no-capability` when the program that runs the flow does not offer what the type needs */
function grantedTo({ nodeType }: PreparedNode, offered: Partial<Capabilities>): Partial<Capabilities> {
  if (nodeType.capabilities.length === 0) return nothingGranted;
  const granted: Partial<Capabilities> = {};
  for (const name of nodeType.capabilities) {
    const capability = offered[name];
    if (capability === undefined) {
      const message = `The node type ${nodeType.type} needs "${name}", which this program does not offer.`;
      throw new EngineError({ code: 'node.no-capability', message });
    }
    Object.assign(granted, { [name]: capability });
  }
  return granted;
}

/** A type that was not written in TypeScript may give nothing at all, which is no JSON. */
function checkedOutput({ node, prepared }: NodeJob, value: JsonValue | undefined): JsonValue {
  const place = { code: 'node.bad-output', part: 'output', node } as const;
  if (value === undefined) throw problemsError(place, [{ path: [], message: 'is missing' }]);
  const asIs = readAsIs(prepared.nodeType.outputSchema, value);
  if (asIs !== undefined) return asIs;
  const checked = checkAgainst(prepared.nodeType.outputSchema, value);
  if (!checked.ok) throw problemsError(place, checked.problems);
  // The schema is one for JSON: `defineNodeType` demands it.
  return checked.value as JsonValue;
}
