/**
 * The flow runner: a library function over hub, phase and task. It owns no bus, no store and no scheduler; all it
 * needs besides the harness are its arguments.
 */
import { Breather } from '../base/breather.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { EngineError, type ErrorRecord, fromErrorRecord, toErrorRecord } from '../base/engine-error.ts';
import { asRunId, asSessionId, type IdSource, randomText } from '../base/ids.ts';
import { type AutonomyLevel, lowerOf } from '../flowspec/autonomy.ts';
import type { BindingContext } from '../flowspec/binding-path.ts';
import { resolveBindings } from '../flowspec/bindings.ts';
import { frozenCopy } from '../flowspec/checked-json.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import { refuseMisfits } from '../flowspec/flow-interface.ts';
import type { FlowSource } from '../flowspec/flow-source.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { AnswerSource } from '../kernel/ask.ts';
import { type CancelScope, cancellation, createCancelScope, isCancelledStop, Stopped } from '../kernel/cancel-scope.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import { type Harness, Suspension } from '../kernel/harness.ts';
import type { InboxRouter } from '../kernel/inbox.ts';
import type { ResumePoint } from '../kernel/resume-point.ts';
import { RunAsks } from '../kernel/run-asks.ts';
import type { SuspendReason } from '../kernel/run-event.ts';
import { createLocalHost, hostOfRepeats, type RunHost } from '../kernel/run-host.ts';
import type { RunSecrets } from '../kernel/run-secrets.ts';
import { Spending, type SpendingTotal } from '../kernel/spending.ts';
import { planOf } from './graph-plan.ts';
import { runGraph } from './graph-run.ts';
import { HostAnswers } from './host-answers.ts';
import { ItemSlots } from './item-slots.ts';
import { NodeOutputs } from './node-outputs.ts';
import type { NodeTypeLookup } from './node-type.ts';
import { RunActivity } from './run-activity.ts';
import {
  closeOpenTasks,
  type ReuseSource,
  RunCalls,
  type RunContext,
  type TakenOutputs,
  type WaitingNode,
} from './run-scope.ts';
import { StepRun, stepTypesOf } from './step-run.ts';

/** A flow to run, and everything that running it needs. */
export interface FlowRequest {
  readonly flow: CompiledFlow;
  /** The file that it was compiled from; without it, nodes cannot say in which line of it something went wrong. */
  readonly source?: FlowSource;
  readonly registry: NodeTypeLookup;
  /** Merged over the flow's own defaults, key by key. */
  readonly inputs: JsonMap;
  /** The machine's own time when absent. */
  readonly clock?: Clock;
  /** Asks the run to stop; its reason says why (see `cancellation`). */
  readonly signal?: AbortSignal;
  /** Where the run ids of attempts come from; random when absent. */
  readonly ids?: IdSource;
  /** What nodes may use of the world. A node whose type needs more fails. */
  readonly capabilities?: Partial<Capabilities>;
  /** Those that the flow names. Without them, a binding to a secret is missing. */
  readonly secrets?: RunSecrets;
  /** Who does the work and keeps what came of it; this process when absent. */
  readonly host?: RunHost;
  /** Answers to what nodes ask, as they come in. */
  readonly answers?: AnswerSource;
  /** Lets a host send messages to agents; without it they find their inbox closed. */
  readonly inboxes?: InboxRouter;
  /** Where an earlier process stopped; the run goes on from there. */
  readonly resume?: ResumePoint;
  /** Results of an earlier run to take over. */
  readonly reuse?: ReuseSource;
  /** Outputs of nodes of the flow itself that do not run. */
  readonly taken?: TakenOutputs;
  /** As `StepConstraints.budgetsLeft`, when the latest attempt of a step began; without it nothing has a limit. */
  readonly budgetsLeft?: () => Readonly<Record<string, number>>;
}

/** How a flow ended and what it gave. */
export interface FlowResult extends SpendingTotal {
  readonly status: 'completed' | 'failed' | 'cancelled' | 'suspended';
  /** By node id: an output, or the marker that stands for it. Nodes that were not reached have none. */
  readonly outputs: ReadonlyMap<string, JsonValue>;
  /** What the flow gives: as it declares, or what its last nodes give. Only when it has completed. */
  readonly output?: JsonValue;
  /** Every node whose task failed, tolerated or not, in order. */
  readonly failedNodes: readonly string[];
  /** Why it failed: the error of the node that ended it. */
  readonly error?: ErrorRecord;
  /** What has waited longest for a person, when the flow is suspended. */
  readonly suspendedNode?: string;
  readonly suspendReason?: SuspendReason;
}

