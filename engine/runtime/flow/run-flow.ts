/**
 * The flow runner, a library function built on hub, phase and task. It has no bus, store or scheduler. Besides the
 * harness, it needs only its arguments.
 */
import { Breather } from '../../base/breather.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type ErrorRecord, fromErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import { asRunId, asSessionId, type IdSource, randomText } from '../../base/ids.ts';
import { type AutonomyLevel, lowerOf } from '../../language/flow/autonomy.ts';
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import { refuseMisfits } from '../../language/flow/flow-interface.ts';
import type { FlowSource } from '../../language/flow/flow-source.ts';
import { frozenCopy } from '../../language/json/checked-json.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { Capabilities } from '../kernel/capabilities/capabilities.ts';
import { createLocalHost, hostOfRepeats, type RunHost } from '../kernel/capabilities/run-host.ts';
import type { SuspendReason } from '../kernel/events/run-event.ts';
import {
  type CancelScope,
  cancellation,
  createCancelScope,
  isCancelledStop,
  Stopped,
} from '../kernel/hub/cancel-scope.ts';
import { type Harness, Suspension } from '../kernel/hub/harness.ts';
import { isPauseReason } from '../kernel/hub/run-pause.ts';
import type { RunSecrets } from '../kernel/hub/run-secrets.ts';
import { Spending, type SpendingTotal } from '../kernel/hub/spending.ts';
import type { InboxRouter } from '../kernel/requests/agent-inbox.ts';
import type { AnswerSource } from '../kernel/requests/ask.ts';
import { RunAsks } from '../kernel/requests/run-asks.ts';
import type { ResumePoint } from '../kernel/resume/resume-point.ts';
import { declaredOutput, finalOutput } from './flow-output.ts';
import { planOf } from './graph-plan.ts';
import { runGraph } from './graph-run.ts';
import { ItemSlots } from './item-slots.ts';
import { HostAnswers } from './node/host-answers.ts';
import { NodeOutputs } from './node-outputs.ts';
import type { NodeTypeLookup } from './node-type.ts';
import { RunActivity } from './run-activity.ts';
import {
  closeOpenTasks,
  type ReuseSource,
  type RunContext,
  type SuspendedNode,
  type TakenOutputs,
  UnfinishedCalls,
} from './run-scope.ts';
import { StepRun, stepTypesOf } from './step-run.ts';

/** A flow to run, with everything needed to run it. */
export interface FlowRequest {
  readonly flow: CompiledFlow;
  /** The file from which it was compiled. Without it, node errors cannot refer to lines. */
  readonly source?: FlowSource;
  readonly registry: NodeTypeLookup;
  /** Merged over the flow's default inputs, by key. */
  readonly inputs: JsonMap;
  /** Defaults to the system clock. */
  readonly clock?: Clock;
  /** Stops the run when it aborts. Its reason explains why (see `cancellation`). */
  readonly signal?: AbortSignal;
  /** Source of the attempts' run IDs; random by default. */
  readonly ids?: IdSource;
  /** Capabilities for nodes. A node fails if its type needs others. */
  readonly capabilities?: Partial<Capabilities>;
  /** The secrets that the flow names. Without them, secret bindings are missing. */
  readonly secrets?: RunSecrets;
  /** The host that executes steps and records their results; this process by default. */
  readonly host?: RunHost;
  /** Answers to node requests, as they arrive. */
  readonly answers?: AnswerSource;
  /** Allows a host to send messages to agents. If absent, their inboxes are closed. */
  readonly inboxes?: InboxRouter;
  /** The point where an earlier process stopped and this run resumes. */
  readonly resume?: ResumePoint;
  /** Earlier results to reuse. */
  readonly reuse?: ReuseSource;
  /** Outputs of top-level nodes that do not run. */
  readonly taken?: TakenOutputs;
  /** See `StepConstraints.budgetsLeft`, at the start of a step's latest attempt. Without it, there are no limits. */
  readonly budgetsLeft?: () => Readonly<Record<string, number>>;
}

/** How a flow ended, and its output. */
export interface FlowResult extends SpendingTotal {
  readonly status: 'completed' | 'failed' | 'cancelled' | 'suspended';
  /** Outputs or markers, by node ID. Nodes that were not reached have neither. */
  readonly outputs: ReadonlyMap<string, JsonValue>;
  /** The flow's output: as declared, or the outputs of its last nodes. Present only if the flow completed. */
  readonly output?: JsonValue;
  /** IDs of all nodes with a failed task, tolerated or not, in order. */
  readonly failedNodes: readonly string[];
  /** If the run failed, the error of the node that ended it. */
  readonly error?: ErrorRecord;
  /** If the flow is suspended, the node that has waited longest for a person. */
  readonly suspendedNode?: string;
  readonly suspendReason?: SuspendReason;
}

