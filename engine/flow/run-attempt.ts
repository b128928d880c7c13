/**
 * One try of one node: its own run id, its own view of the hub, its time limit, and a check of what it gives.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError, type ErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { IdSource, RunId } from '../base/ids.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { NodeEffects } from '../flowspec/node-type-spec.ts';
import { findNonJson } from '../flowspec/non-json.ts';
import { readAsIs } from '../flowspec/schema-acceptor.ts';
import { checkAgainst } from '../flowspec/schema-problems.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import type { Hub } from '../kernel/hub.ts';
import { type Inbox, withInbox } from '../kernel/inbox.ts';
import type { EventContext, RunEvent } from '../kernel/run-event.ts';
import { type Spending, SpendingHub } from '../kernel/spending.ts';
import { type LoopBody, type NodeRunContext, NodeSkip } from './node-type.ts';
import { type PreparedNode, problemsError } from './prepare-node.ts';
import type { NodeScope } from './run-scope.ts';

export interface NodeJob {
  readonly node: CompiledNode;
  /** The node's place in the run: its id, or `<loop>[<item>].<id>`. */
  readonly name: string;
  readonly prepared: PreparedNode;
  /** In the context of the node's task. */
  readonly hub: Hub;
  readonly place: NodeScope;
  readonly body?: LoopBody;
}

type AttemptEnd =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'cancelled' };

/** Runs the node once. Never throws. */
export async function runAttempt(job: NodeJob): Promise<AttemptEnd> {
  const { node, hub, place } = job;
  const { cancel, run } = place.scope;
  const attemptHub = new AttemptHub(hub, run.spending);
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
    if (cancel.reason !== undefined) return { kind: 'cancelled' };
    const reason = skipReasonOf(thrown);
    if (reason !== undefined) return { kind: 'skipped', reason };
    return { kind: 'failed', error: { ...toErrorRecord(thrown), nodeId: node.id } };
  } finally {
    attemptHub.close();
  }
}

/** Somebody else's code may throw what cannot even be looked at. */
function skipReasonOf(thrown: unknown): string | undefined {
  try {
    return thrown instanceof NodeSkip ? thrown.message : undefined;
  } catch {
    return undefined;
  }
}

/** What running the node twice would do to the world. */
export function effectsOf({ prepared: { nodeType, config, input } }: NodeJob): NodeEffects {
  // The type's own schemas have parsed both.
  return nodeType.effectsOf?.(config as never, input as never) ?? nodeType.effects;
}

async function callNode(job: NodeJob, hub: Hub, scope: CancelScope): Promise<JsonValue> {
  const context = new AttemptContext(job, hub, scope);
  try {
    return await callWith(context, job);
  } finally {
    context.close();
  }
}

function callWith(context: AttemptContext, job: NodeJob): Promise<JsonValue> {
  const { nodeType } = job.prepared;
  if (nodeType.supportsInbox !== true) return nodeType.run(context.asTyped());
  const owner = { runId: context.runId, signal: context.signal };
  return withInbox(job.place.scope.run.inboxes, owner, (inbox) => {
    context.inbox = inbox;
    return nodeType.run(context.asTyped());
  });
}

type UntypedContext = NodeRunContext<unknown, unknown, never>;

/** Most nodes never ask for their run id or their signal, and fresh ones cost: they are made when asked for. */
class AttemptContext implements Omit<UntypedContext, 'can'> {
  readonly nodeId: string;
  readonly input: unknown;
  readonly config: unknown;
  readonly clock: Clock;
  readonly hub: Hub;
  readonly can: Partial<Capabilities>;
  readonly body?: LoopBody;
  inbox?: Inbox;
  readonly #scope: CancelScope;
  readonly #ids: IdSource;
  #ownScope: CancelScope | undefined;
  #runId: RunId | undefined;

  constructor({ node, prepared, place, body }: NodeJob, hub: Hub, scope: CancelScope) {
    const { clock, capabilities, ids } = place.scope.run;
    this.nodeId = node.id;
    this.input = prepared.input;
    this.config = prepared.config;
    this.clock = clock;
    this.hub = hub;
    this.can = grantedTo(prepared, capabilities);
    if (body !== undefined) this.body = body;
    this.#scope = scope;
    this.#ids = ids;
  }

  /** Its own, not one that all nodes share: Node warns people of a signal that more than ten listen to. */
  get signal(): AbortSignal {
    this.#ownScope ??= this.#scope.child();
    return this.#ownScope.signal;
  }

  get runId(): RunId {
    this.#runId ??= this.#ids.runId();
    return this.#runId;
  }

  /** Lets go of the scope around it; to be called when the node has ended. */
  close(): void {
    this.#ownScope?.close();
  }

  /** Input, config and abilities are what the type's definition says; no type here can express that. */
  asTyped(): NodeRunContext<never, never, never> {
    return this as unknown as NodeRunContext<never, never, never>;
  }
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

/** A type that was not written in TypeScript may give anything at all, and many schemas let anything pass. */
function checkedOutput({ node, prepared }: NodeJob, value: JsonValue): JsonValue {
  const nonJson = findNonJson(value);
  if (nonJson !== undefined) throw problemsError(node, 'output', [nonJson]);
  const asIs = readAsIs(prepared.nodeType.outputSchema, value);
  if (asIs !== undefined) return asIs;
  const checked = checkAgainst(prepared.nodeType.outputSchema, value);
  if (!checked.ok) throw problemsError(node, 'output', checked.problems);
  // The schema is one for JSON: `defineNodeType` demands it.
  return checked.value as JsonValue;
}

/**
 * The hub as one attempt sees it: open while the attempt lasts, so that what a node says too late goes nowhere, and only
 * for what nodes may emit.
 */
class AttemptHub extends SpendingHub {
  readonly #gate: { isOpen: boolean };

  constructor(inner: Hub, spending: Spending, gate = { isOpen: true }) {
    super(inner, spending, gate);
    this.#gate = gate;
  }

  /** @throws EngineError `node.bad-event` for what is no event, or one that nodes may not emit */
  override emit(event: RunEvent): void {
    if (!this.#gate.isOpen) return;
    refuseNonsense(event);
    super.emit(event);
  }

  /** Of the context, only the agent is a node's to say. */
  override scoped({ agent }: Partial<EventContext>): Hub {
    const context = agent === undefined ? {} : { agent: { name: String(agent.name) } };
    return new AttemptHub(this.inner.scoped(context), this.spending, this.#gate);
  }

  /** Ends this view and all that were made from it, runs that the attempt calls among them. */
  close(): void {
    this.#gate.isOpen = false;
  }
}

/** Events about runs, phases, tasks, nodes and edges are emitted by the code that decides about them. */
const runnersOwn = /^(?:run|exec|phase|task|node|edge|stage|governance):/;

function refuseNonsense(event: unknown): void {
  const problem = problemOf(event);
  if (problem === undefined) return;
  throw new EngineError({ code: 'node.bad-event', message: `What it told on its hub ${problem}` });
}

function problemOf(event: unknown): string | undefined {
  const nonJson = findNonJson(event);
  if (nonJson !== undefined) return [...nonJson.path, nonJson.message].join(' ');
  if (typeof event !== 'object' || event === null || !('type' in event) || typeof event.type !== 'string') {
    return 'has no type, so it is no event';
  }
  if (runnersOwn.test(event.type)) return `is ${event.type}, which is not for nodes to tell`;
  const hasText = !('content' in event) || typeof event.content === 'string';
  return hasText ? undefined : 'has a content that is no text';
}
