/**
 * Runs flows as children of other runs: for flows, and for agents whose models use flows as tools.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError, type ErrorRecord, fromErrorRecord } from '../../base/engine-error.ts';
import type { IdSource, RunId } from '../../base/ids.ts';
import { secretNamesOf } from '../../language/bindings/secret-bindings.ts';
import { lowerOf } from '../../language/flow/autonomy.ts';
import { callCircle, mostCallsDeep } from '../../language/flow/called-flows.ts';
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import { refuseMisfits } from '../../language/flow/flow-interface.ts';
import { MAX_OUTPUT_BYTES } from '../../language/flow/flow-limits.ts';
import { FlowSource } from '../../language/flow/flow-source.ts';
import { productOfPath, productsAt } from '../../language/flow/product-path.ts';
import { type CalledFlow, callKeyOf, type SchemaFile, type SchemaFiles } from '../../language/flow/schema-files.ts';
import { calledDefinition, unpackDefinition } from '../../language/flow/stored-definition.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { outputTooLarge } from '../../language/json/too-large.ts';
import { prepareGraph } from '../../runtime/flow/graph-plan.ts';
import type { NodeTypeLookup } from '../../runtime/flow/node-type.ts';
import { runRoot } from '../../runtime/flow/run-root.ts';
import { refusedAutonomy } from '../../runtime/governance/autonomy.ts';
import type { PolicySource } from '../../runtime/governance/layered-policy.ts';
import type { Capabilities, SharedCapabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { FlowCall, FlowCaller, FlowsCapability } from '../../runtime/kernel/capabilities/flows-capability.ts';
import type { RunEndEvent, RunSuspendedEvent } from '../../runtime/kernel/events/run-event.ts';
import type { CancelScope } from '../../runtime/kernel/hub/cancel-scope.ts';
import { cancellation, createCancelScope, stopReason } from '../../runtime/kernel/hub/cancel-scope.ts';
import { Suspension } from '../../runtime/kernel/hub/harness.ts';
import type { Hub } from '../../runtime/kernel/hub/hub.ts';
import type { RunSecrets } from '../../runtime/kernel/hub/run-secrets.ts';
import type { InboxRouter } from '../../runtime/kernel/requests/agent-inbox.ts';
import type { ResumePoint } from '../../runtime/kernel/resume/resume-point.ts';
import { withAgentNodes } from '../../runtime/nodes/agent-as-type.ts';
import type { FlowDefinitions } from './flow-definitions.ts';
import { type FindUnseen, levelOfUnseen } from './unseen-texts.ts';

/** The caller: the file of a flow or an agent, the files it names, and its own callers. */
export interface CallingFlow {
  /** Path relative to the workspace, or absolute. */
  readonly path: string;
  readonly files: SchemaFiles;
  /** Paths of the flows that called it, starting with the root. */
  readonly above: readonly string[];
  /** The calls that the run has made so far. It may call the same flow thousands of times. */
  readonly earlier?: EarlierCalls;
}

interface EarlierCalls {
  /** Hashes of the definitions that this run has stored in the history. */
  readonly kept: Set<string>;
  /**
   * Flows whose text a person had reviewed by the first call. A run keeps the text it has read, so this does not
   * change.
   */
  readonly seen: Set<CallableFlow>;
}

/** A flow that can be run as a child. */
interface CallableFlow {
  readonly path: string;
  /** The definition as stored in the history. */
  readonly definition: string;
  readonly definitionHash: string;
  readonly flow: CompiledFlow;
  readonly text: string;
  readonly files: SchemaFiles;
  readonly secretNames: readonly string[];
}

/** Dependencies of flow nodes. */
export interface FlowWorld {
  readonly registry: NodeTypeLookup;
  readonly capabilities: SharedCapabilities;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Delivers messages to running agents. */
  readonly inboxes: InboxRouter;
}

