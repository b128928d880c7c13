/**
 * Flows as children of other runs: of flows, and of agents whose models have them as tools.
 */
import type { Clock } from '../base/clock.ts';
import { EngineError, type ErrorRecord, fromErrorRecord } from '../base/engine-error.ts';
import type { IdSource, RunId } from '../base/ids.ts';
import { prepareGraph } from '../flow/graph-plan.ts';
import type { NodeTypeLookup } from '../flow/node-type.ts';
import { runRoot } from '../flow/run-root.ts';
import { lowerOf } from '../flowspec/autonomy.ts';
import { callCircle, mostCallsDeep } from '../flowspec/called-flows.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import { refuseMisfits } from '../flowspec/flow-interface.ts';
import { MAX_OUTPUT_BYTES } from '../flowspec/flow-limits.ts';
import { FlowSource } from '../flowspec/flow-source.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { productOfPath, productsAt } from '../flowspec/product-path.ts';
import { type CalledFlow, callKeyOf, type SchemaFile, type SchemaFiles } from '../flowspec/schema-files.ts';
import { secretNamesOf } from '../flowspec/secret-bindings.ts';
import { calledDefinition, unpackDefinition } from '../flowspec/stored-definition.ts';
import { outputTooLarge } from '../flowspec/too-large.ts';
import { refusedAutonomy } from '../governance/autonomy.ts';
import type { PolicySource } from '../governance/layered-policy.ts';
import type { CancelScope } from '../kernel/cancel-scope.ts';
import { cancellation, createCancelScope, stopReason } from '../kernel/cancel-scope.ts';
import type { Capabilities, SharedCapabilities } from '../kernel/capabilities.ts';
import type { FlowCall, FlowCaller, FlowsCapability } from '../kernel/flows-capability.ts';
import { Suspension } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import type { InboxRouter } from '../kernel/inbox.ts';
import type { ResumePoint } from '../kernel/resume-point.ts';
import type { RunEndEvent, RunSuspendedEvent } from '../kernel/run-event.ts';
import type { RunSecrets } from '../kernel/run-secrets.ts';
import { withAgentNodes } from '../nodes/agent-as-type.ts';
import type { FlowDefinitions } from './flow-definitions.ts';
import { type FindUnseen, levelOfUnseen } from './unseen-texts.ts';

/** Who calls: the file of a flow or an agent, what it names, and what called it. */
export interface CallingFlow {
  /** Relative to the workspace, or absolute. */
  readonly path: string;
  readonly files: SchemaFiles;
  /** Paths of the flows above it, from the root on. */
  readonly above: readonly string[];
  /** What the run has called so far: the same flow may be called thousands of times. */
  readonly earlier?: EarlierCalls;
}

interface EarlierCalls {
  /** Hashes of the definitions that the history has by this run. */
  readonly kept: Set<string>;
  /** Flows with a text that a person had seen at the first call: a run keeps the text that it read, so the answer stays true. */
  readonly seen: Set<CallableFlow>;
}

/** A flow that can be run as a child. */
interface CallableFlow {
  readonly path: string;
  /** As the history keeps it. */
  readonly definition: string;
  readonly definitionHash: string;
  readonly flow: CompiledFlow;
  readonly text: string;
  readonly files: SchemaFiles;
  readonly secretNames: readonly string[];
}

/** What the nodes of flows work with. */
export interface FlowWorld {
  readonly registry: NodeTypeLookup;
  readonly capabilities: SharedCapabilities;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Brings messages to agents at work. */
  readonly inboxes: InboxRouter;
}

/** What calling flows needs beside that. */
export interface FlowCallWorld extends FlowWorld {
  /**
   * The secrets of a run that names some.
   * @throws EngineError `secret.*` when it may not have them, or nobody has them
   */
  readonly openSecrets: (
    names: readonly string[],
    flow: { readonly path: string; readonly hash: () => string; readonly isUnseen?: boolean },
  ) => Promise<RunSecrets>;
  /**
   * A flow that a run calls and that its definition does not name.
   * @param path of the file that names it
   * @param above paths of the flows above the one that is called, from the root on
   */
  readonly readCalledFlow: (path: string, name: string, above: readonly string[]) => Promise<SchemaFile>;
  /** Knows which texts no person has seen; absent = runs write no definitions. */
  readonly unseen?: FindUnseen;
  /** What may refuse runs; absent = nothing does. */
  readonly policies?: PolicySource;
}