/** Runs a flow to its end. Expected failures are part of the result, never thrown. */
export async function runFlow(request: FlowRequest, harness: Harness): Promise<FlowResult> {
  const { clock = systemClock, signal, host = createLocalHost(clock, signal) } = request;
  const scope = createCancelScope();
  try {
    return await runFlowIn(scope, { ...request, host }, harness);
  } finally {
    scope.close();
  }
}

/** As `runFlow`, stopped by a scope too; the request's signal is not looked at. */
export async function runFlowIn(scope: CancelScope, request: FlowRequest, harness: Harness): Promise<FlowResult> {
  const stopListening = request.host?.onCancel((reason = cancellation()) => scope.cancel(reason));
  try {
    return await executeFlow(scope, request, harness);
  } finally {
    stopListening?.();
  }
}

async function executeFlow(scope: CancelScope, request: FlowRequest, harness: Harness): Promise<FlowResult> {
  const execution = new FlowExecution(request, scope, harness.hub.autonomy);
  try {
    await execution.run(harness);
    return execution.result('completed');
  } catch (thrown) {
    if (thrown instanceof Suspension) return execution.result('suspended');
    return isCancelledStop(thrown) ? execution.result('cancelled') : execution.result('failed', toErrorRecord(thrown));
  }
}

/** Never shows that work lasts: a host that repeats a run gives others their turns between two completions. */
const standingClock: Clock = { now: () => 0, setTimer: () => () => undefined };

/** The one phase of a flow. */
const phaseName = 'Run Flow';

class FlowExecution {
  readonly #request: FlowRequest;
  readonly #scope: CancelScope;
  readonly #run: RunContext;
  readonly #outputs: NodeOutputs;
  #output: JsonValue | undefined;

  /** @param autonomy of whoever has called the run */
  constructor(request: FlowRequest, scope: CancelScope, autonomy: AutonomyLevel | undefined) {
    this.#scope = scope;
    const { flow, registry, inboxes, resume, reuse, clock = systemClock } = request;
    const { host = createLocalHost(clock) } = request;
    const ownHost = host.keepsSteps === true ? hostOfRepeats(host) : host;
    const hostAnswers = host.keepsSteps === true ? new HostAnswers(ownHost, (thrown) => this.#stop(thrown)) : undefined;
    this.#request = request;
    this.#outputs = new NodeOutputs(planOf(flow));
    this.#run = {
      registry: flow.dialect === undefined ? registry : stepTypesOf(registry),
      clock,
      host: ownHost,
      ids: request.ids ?? createRandomIds(),
      capabilities: request.capabilities ?? {},
      secrets: request.secrets,
      source: request.source,
      policy: flow.policy,
      autonomy: lowerOf(flow.policy.autonomy, autonomy),
      spending: resume?.spending ?? new Spending(),
      breather: new Breather(host.keepsSteps === true ? standingClock : clock),
      itemSlots: new ItemSlots(),
      inboxes,
      resume,
      reuse,
      taken: request.taken,
      failedNodes: [...(resume?.failedNodes ?? [])],
      marked: markedIn(resume),
      openTasks: new Set(resume?.open.keys()),
      openCalls: new Map(resume?.calls),
      asks: new RunAsks(resume, hostAnswers ?? request.answers),
      hostAnswers,
      calls: new RunCalls(resume),
      activity: new RunActivity(),
      steps: this.#stepRun(lowerOf(flow.policy.autonomy, autonomy)),
      waiting: new Map(),
      runGraph,
    };
  }

