/**
 * State shared by the nodes of a running graph: a flow's top-level nodes, or one item of a loop body.
 */
import type { Breather } from '../../base/breather.ts';
import type { Clock } from '../../base/clock.ts';
import { type IdSource, type RunId, taskIdOf } from '../../base/ids.ts';
import type { BindingContext } from '../../language/bindings/binding-path.ts';
import type { AutonomyLevel } from '../../language/flow/autonomy.ts';
import type { CompiledFlowPolicy, CompiledGraph, CompiledNode } from '../../language/flow/compiled-flow.ts';
import type { FlowSource } from '../../language/flow/flow-source.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import type { Capabilities } from '../kernel/capabilities/capabilities.ts';
import type { RunHost } from '../kernel/capabilities/run-host.ts';
import type {
  CancelReason,
  GivenOutput,
  RunEvent,
  SuspendReason,
  SuspensionRequest,
} from '../kernel/events/run-event.ts';
import { type CancelScope, cancellation, failFastStop } from '../kernel/hub/cancel-scope.ts';
import type { Harness } from '../kernel/hub/harness.ts';
import type { Hub } from '../kernel/hub/hub.ts';
import type { RunSecrets } from '../kernel/hub/run-secrets.ts';
import type { Spending } from '../kernel/hub/spending.ts';
import type { InboxRouter } from '../kernel/requests/agent-inbox.ts';
import type { Ask } from '../kernel/requests/ask.ts';
import { suspensionFor } from '../kernel/requests/ask-request.ts';
import type { RunAsks } from '../kernel/requests/run-asks.ts';
import { type FinishedCall, finishedBy } from '../kernel/resume/call-keys.ts';
import { closeCalls } from '../kernel/resume/called-runs.ts';
import type { ResumePoint } from '../kernel/resume/resume-point.ts';
import type { ApprovalTrail } from './approval-trail.ts';
import type { GraphPlan } from './graph-plan.ts';
import type { ItemSlots } from './item-slots.ts';
import type { HostAnswers } from './node/host-answers.ts';
import type { WorkGuard } from './node/work-guard.ts';
import type { NodeOutputs } from './node-outputs.ts';
import type { ItemPlace, NodeTypeLookup } from './node-type.ts';
import type { Activity, RunActivity } from './run-activity.ts';
import type { StepRun } from './step-run.ts';

/** Calls of attempts in one run that have not ended and are called again. Nodes are identified by their full name. */
export class UnfinishedCalls {
  readonly #finished = new Map<string, Map<string, FinishedCall>>();
  /** How often a tool call with outside effects was started without a result, by node and call key. */
  readonly #cutTools = new Map<string, ReadonlyMap<string, number>>();
  /** For waiting nodes: the number of failed attempts before the current one. */
  readonly #attemptsMade = new Map<string, number>();

  constructor(resume: ResumePoint | undefined) {
    for (const [name, { finished, cutTools }] of resume?.open ?? []) {
      if (finished.size > 0) this.#finished.set(name, new Map(finished));
      if (cutTools.size > 0) this.#cutTools.set(name, cutTools);
    }
  }

  /** Returns how often an earlier process started a tool call with an unknown result. */
  cutAttempts(name: string, callKey: string): number {
    return this.#cutTools.get(name)?.get(callKey) ?? 0;
  }

  /** Returns the completed calls of the node's current attempt, by call key. */
  of(name: string): Map<string, FinishedCall> {
    const known = this.#finished.get(name);
    if (known !== undefined) return known;
    const finished = new Map<string, FinishedCall>();
    this.#finished.set(name, finished);
    return finished;
  }

  /** Records an attempt's event. */
  note(name: string, event: RunEvent): void {
    const finished = finishedBy(event);
    if (finished !== undefined) this.of(name).set(...finished);
  }

  /** Records that the node waits in an attempt after this many failed attempts. */
  wait(name: string, attemptsMade: number): void {
    this.#attemptsMade.set(name, attemptsMade);
  }