/** Additional dependencies of calling flows. */
export interface FlowCallWorld extends FlowWorld {
  /**
   * Opens the secrets that a run names.
   * @throws EngineError `secret.*` if it may not use them, or they do not exist
   */
  readonly openSecrets: (
    names: readonly string[],
    flow: { readonly path: string; readonly hash: () => string; readonly isUnseen?: boolean },
  ) => Promise<RunSecrets>;
  /**
   * Reads a flow that a run calls although its definition does not name it.
   * @param path path of the calling file
   * @param above paths of the flows above the called one, starting with the root
   */
  readonly readCalledFlow: (path: string, name: string, above: readonly string[]) => Promise<SchemaFile>;
  /** Finds texts that no person has reviewed; absent if runs do not write definitions. */
  readonly unseen?: FindUnseen;
  /** Policies that may refuse runs; absent if there are none. */
  readonly policies?: PolicySource;
}

type FlowCallerOptions = FlowCallWorld & { readonly definitions: FlowDefinitions };

export class FlowCalls {
  readonly #options: FlowCallerOptions;
  readonly #called = new Map<RunId, CancelScope>();
  /** Flows stored with the definition of their caller, prepared once. */
  readonly #callable = new WeakMap<CalledFlow, CallableFlow>();

  constructor(options: FlowCallerOptions) {
    this.#options = options;
  }

  /** Returns the capability with which a run calls flows. */
  capabilityOf(place: CallingFlow): FlowsCapability {
    const { earlier = { kept: new Set(), seen: new Set() } } = place;
    return { run: (call, caller) => this.#run(call, caller, { ...place, earlier }) };
  }

  /**
   * Returns the capabilities of a flow's nodes. The agents that the nodes call may also call flows, below the same
   * flows.
   */
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

  /** Cancels a child run and its own child runs. Returns false if it is not active here. */
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
    if (!('flow' in file)) throw notCallable(name, `"${name}" is not a flow.`);
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

  /** Applies the restrictions of an unreviewed flow to it and its child runs. */
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
  /** The run to resume; undefined for a new one. */
  readonly cut: ResumePoint | undefined;
}

function decisionIn({ answer }: ResumePoint) {
  return answer === undefined ? {} : { decision: answer.decision };
}

/** @throws EngineError the called flow's error, or the signal's reason */
function outputOf({ flow }: FlowCall, { status, output, error }: RunEndEvent, signal: AbortSignal): JsonValue {
  if (status === 'completed') {
    if (output === undefined) throw outputTooLarge(`The output of flow "${flow}"`, MAX_OUTPUT_BYTES);
    return output;
  }
  if (signal.aborted) throw stopReason(signal);
  throw status === 'failed' ? failure(error, flow) : cancelledAlone(flow);
}

function failure(error: ErrorRecord | undefined, flow: string): EngineError {
  return fromErrorRecord(error ?? { code: 'run.failed', message: `The flow "${flow}" failed.` });
}

/**
 * Creates the error for a child run that was canceled alone. The caller continues and treats it like any other failure.
 */
function cancelledAlone(flow: string): EngineError {
  return new EngineError({ code: 'flow.cancelled', message: `The run of flow "${flow}" was canceled.` });
}

function notCallable(flow: string, message: string): EngineError {
  return new EngineError({ code: 'flow.not-callable', message, details: { flow } });
}

function tooDeep(name: string, above: readonly string[]): string {
  return `Flow "${name}" was not run: flow calls can be nested at most ${mostCallsDeep} deep. Its callers are ${above.join(' -> ')}. Call it from a flow higher up.`;
}

/**
 * Checks flows that are known only during the run and could not be checked before it. @throws EngineError
 * `autonomy_denied`
 */
function refuseTooFree(
  { flow, path }: Pick<CallableFlow, 'flow' | 'path'>,
  { autonomy, products = [] }: Hub,
  { policies }: Pick<FlowCallWorld, 'policies'>,
): void {
  if (lowerOf(flow.policy.autonomy, autonomy) !== 'full_auto') return;
  const refusal = refusedAutonomy(policies?.([...products, ...productsAt(path)]) ?? []);
  if (refusal !== undefined) throw new EngineError(refusal);
}
