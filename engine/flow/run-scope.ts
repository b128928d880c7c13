/**
 * What the nodes of one graph share while it runs: the flow's own nodes, or one item's pass through the body of a loop.
 */
import type { Breather } from '../base/breather.ts';
import type { Clock } from '../base/clock.ts';
import { type IdSource, type RunId, taskIdOf } from '../base/ids.ts';
import type { AutonomyLevel } from '../flowspec/autonomy.ts';
import type { BindingContext } from '../flowspec/binding-path.ts';
import type { CompiledFlowPolicy, CompiledGraph, CompiledNode } from '../flowspec/compiled-flow.ts';
import type { FlowSource } from '../flowspec/flow-source.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import type { Ask } from '../kernel/ask.ts';
import { suspensionFor } from '../kernel/ask-request.ts';
import { type FinishedCall, finishedBy } from '../kernel/call-keys.ts';
import { closeCalls } from '../kernel/called-runs.ts';
import { type CancelScope, cancellation, failFastStop } from '../kernel/cancel-scope.ts';
import type { Capabilities } from '../kernel/capabilities.ts';
import type { Harness } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import type { InboxRouter } from '../kernel/inbox.ts';
import type { ResumePoint } from '../kernel/resume-point.ts';
import type { RunAsks } from '../kernel/run-asks.ts';
import type { CancelReason, RunEvent, SuspendReason, SuspensionRequest } from '../kernel/run-event.ts';
import type { RunHost } from '../kernel/run-host.ts';
import type { RunSecrets } from '../kernel/run-secrets.ts';
import type { Spending } from '../kernel/spending.ts';
import type { ApprovalTrail } from './approval-trail.ts';
import type { GraphPlan } from './graph-plan.ts';
import type { HostAnswers } from './host-answers.ts';
import type { ItemSlots } from './item-slots.ts';
import type { NodeOutputs } from './node-outputs.ts';
import type { ItemPlace, NodeTypeLookup } from './node-type.ts';
import type { Activity, RunActivity } from './run-activity.ts';
import type { StepRun } from './step-run.ts';
import type { WorkGuard } from './work-guard.ts';

/** What is known of attempts of one run that have not ended: they are called again. Nodes are named by their place in the run. */
export class RunCalls {
  readonly #finished = new Map<string, Map<string, FinishedCall>>();
  /** By place and call key: how often a call of a tool was begun that acts outside and has no result. */
  readonly #cutTools = new Map<string, ReadonlyMap<string, number>>();
  /** Of nodes that wait: how many attempts had failed before. */
  readonly #attemptsMade = new Map<string, number>();

  constructor(resume: ResumePoint | undefined) {
    for (const [name, { finished, cutTools }] of resume?.open ?? []) {
      if (finished.size > 0) this.#finished.set(name, new Map(finished));
      if (cutTools.size > 0) this.#cutTools.set(name, cutTools);
    }
  }

  /** How often an earlier process has begun a call of a tool whose result nobody knows. */
  cutAttempts(name: string, callKey: string): number {
    return this.#cutTools.get(name)?.get(callKey) ?? 0;
  }

  /** Those of the node's attempt that goes on, by call key. */
  of(name: string): Map<string, FinishedCall> {
    const known = this.#finished.get(name);
    if (known !== undefined) return known;
    const finished = new Map<string, FinishedCall>();
    this.#finished.set(name, finished);
    return finished;
  }

  /** Takes what an attempt has told. */
  note(name: string, event: RunEvent): void {
    const finished = finishedBy(event);
    if (finished !== undefined) this.of(name).set(...finished);
  }

  /** The node waits in an attempt behind so many that have failed. */
  wait(name: string, attemptsMade: number): void {
    this.#attemptsMade.set(name, attemptsMade);
  }

  /** How many attempts of a node that has waited in this process had failed before. */
  attemptsMade(name: string): number | undefined {
    return this.#attemptsMade.get(name);
  }

  /** The attempt has ended: the next one calls anew. */
  leave(name: string): void {
    this.#finished.delete(name);
    this.#cutTools.delete(name);
    this.#attemptsMade.delete(name);
  }
}

/** A result of an earlier run. */
export interface EarlierOutput {
  readonly output: JsonValue;
  readonly fromRunId: RunId;
  /** The full name that the node had in that run, where it differs: an item may have moved in its list. */
  readonly fromNodeId?: string;
  /** What a step has noted about its call. */
  readonly meta?: JsonMap;
}

/** Results of earlier runs that nodes may take over instead of running. */
export interface ReuseSource {
  /** Returns what the node gave, if it would surely give the same again. */
  find(node: CompiledNode, resolvedInput: JsonMap): EarlierOutput | undefined;
  /** Returns the items of a loop that need not run, by their index. Called when the loop begins. */
  itemsOf(loop: StartingLoop): ReadonlyMap<number, ReusedItem>;
  /** Whether a marker took the place of a node in a loop's output; `name` is its full one in that run. */
  isMarker(fromRunId: RunId, name: string): boolean;
  /** Notes that a node ran, so that loops behind it cannot be taken over whole. */
  noteRun(nodeId: string): void;
}

/** A loop whose items are about to run. */
export interface StartingLoop {
  readonly node: CompiledNode;
  /** Its place in the run. */
  readonly name: string;
  readonly resolvedInput: JsonMap;
  /** What the loop itself sees. */
  readonly context: BindingContext;
}