type FlowCallerOptions = FlowCallWorld & { readonly definitions: FlowDefinitions };

export class FlowCalls {
  readonly #options: FlowCallerOptions;
  readonly #called = new Map<RunId, CancelScope>();
  /** Flows that come with the definition of who calls them, made ready once. */
  readonly #callable = new WeakMap<CalledFlow, CallableFlow>();

  constructor(options: FlowCallerOptions) {
    this.#options = options;
  }

  /** What a run calls flows with. */
  capabilityOf(place: CallingFlow): FlowsCapability {
    const { earlier = { kept: new Set(), seen: new Set() } } = place;
    return { run: (call, caller) => this.#run(call, caller, { ...place, earlier }) };
  }

  /** What the nodes of a flow work with. The agents that they call may call flows as well, below the same flows. */
  capabilitiesOf(place: CallingFlow): Omit<Capabilities, 'ask'> {
    const { capabilities } = this.#options;
    const { agents, code } = capabilities;
    const flows = this.capabilityOf(place);
    return {
      ...capabilities,
      flows,
      agents: { run: (call, caller) => agents.run(call, { flows, ...caller }) },
      code: { run: (script, scope) => code.run(script, { flows, ...scope }) },
    };
  }

  /** Asks a run that another one has called to stop, with all that it called itself. False when it does not go on here. */
  cancelCalled(runId: RunId): boolean {
    const scope = this.#called.get(runId);
    scope?.cancel(cancellation());
    return scope !== undefined;
  }

  async #run(call: FlowCall, caller: FlowCaller, place: CallingFlow): Promise<JsonValue> {
    const last = caller.former.at(-1);
    if (last?.end !== undefined) return outputOf(call, last.end, caller.signal);
    const { start, definition } = last ?? {};
    const isKnown = start !== undefined && definition !== undefined;
    const flow = isKnown ? this.#ready(start.sourcePath, definition) : await this.#find(call, place);
    const end = await this.#runChild(flow, { call, caller, place, cut: last });
    if (end.type === 'run:suspended') throw new Suspension(end.nodeId, end.reason);
    return outputOf(call, end, caller.signal);
  }

  /** @throws EngineError `flow.not-callable` */
  async #find({ flow: name, namedIn }: FlowCall, place: CallingFlow): Promise<CallableFlow> {
    const above = [...place.above, place.path];
    if (above.length > mostCallsDeep) throw notCallable(name, tooDeep(name, above));
    const known = namedIn === undefined ? place.files.get(callKeyOf(name)) : undefined;
    const file = known ?? (await this.#options.readCalledFlow(namedIn ?? place.path, name, above));
    if ('problem' in file) throw notCallable(name, file.problem);
    if (!('flow' in file)) throw notCallable(name, `"${name}" is no flow.`);
    const at = above.indexOf(file.flow.path);
    if (at !== -1) throw notCallable(name, callCircle([...above.slice(at), file.flow.path]));
    return this.#callableOf(file.flow);
  }

