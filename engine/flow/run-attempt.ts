/**
 * One try of one node: its own run id, its own view of the hub, its time limit, and a check of what it gives.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError, type ErrorRecord, fromErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import type { IdSource, RunId } from '../base/ids.ts';
import type { BindingContext } from '../flowspec/binding-path.ts';
import { deepFreeze, frozenCopyInPieces, type JsonCopy } from '../flowspec/checked-json.ts';
import type { CompiledNode } from '../flowspec/compiled-flow.ts';
import type { WhenExpr } from '../flowspec/flow-doc.ts';
import { DEFAULT_OUTPUT_BYTES } from '../flowspec/flow-limits.ts';
import type { FlowSource } from '../flowspec/flow-source.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { NodeEffects } from '../flowspec/node-type-spec.ts';
import { acceptorOf } from '../flowspec/schema-acceptor.ts';
import { checkAgainst } from '../flowspec/schema-problems.ts';
import { outputTooLarge } from '../flowspec/too-large.ts';
import { evaluateWhen } from '../flowspec/when.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import { Suspension } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import { type Inbox, withInbox } from '../kernel/inbox.ts';
import { isAnswered, type ResumePoint } from '../kernel/resume-point.ts';
import type { RunSecrets } from '../kernel/run-secrets.ts';
import { AttemptHub } from './attempt-hub.ts';
import { type LoopBody, type NodeRunContext, NodeSkip } from './node-type.ts';
import { type PreparedNode, problemsError } from './prepare-node.ts';
import { callsOf, closeCallsOf, type NodeScope } from './run-scope.ts';
import { isDeafTimeout } from './work-guard.ts';

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

/** What one attempt tells on, and what it had called before it was cut. */
interface AttemptSurroundings {
  readonly hub: Hub;
  readonly scope: CancelScope;
  readonly formerCalls: readonly ResumePoint[];
}

type AttemptEnd =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** `isDeaf`: it ran out of time, and may still be at work. */
  | { readonly kind: 'failed'; readonly error: ErrorRecord; readonly isDeaf: boolean }
  | { readonly kind: 'skipped'; readonly reason: string }
  /** Something of a run that it called waits for a person; `inner` names it. */
  | { readonly kind: 'suspended'; readonly inner: string | undefined }
  | { readonly kind: 'cancelled' };

/** Runs the node once. Never throws. */
export async function runAttempt(job: NodeJob): Promise<AttemptEnd> {
  const { node, hub, place } = job;
  const { cancel, run } = place.scope;
  const formerCalls = takeUpCalls(job);
  const attemptHub = AttemptHub.open(hub, run, {
    formerCalls,
    isGoverned: job.prepared.nodeType.isGoverned === true,
  });
  try {
    if (effectsOf(job) === 'external') hub.flush();
    // The flush may have stopped the run: nothing may act outside that could not be recorded first.
    if (cancel.reason !== undefined) throw cancel.reason;
    const value = await place.guard.run((scope) => callNode(job, { hub: attemptHub, scope, formerCalls }), {
      timeoutMs: node.policy.timeoutMs,
      isTrusted: job.body !== undefined,
    });
    attemptHub.abandon();
    const copy = copyOf(job, value);
    const output = checkedOutput(job, copy instanceof Promise ? await copy : copy);
    // Nodes behind it, the log and a resumed run see the same.
    const shown = run.secrets === undefined ? output : run.secrets.mask(output);
    return { kind: 'value', value: shown === output ? output : deepFreeze(shown) };
  } catch (thrown) {
    if (job.prepared.nodeType.resumesCalls === true && thrown instanceof Suspension) {
      run.openCalls.set(job.name, attemptHub.calls());
      attemptHub.close();
      return { kind: 'suspended', inner: thrown.waitsFor };
    }
    const told = toErrorRecord(thrown);
    const error = run.secrets?.mask(told) ?? told;
    attemptHub.abandon(cancel.reason ?? fromErrorRecord(error));
    if (cancel.reason !== undefined) return { kind: 'cancelled' };
    const reason = skipReasonOf(thrown);
    if (reason !== undefined) return { kind: 'skipped', reason };
    return { kind: 'failed', error: { ...error, nodeId: node.id }, isDeaf: isDeafTimeout(thrown) };
  }
}