/** An item of a loop that completed in an earlier run. */
export interface ReusedItem {
  readonly fromRunId: RunId;
  /** Its place in that run: `<loop>[<item>]`. */
  readonly from: string;
  /** Returns the output of a node of the body by its id; undefined for a node that was skipped. */
  outputOf(id: string): JsonValue | undefined;
}

/** An output that a node takes instead of running: one of an earlier run, or a pinned one. */
export type TakenOutput = EarlierOutput | { readonly output: JsonValue; readonly pin: true };

/** By id of the node. */
export type TakenOutputs = ReadonlyMap<string, TakenOutput>;

/** What all graphs of one run share. */
export interface RunContext {
  readonly registry: NodeTypeLookup;
  readonly clock: Clock;
  readonly host: RunHost;
  readonly ids: IdSource;
  readonly capabilities: Partial<Capabilities>;
  /** Those that the flow names; undefined when it names none. */
  readonly secrets: RunSecrets | undefined;
  /** The file; undefined where only a graph was handed over. */
  readonly source: FlowSource | undefined;
  readonly policy: CompiledFlowPolicy;
  /** What nodes may do without being asked, with what stands above the run; undefined = no level holds. */
  readonly autonomy: AutonomyLevel | undefined;
  readonly spending: Spending;
  readonly breather: Breather;
  readonly itemSlots: ItemSlots;
  readonly inboxes: InboxRouter | undefined;
  readonly resume: ResumePoint | undefined;
  readonly reuse: ReuseSource | undefined;
  readonly taken: TakenOutputs | undefined;
  /** Every node whose task failed, tolerated or not, in order. */
  readonly failedNodes: string[];
  /** Full names of the nodes in bodies of loops for whose output a marker stands. */
  readonly marked: Set<string>;
  /** Tasks that an earlier process left open and nobody has taken up yet, by full node name. */
  readonly openTasks: Set<string>;
  /**
   * By full name of a node that was cut or waits: the runs that it had called, in their order, as long as no attempt has taken
   * them up.
   */
  readonly openCalls: Map<string, readonly ResumePoint[]>;
  readonly asks: RunAsks;
  /** Where the host waits for answers. */
  readonly hostAnswers: HostAnswers | undefined;
  readonly calls: RunCalls;
  readonly activity: RunActivity;
  /** Where the flow is a list of steps. */
  readonly steps: StepRun | undefined;
  /** The nodes that wait for a person, by full name. */
  readonly waiting: Map<string, WaitingNode>;
  /** `runGraph`, for nodes that have a graph of their own. */
  readonly runGraph: (graph: CompiledGraph, scope: RunScope, outputs: NodeOutputs) => Promise<void>;
}

/** A node that waits. */
export interface WaitingNode {
  readonly reason: SuspendReason;
  /** What waits in a run that it called. */
  readonly inner: string | undefined;
  /** Epoch milliseconds. */
  readonly since: number;
}

export interface RunScope {
  readonly run: RunContext;
  /** Stands before the ids of the graph's nodes in events: empty, or `<loop>[<item>].`. */
  readonly prefix: string;
  /** What bindings see beside the outputs of the graph's own nodes. */
  readonly outer: BindingContext;
  readonly harness: Harness;
  /** Notes what is at work in the graph: of the run, or of the loop around it. */
  readonly activity: Activity;
  /** Asks all nodes of the graph to stop. */
  readonly cancel: CancelScope;
  /** Of an item, where it has one. */
  readonly place?: ItemPlace | undefined;
  /** Of an item whose nodes take over what they gave in an earlier run. */
  readonly reused?: ReusedItem | undefined;
}

/** Where a node runs: what its whole graph shares. */
export interface NodeScope {
  readonly scope: RunScope;
  readonly plan: GraphPlan;
  readonly guard: WorkGuard;
  /** What bindings see. */
  readonly context: BindingContext;
  /** What people have agreed to in the graph; undefined where that makes no difference. */
  readonly approvals?: ApprovalTrail | undefined;
}

/** A node of a graph that runs. */
export interface NodeInGraph {
  /** Its place in the order of the file. */
  readonly rank: number;
  readonly node: CompiledNode;
  readonly place: NodeScope;
}

/** The runs of `RunContext.openCalls`. @param name of the node */
export function callsOf(name: string, { openCalls }: RunContext): readonly ResumePoint[] {
  return openCalls.get(name) ?? [];
}

/** Tells of the runs that a node had called and does not go on with that they are over. `hub` tells in the context of its task. */
export function closeCallsOf(name: string, run: RunContext, hub: Hub, why = cancellation()): void {
  closeCalls(callsOf(name, run), hub, why);
  run.openCalls.delete(name);
}

/** Tells of each open task whose node's name begins with `prefix` that it is cancelled; a body's come before its loop's. */
export function closeOpenTasks(run: RunContext, hub: Hub, end: { prefix: string; reason: CancelReason }): void {
  const { openTasks } = run;
  const names = [...openTasks].filter((name) => name.startsWith(end.prefix));
  // The longer name is the inner one.
  for (const name of names.sort((a, b) => b.length - a.length)) {
    openTasks.delete(name);
    const why = end.reason === 'cancel' ? cancellation() : failFastStop();
    closeCallsOf(name, run, hub.scoped({ task: { id: taskIdOf(name) } }), why);
    hub.emit({ type: 'task:cancelled', taskId: taskIdOf(name), nodeId: name, reason: end.reason });
  }
}

/** Tells of those questions of a node that the log does not have yet. `hub` tells in the context of its task. Returns what the node waits for. */
export function tellAsks(
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