  #callableOf(flow: CalledFlow): CallableFlow {
    let found = this.#callable.get(flow);
    if (found === undefined) {
      found = this.#ready(flow.path, calledDefinition(flow));
      this.#callable.set(flow, found);
    }
    return found;
  }

  /** @throws EngineError `flow.invalid` */
  #ready(path: string, definition: string): CallableFlow {
    const { definitions, capabilities } = this.#options;
    const flow = definitions.compiledAsKept(path, definition);
    prepareGraph(flow);
    const definitionHash = capabilities.hash.sha256(definition);
    const { text, schemas: files } = unpackDefinition(definition);
    return { path, definition, definitionHash, flow, text, files, secretNames: secretNamesOf(flow) };
  }

  /** What a flow that no person has seen may do less than its caller holds for it, and for what it calls. */
  #hubFor(called: CallableFlow, hub: Hub, seen: Set<CallableFlow>): Hub {
    if (seen.has(called)) return hub;
    const { path, text, flow } = called;
    const unseen = this.#options.unseen?.(path, text);
    if (unseen === undefined) seen.add(called);
    const level = levelOfUnseen(flow.policy.autonomy, unseen);
    const own = hub.with({ isUnseen: unseen !== undefined });
    return level === undefined ? own : own.scoped({ autonomy: level });
  }

  async #runChild(
    called: CallableFlow,
    { call, caller, place, cut }: ChildCall,
  ): Promise<RunEndEvent | RunSuspendedEvent> {
    const { registry, clock, ids, inboxes, openSecrets } = this.#options;
    const { path, definition, definitionHash, flow, text, files, secretNames: names } = called;
    const { signal } = caller;
    const { earlier = { kept: new Set(), seen: new Set() } } = place;
    const { kept } = earlier;
    const hub = this.#hubFor(called, caller.hub, earlier.seen);
    const user = { path, hash: () => definitionHash, isUnseen: hub.isUnseen === true };
    const secrets = names.length === 0 ? undefined : await openSecrets(names, user);
    const inputs = cut === undefined ? call.input : (cut.start?.inputs as JsonMap);
    if (cut === undefined) {
      refuseMisfits(flow, inputs);
      refuseTooFree({ flow, path }, hub, this.#options);
      if (!kept.has(definitionHash)) hub.keepDefinition?.(definition);
      kept.add(definitionHash);
    }
    const runId = cut?.runId ?? ids.runId();
    const childHub = hub.child(runId).with({ secrets, product: productOfPath(path) });
    const above = [...place.above, place.path];
    const request = {
      ...{ flow, registry: withAgentNodes(registry, flow.types), inputs, clock, ids, inboxes },
      source: new FlowSource(path, text),
      capabilities: this.capabilitiesOf({ path, files, above, earlier }),
      ...(cut === undefined ? {} : { resume: cut }),
      ...(caller.host === undefined ? {} : { host: caller.host }),
      ...(caller.answers === undefined ? {} : { answers: caller.answers }),
      ...(secrets === undefined ? {} : { secrets }),
    };
    const task = hub.taskId === undefined ? {} : { parentTaskId: hub.taskId };
    const ofTool = caller.callKey === undefined ? {} : { callKey: caller.callKey };
    const origin = { sourcePath: path, definitionHash, ...task, ...ofTool };
    const scope = createCancelScope(signal);
    this.#called.set(runId, scope);
    try {
      return await runRoot(request, childHub, cut === undefined ? origin : decisionIn(cut), scope);
    } finally {
      this.#called.delete(runId);
      scope.close();
    }
  }
}

interface ChildCall {
  readonly call: FlowCall;
  readonly caller: FlowCaller;
  readonly place: CallingFlow;
  /** The run that goes on; undefined for a new one. */
  readonly cut: ResumePoint | undefined;
}

function decisionIn({ answer }: ResumePoint) {
  return answer === undefined ? {} : { decision: answer.decision };
}

/** @throws EngineError what made the called flow fail, or the reason of the signal */
function outputOf({ flow }: FlowCall, { status, output, error }: RunEndEvent, signal: AbortSignal): JsonValue {
  if (status === 'completed') {
    if (output === undefined) throw outputTooLarge(`What the flow "${flow}" gives`, MAX_OUTPUT_BYTES);
    return output;
  }
  if (signal.aborted) throw stopReason(signal);
  throw status === 'failed' ? failure(error, flow) : cancelledAlone(flow);
}

function failure(error: ErrorRecord | undefined, flow: string): EngineError {
  return fromErrorRecord(error ?? { code: 'run.failed', message: `The flow "${flow}" failed.` });
}

/** For the caller, which goes on, it is a failure like any other. */
function cancelledAlone(flow: string): EngineError {
  return new EngineError({ code: 'flow.cancelled', message: `The run of the flow "${flow}" was cancelled.` });
}

function notCallable(flow: string, message: string): EngineError {
  return new EngineError({ code: 'flow.not-callable', message, details: { flow } });
}

function tooDeep(name: string, above: readonly string[]): string {
  return `The flow "${name}" is not run: flows are called at most ${mostCallsDeep} deep. Above it stand ${above.join(' -> ')}. Call it from a flow further up.`;
}

/** Of flows that only the run names, nobody could know before it began. @throws EngineError `autonomy_denied` */
function refuseTooFree(
  { flow, path }: Pick<CallableFlow, 'flow' | 'path'>,
  { autonomy, products = [] }: Hub,
  { policies }: Pick<FlowCallWorld, 'policies'>,
): void {
  if (lowerOf(flow.policy.autonomy, autonomy) !== 'full_auto') return;
  const refusal = refusedAutonomy(policies?.([...products, ...productsAt(path)]) ?? []);
  if (refusal !== undefined) throw new EngineError(refusal);
}