/** The runs that the node had called before it was cut and that go on in this attempt; the others are over. */
function takeUpCalls({ name, prepared, hub, place }: NodeJob): readonly ResumePoint[] {
  const { run } = place.scope;
  const calls = callsOf(name, run);
  if (calls.length === 0) return calls;
  // Who was asked about the node itself has let it be done anew.
  const goesOn = prepared.nodeType.resumesCalls === true && !isAnswered(name, run.resume);
  const goOn = goesOn ? calls.filter(({ start }) => start !== undefined) : [];
  run.openCalls.set(
    name,
    calls.filter((call) => !goOn.includes(call)),
  );
  closeCallsOf(name, run, hub);
  return goOn;
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

function callNode(job: NodeJob, surroundings: AttemptSurroundings): Promise<JsonValue> {
  const context = new AttemptContext(job, surroundings);
  const work = callWith(context, job);
  const close = context.closeOwnScope();
  // Most nodes do not listen, and one promise more for each of them would be felt.
  return close === undefined ? work : Promise.resolve(work).finally(close);
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
  readonly source?: FlowSource;
  readonly body?: LoopBody;
  readonly formerCalls?: readonly ResumePoint[];
  inbox?: Inbox;
  readonly #scope: CancelScope;
  readonly #ids: IdSource;
  readonly #seen: BindingContext;
  #ownScope: CancelScope | undefined;
  #isStarted = false;
  #runId: RunId | undefined;

  constructor(job: NodeJob, { hub, scope, formerCalls }: AttemptSurroundings) {
    const { node, prepared, place, body } = job;
    const { clock, ids, source } = place.scope.run;
    this.nodeId = node.id;
    this.input = prepared.input;
    this.config = prepared.config;
    this.clock = clock;
    this.hub = hub;
    this.can = grantedTo(job);
    if (source !== undefined) this.source = source;
    if (body !== undefined) this.body = body;
    if (prepared.nodeType.resumesCalls === true) this.formerCalls = formerCalls;
    this.#scope = scope;
    this.#ids = ids;
    this.#seen = place.context;
  }

  /** Made when asked for, so that it can be taken out of the context. */
  get holds(): (condition: WhenExpr) => boolean {
    return (condition) => evaluateWhen(condition, this.#seen).result;
  }

  /** Its own, not one that all nodes share: Node warns people of a signal that more than ten listen to. */
  get signal(): AbortSignal {
    if (!this.#isStarted) this.#ownScope ??= this.#scope.child();
    return (this.#ownScope ?? this.#scope).signal;
  }

  get runId(): RunId {
    this.#runId ??= this.#ids.runId();
    return this.#runId;
  }

  /** What to call when the node has ended; undefined when it has not asked for its signal. Who asks later gets the shared one. */
  closeOwnScope(): (() => void) | undefined {
    this.#isStarted = true;
    const scope = this.#ownScope;
    return scope && (() => scope.close());
  }

  /** Input, config and abilities are what the type's definition says; no type here can express that. */
  asTyped(): NodeRunContext<never, never, never> {
    return this as unknown as NodeRunContext<never, never, never>;
  }
}

const nothingGranted: Partial<Capabilities> = Object.freeze({});

/** @throws EngineError `node.no-capability` when the program that runs the flow does not offer what the type needs */
function grantedTo({ prepared: { nodeType }, place, hub }: NodeJob): Partial<Capabilities> {
  if (nodeType.capabilities.length === 0) return nothingGranted;
  const { capabilities: offered, secrets } = place.scope.run;
  const granted: Partial<Capabilities> = {};
  for (const name of nodeType.capabilities) {
    const capability = offered[name];
    if (capability === undefined) {
      const message = `The node type ${nodeType.type} needs "${name}", which this program does not offer.`;
      throw new EngineError({ code: 'node.no-capability', message });
    }
    Object.assign(granted, { [name]: capability });
  }
  return withRunsOwn(granted, hub, secrets);
}

/** What sends puts the run's secrets in, and what is decided about is told by the runner: no node can do either. */
function withRunsOwn(granted: Partial<Capabilities>, hub: Hub, secrets: RunSecrets | undefined): Partial<Capabilities> {
  const { web, commands } = granted;
  const own = secrets === undefined ? {} : { secrets };
  const bound: Partial<Capabilities> = {
    ...(web !== undefined && secrets !== undefined
      ? { web: { send: (request, signal) => web.send({ ...request, ...own }, signal) } }
      : {}),
    ...(commands === undefined
      ? {}
      : { commands: { run: (request, signal) => commands.run({ ...request, ...own, decisions: hub }, signal) } }),
  };
  return { ...granted, ...bound };
}

/**
 * What a node gives may belong to it: others, and the log, get a copy that nobody can change. Everybody else has turns while a
 * large one is made.
 * @throws the reason of the run's scope when it is cancelled meanwhile
 */
function copyOf({ place }: NodeJob, value: JsonValue): JsonCopy | Promise<JsonCopy> {
  const { cancel, run } = place.scope;
  return frozenCopyInPieces(value, mostBytesOf(place), async () => {
    if (run.breather.isDue()) await run.breather.rest();
    if (cancel.reason !== undefined) throw cancel.reason;
  });
}

function mostBytesOf({ scope }: NodeScope): number {
  return scope.run.policy.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES;
}

/** A type that was not written in TypeScript may give anything at all, and many schemas let anything pass. */
function checkedOutput({ node, prepared, place }: NodeJob, copy: JsonCopy): JsonValue {
  const maxOutputBytes = mostBytesOf(place);
  if (!copy.ok && copy.problem.isTooLong === true) throw outputTooLarge(`What node "${node.id}" gives`, maxOutputBytes);
  if (!copy.ok) throw problemsError(node, 'output', [copy.problem]);
  if (acceptorOf(prepared.nodeType.outputSchema)(copy.value)) return copy.value;
  const checked = checkAgainst(prepared.nodeType.outputSchema, copy.value);
  if (!checked.ok) throw problemsError(node, 'output', checked.problems);
  // The schema is one for JSON: `defineNodeType` demands it.
  return deepFreeze(checked.value as JsonValue);
}