  /** Returns the number of failed attempts before the current one, for a node that has waited in this process. */
  attemptsMade(name: string): number | undefined {
    return this.#attemptsMade.get(name);
  }

  /** Forgets the calls of an attempt that has ended. The next attempt makes them again. */
  leave(name: string): void {
    this.#finished.delete(name);
    this.#cutTools.delete(name);
    this.#attemptsMade.delete(name);
  }
}

/** A result from an earlier run. */
export interface EarlierOutput {
  readonly output: JsonValue;
  readonly fromRunId: RunId;
  /** The node's full name in that run if it differs, because an item may have moved in its list. */
  readonly fromNodeId?: string;
  /** A step's notes about its call. */
  readonly meta?: JsonMap;
}

/** Earlier results that nodes may reuse instead of running. */
export interface ReuseSource {
  /** Returns the node's earlier output if the node would certainly produce it again. */
  find(node: CompiledNode, resolvedInput: JsonMap): EarlierOutput | undefined;
  /** Returns a loop's items that do not have to run, by index. Called when the loop starts. */
  itemsOf(loop: StartingLoop): ReadonlyMap<number, ReusedItem>;
  /** Whether a loop's output has a marker in place of a node; `name` is the node's full name in that run. */
  isMarker(fromRunId: RunId, name: string): boolean;
  /** Records that a node ran, so that later loops cannot be reused as a whole. */
  noteRun(nodeId: string): void;
}

/** A loop whose items are about to run. */
export interface StartingLoop {
  readonly node: CompiledNode;
  /** The loop's full name. */
  readonly name: string;
  readonly resolvedInput: JsonMap;
  /** The loop's own context. */
  readonly context: BindingContext;
}

/** A loop item that completed in an earlier run. */
export interface ReusedItem {
  readonly fromRunId: RunId;
  /** The item's full name in that run: `<loop>[<item>]`. */
  readonly from: string;
  /** Returns a body node's output by ID; undefined for a skipped node. */
  outputOf(id: string): JsonValue | undefined;
}

/** An output used instead of running a node: from an earlier run, pinned, or given by a person for this run. */
export type TakenOutput =
  | EarlierOutput
  | { readonly output: JsonValue; readonly pin: true; readonly given?: GivenOutput };

/** Outputs by node ID. */
export type TakenOutputs = ReadonlyMap<string, TakenOutput>;

/** State shared by all graphs of one run. */
export interface RunContext {
  readonly registry: NodeTypeLookup;
  readonly clock: Clock;
  readonly host: RunHost;
  readonly ids: IdSource;
  readonly capabilities: Partial<Capabilities>;
  /** The secrets that the flow names; undefined if it names none. */
  readonly secrets: RunSecrets | undefined;
  /** The file; undefined if only a graph was provided. */
  readonly source: FlowSource | undefined;
  readonly policy: CompiledFlowPolicy;
  /** The run's autonomy level, including its callers' limits; undefined if no level applies. */
  readonly autonomy: AutonomyLevel | undefined;
  readonly spending: Spending;
  readonly breather: Breather;
  readonly itemSlots: ItemSlots;
  readonly inboxes: InboxRouter | undefined;
  readonly resume: ResumePoint | undefined;
  readonly reuse: ReuseSource | undefined;
  readonly taken: TakenOutputs | undefined;
  /** IDs of all nodes with a failed task, tolerated or not, in order. */
  readonly failedNodes: string[];
  /** Full names of body nodes that have a marker instead of an output. */
  readonly marked: Set<string>;
  /** Tasks that an earlier process left open and that have not been resumed yet, by full node name. */
  readonly openTasks: Set<string>;
  /** Child runs of interrupted or waiting nodes, in order, by full node name. Removed when an attempt resumes them. */
  readonly openCalls: Map<string, readonly ResumePoint[]>;
  readonly asks: RunAsks;
  /** Present if the host waits for answers. */
  readonly hostAnswers: HostAnswers | undefined;
  readonly calls: UnfinishedCalls;
  readonly activity: RunActivity;
  /** Present if the flow is a list of steps. */
  readonly steps: StepRun | undefined;
  /** Nodes that wait for a person, by full name. */
  readonly waiting: Map<string, SuspendedNode>;
  /** `runGraph`, for nodes that contain a graph. */
  readonly runGraph: (graph: CompiledGraph, scope: RunScope, outputs: NodeOutputs) => Promise<void>;
}