  #stepRun(autonomy: AutonomyLevel | undefined): StepRun | undefined {
    const { flow, resume, budgetsLeft = () => ({}) } = this.#request;
    if (flow.dialect === undefined) return undefined;
    const payload = inputsOf(this.#request);
    return new StepRun(flow.dialect, { flow, payload, outputs: this.#outputs, resume, autonomy, budgetsLeft });
  }

  /**
   * @throws EngineError the failure of a node that ends the run, or the signal's reason; `Suspension`
   */
  async run(harness: Harness): Promise<void> {
    const { flow, inputs, resume } = this.#request;
    if (resume === undefined) refuseMisfits(flow, inputs);
    switch (this.#request.resume?.phases.get(phaseName)) {
      case undefined:
        return await harness.phase(phaseName, (inner) => this.#runNodes(inner));
      case 'open':
        return await harness.phase(phaseName, (inner) => this.#runNodes(inner), { continues: 'silent' });
      // Only the run's own end was not stored any more.
      case 'complete':
        return await this.#runGraph(harness);
      case 'failed':
        throw fromErrorRecord(this.#request.resume?.error ?? { code: 'run.failed', message: 'The run failed' });
      case 'cancelled':
        throw new Stopped(cancellation());
    }
  }

  /** What was asked cannot be answered. */
  #stop(thrown: unknown): void {
    this.#scope.cancel(fromErrorRecord(toErrorRecord(thrown)));
  }

  result(status: FlowResult['status'], error?: ErrorRecord): FlowResult {
    const { failedNodes, spending, waiting, asks } = this.#run;
    asks.close();
    const [oldest] = [...waiting].sort(([, a], [, b]) => a.since - b.since);
    const outputs = this.#outputs;
    let map: ReadonlyMap<string, JsonValue> | undefined;
    return {
      status,
      // Made when first read: a run that is recorded never reads it.
      get outputs() {
        map ??= outputs.toMap();
        return map;
      },
      ...(status === 'completed' ? { output: this.#output ?? finalOutput(this.#request.flow, outputs) } : {}),
      failedNodes,
      ...(error === undefined ? {} : { error }),
      ...(status === 'suspended' && oldest !== undefined ? suspensionOf(oldest) : {}),
      ...spending.total(),
    };
  }

  async #runNodes(harness: Harness): Promise<void> {
    try {
      await this.#runGraph(harness);
    } catch (thrown) {
      const reason = isCancelledStop(thrown) ? 'cancel' : 'fail-fast';
      if (!(thrown instanceof Suspension)) closeOpenTasks(this.#run, harness.hub, { prefix: '', reason });
      throw thrown;
    }
  }

  async #runGraph(harness: Harness): Promise<void> {
    const { flow, resume } = this.#request;
    const flowRoot = { input: inputsOf(this.#request) };
    const { steps } = this.#run;
    const outer = { get: (root: string) => (root === 'flow' ? flowRoot : undefined), stepValues: steps?.values };
    const cancel = this.#scope.child();
    if (resume?.wasCancelled === true) cancel.cancel(cancellation());
    try {
      const { activity } = this.#run;
      const graphScope = { run: this.#run, prefix: '', outer, harness, activity, cancel };
      await runGraph(flow, graphScope, this.#outputs);
      const seen = { get: (root: string) => outer.get(root) ?? this.#outputs.get(root) };
      this.#output = steps === undefined ? declaredOutput(flow, seen) : steps.output();
    } finally {
      cancel.close();
    }
  }
}

function suspensionOf([name, { inner, reason }]: readonly [string, WaitingNode]) {
  // What waits may stand in a run that the node has called.
  return { suspendedNode: inner === undefined ? name : `${name}/${inner}`, suspendReason: reason };
}

/** @throws EngineError `binding.*` that names the output when what it is bound to is missing */
function declaredOutput({ outputs }: CompiledFlow, context: BindingContext): JsonMap | undefined {
  if (outputs === undefined) return undefined;
  const given = Object.entries(outputs).map(([name, value]): [string, JsonValue] => {
    try {
      return [name, resolveBindings(value, context)];
    } catch (error) {
      const { code, message } = toErrorRecord(error);
      throw new EngineError({ code, message: `The flow cannot give its output "${name}". ${message}`, cause: error });
    }
  });
  return Object.freeze(Object.fromEntries(given));
}

/** The flow's defaults with what the caller gave over them, as a copy: the caller may go on to change what it gave. */
export function inputsOf({ flow, inputs }: Pick<FlowRequest, 'flow' | 'inputs'>): JsonMap {
  const merged = { ...flow.inputs, ...inputs };
  const copy = frozenCopy(merged);
  // A map gives a map.
  return copy.ok ? (copy.value as JsonMap) : merged;
}

/** Nodes of bodies that were skipped or failed; where that ended their item, no marker was left, and none is looked for. */
function markedIn(resume: ResumePoint | undefined): Set<string> {
  const settled = [...(resume?.settled ?? [])];
  return new Set(settled.flatMap(([name, { status }]) => (status !== 'completed' && name.includes('[') ? [name] : [])));
}

/** The outputs of the nodes that nothing follows, which is what a flow gives: map from node id to output or marker. */
function finalOutput(flow: CompiledFlow, outputs: NodeOutputs): JsonMap {
  const ids = flow.ends ?? planOf(flow).lastIds;
  return Object.fromEntries(ids.map((id) => [id, outputs.get(id) ?? null]));
}

/** Ids that never repeat, by chance. */
function createRandomIds(): IdSource {
  return { runId: () => asRunId(randomText()), sessionId: () => asSessionId(randomText()) };
}