/** Runs a flow to its end. Returns expected failures as part of the result and never throws them. */
export async function runFlow(request: FlowRequest, harness: Harness): Promise<FlowResult> {
  const { clock = systemClock, signal, host = createLocalHost(clock, signal) } = request;
  const scope = createCancelScope();
  try {
    return await runFlowInScope(scope, { ...request, host }, harness);
  } finally {
    scope.close();
  }
}

/** Like `runFlow`, but stopped by a scope. Ignores the request's signal. */
export async function runFlowInScope(scope: CancelScope, request: FlowRequest, harness: Harness): Promise<FlowResult> {
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

/** A clock on which no time elapses: a host that replays a run yields to other work between completions instead. */
const standingClock: Clock = { now: () => 0, setTimer: () => () => undefined };

/** A flow's only phase. */
const phaseName = 'Run Flow';

class FlowExecution {
  readonly #request: FlowRequest;
  readonly #scope: CancelScope;
  readonly #run: RunContext;
  readonly #outputs: NodeOutputs;
  #output: JsonValue | undefined;

  /** @param autonomy the caller's autonomy level */
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
      calls: new UnfinishedCalls(resume),
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
   * @throws EngineError the node failure that ends the run, or the signal's reason; `Suspension`
   */
  async run(harness: Harness): Promise<void> {
    const { flow, inputs, resume } = this.#request;
    if (resume === undefined) refuseMisfits(flow, inputs);
    switch (this.#request.resume?.phases.get(phaseName)) {
      case undefined:
        return await harness.phase(phaseName, (inner) => this.#runNodes(inner));
      case 'open':
        return await harness.phase(phaseName, (inner) => this.#runNodes(inner), { continues: 'silent' });
      // Only the end of the run was not stored.
      case 'complete':
        return await this.#runGraph(harness);
      case 'failed':
        throw fromErrorRecord(this.#request.resume?.error ?? { code: 'run.failed', message: 'The run failed' });
      case 'cancelled':
        throw new Stopped(cancellation());
    }
  }

  /** Open requests can no longer be answered. */
  #stop(thrown: unknown): void {
    this.#scope.cancel(fromErrorRecord(toErrorRecord(thrown)));
  }

  result(status: FlowResult['status'], error?: ErrorRecord): FlowResult {
    const { failedNodes, spending, waiting, asks } = this.#run;
    asks.close();
    // A paused run stays paused when something else in it is answered.
    const [oldest] = [...waiting].sort(([, a], [, b]) => rankOf(a) - rankOf(b) || a.since - b.since);
    const outputs = this.#outputs;
    let map: ReadonlyMap<string, JsonValue> | undefined;
    return {
      status,
      // Computed on first read, because a recorded run never reads it.
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

function rankOf({ reason }: SuspendedNode): number {
  if (reason === 'budget') return 0;
  if (reason === 'breakpoint') return 1;
  return isPauseReason(reason) ? 2 : 3;
}

function suspensionOf([name, { inner, reason }]: readonly [string, SuspendedNode]) {
  // The waiting node may be in one of the node's child runs.
  return { suspendedNode: inner === undefined ? name : `${name}/${inner}`, suspendReason: reason };
}

/**
 * Returns the flow's defaults merged with the caller's inputs. Copies them, because the caller may change the originals
 * later.
 */
export function inputsOf({ flow, inputs }: Pick<FlowRequest, 'flow' | 'inputs'>): JsonMap {
  const merged = { ...flow.inputs, ...inputs };
  const copy = frozenCopy(merged);
  // A map results in a map.
  return copy.ok ? (copy.value as JsonMap) : merged;
}

/**
 * Returns body nodes that were skipped or failed. If this ended their item, there is no marker, and none is looked up.
 */
function markedIn(resume: ResumePoint | undefined): Set<string> {
  const settled = [...(resume?.settled ?? [])];
  return new Set(settled.flatMap(([name, { status }]) => (status !== 'completed' && name.includes('[') ? [name] : [])));
}

/** Creates a source of random IDs that never repeat. */
function createRandomIds(): IdSource {
  return { runId: () => asRunId(randomText()), sessionId: () => asSessionId(randomText()) };
}