/** A node that waits for a person. */
export interface SuspendedNode {
  readonly reason: SuspendReason;
  /** The waiting node in a child run. */
  readonly inner: string | undefined;
  /** When the wait started, in epoch milliseconds. */
  readonly since: number;
}

export interface RunScope {
  readonly run: RunContext;
  /** Prefix of the graph's node IDs in events: empty or `<loop>[<item>].`. */
  readonly prefix: string;
  /** Values for bindings in addition to the outputs of the graph's own nodes. */
  readonly outer: BindingContext;
  readonly harness: Harness;
  /** Tracks activity in the graph: the run's or the enclosing loop's. */
  readonly activity: Activity;
  /** Stops all nodes of the graph. */
  readonly cancel: CancelScope;
  /** The item's slot, if it has one. */
  readonly place?: ItemPlace | undefined;
  /** For an item whose nodes reuse results of an earlier run. */
  readonly reused?: ReusedItem | undefined;
}

/** A node's scope: the state shared by its whole graph. */
export interface NodeScope {
  readonly scope: RunScope;
  readonly plan: GraphPlan;
  readonly guard: WorkGuard;
  /** Values for bindings. */
  readonly context: BindingContext;
  /** People's approvals in the graph; undefined if they make no difference. */
  readonly approvals?: ApprovalTrail | undefined;
}

/** A node in a running graph. */
export interface NodeInGraph {
  /** The node's index in file order. */
  readonly rank: number;
  readonly node: CompiledNode;
  readonly place: NodeScope;
}

/** Returns the node's child runs in `RunContext.openCalls`. @param name the node's full name */
export function callsOf(name: string, { openCalls }: RunContext): readonly ResumePoint[] {
  return openCalls.get(name) ?? [];
}

/** Emits the end of a node's child runs that it does not resume. `hub` is in the context of the node's task. */
export function closeCallsOf(name: string, run: RunContext, hub: Hub, why = cancellation()): void {
  closeCalls(callsOf(name, run), hub, why);
  run.openCalls.delete(name);
}

/**
 * Emits the cancellation of each open task whose node name starts with `prefix`. Body tasks come before their loop's
 * task.
 */
export function closeOpenTasks(run: RunContext, hub: Hub, end: { prefix: string; reason: CancelReason }): void {
  const { openTasks } = run;
  const names = [...openTasks].filter((name) => name.startsWith(end.prefix));
  // The longer name is the inner task's.
  for (const name of names.sort((a, b) => b.length - a.length)) {
    openTasks.delete(name);
    const why = end.reason === 'cancel' ? cancellation() : failFastStop();
    closeCallsOf(name, run, hub.scoped({ task: { id: taskIdOf(name) } }), why);
    hub.emit({ type: 'task:cancelled', taskId: taskIdOf(name), nodeId: name, reason: end.reason });
  }
}

/**
 * Emits a node's requests that are not in the log yet. `hub` is in the context of the node's task. Returns the request
 * that the node waits for.
 */
export function emitRequests(
  asks: readonly Ask[],
  name: string,
  { run, hub }: { run: RunContext; hub: Hub },
): SuspensionRequest {
  for (const ask of asks) {
    run.asks.tell(name, ask, hub);
    run.hostAnswers?.expect(name, ask);
  }
  return suspensionFor(asks);
}
