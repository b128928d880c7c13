/**
 * Runs one graph's nodes in the order required by their edges, with as much parallelism as the flow permits.
 */
import { type ErrorRecord, fromErrorRecord } from '../../base/engine-error.ts';
import { errorMarker } from '../../language/bindings/markers.ts';
import { evaluateWhen } from '../../language/bindings/when.ts';
import type { CompiledGraph, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { IndexQueue } from '../../language/flow/node-order.ts';
import { deepFreeze } from '../../language/json/checked-json.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { type CancelScope, failFastStop, Stopped } from '../kernel/hub/cancel-scope.ts';
import { Suspension, startTask, type TaskOutcome } from '../kernel/hub/harness.ts';
import { waitFor } from '../kernel/requests/ask-request.ts';
import { isAnswered, type OpenTask, type SettledTask } from '../kernel/resume/resume-point.ts';
import { decideEdge } from './decide-edge.ts';
import {
  createBindingContext,
  EdgeGates,
  endsGraph,
  type GraphPlan,
  markerOf,
  planOf,
  type Skip,
  skipOf,
} from './graph-plan.ts';
import { GraphWaits } from './graph-waits.ts';
import { recordMarkers } from './loop-body.ts';
import { approvalsIn, hasRun, suggestionInsteadOf } from './node/held-node.ts';
import { isOwnWork, type NodeOwner, NodeTask } from './node/node-task.ts';
import { emitReusedNode, reusedOutputMarkers, takenFrom, takenInItem } from './node/prepare-node.ts';
import { taskInfoOf } from './node/run-node.ts';
import { WorkGuard } from './node/work-guard.ts';
import type { NodeOutputs } from './node-outputs.ts';
import type { NodeScope, RunScope, TakenOutput } from './run-scope.ts';

/**
 * Runs all nodes of a graph. When the promise settles, nothing in the graph is running.
 * @param outputs receives the output or the marker of each node
 * @throws EngineError the failure of the node that ends the graph; `Stopped` when the scope was stopped; `Suspension`
 * when a node waits for a person
 */
export async function runGraph(graph: CompiledGraph, scope: RunScope, outputs: NodeOutputs): Promise<void> {
  await new GraphRun(graph, scope, outputs).toItsEnd();
}

class GraphRun implements NodeOwner {
  readonly #outputs: NodeOutputs;
  readonly #scope: RunScope;
  readonly #plan: GraphPlan;
  readonly #cancelScope: CancelScope;
  readonly #guard: WorkGuard;
  readonly #place: NodeScope;
  readonly #gates: EdgeGates;
  readonly #ready = new IndexQueue();
  /** Ranks of nodes that received an answer. They run first, even if other nodes still wait. */
  readonly #answered: number[] = [];
  #running = 0;
  #isResting = false;
  #hasUnflushedMarks = false;
  #fatal: ErrorRecord | undefined;
  #bug: { readonly thrown: unknown } | undefined;
  #finish: (() => void) | undefined;
  readonly #waits: GraphWaits;

  constructor(graph: CompiledGraph, scope: RunScope, outputs: NodeOutputs) {
    const { failFast } = scope.run.policy;
    this.#outputs = outputs;
    this.#plan = planOf(graph);
    this.#cancelScope = scope.cancel.child();
    this.#scope = { ...scope, cancel: this.#cancelScope };
    this.#guard = new WorkGuard(this.#cancelScope, scope.run.clock);
    const context = createBindingContext(this.#plan, { outputs, outer: scope.outer, failFast });
    const approvals = approvalsIn(this.#plan, scope, { context, outputs });
    this.#place = { scope: this.#scope, plan: this.#plan, guard: this.#guard, context, approvals };
    this.#gates = new EdgeGates(this.#plan);
    this.#waits = new GraphWaits(this.#scope, {
      wake: (rank) => this.#answered.push(rank),
      pump: () => this.#finish !== undefined && this.#pump(),
      finish: () => this.#finish?.(),
    });
  }

  async toItsEnd(): Promise<void> {
    this.#takeUp();
    await new Promise<void>((resolve) => {
      this.#finish = resolve;
      this.#pump();
    });
    for (const part of [this.#waits, this.#guard, this.#cancelScope]) part.close();
    if (this.#bug !== undefined) throw this.#bug.thrown;
    if (this.#fatal !== undefined) throw fromErrorRecord(this.#fatal);
    if (this.#cancelScope.reason !== undefined) throw new Stopped(this.#cancelScope.reason);
    if (this.#waits.isWaiting) throw new Suspension();
  }

  /** Restores the state in which an earlier process left the graph, or creates the initial state of a new run. */
  #takeUp(): void {
    const { run, prefix } = this.#scope;
    for (const rank of this.#plan.startOrder) {
      const node = this.#nodeAt(rank);
      const settled = run.resume?.settled.get(prefix + node.id);
      const taken = run.taken?.get(prefix + node.id);
      if (settled !== undefined) this.#restore(rank, settled);
      else if (taken !== undefined) this.#takeOver(rank, taken);
      else if (run.resume?.stopped.has(prefix + node.id)) this.#cancelScope.cancel(failFastStop());
      else if (this.#gates.isOpen(rank)) this.#enqueue(rank);
    }
  }

  #restore(rank: number, settled: SettledTask): void {
    const node = this.#nodeAt(rank);
    if (settled.status === 'failed') this.#keepFailure(rank, settled);
    else if (settled.status === 'skipped') this.#put(rank, markerOf(settled));
    else this.#put(rank, deepFreeze(settled.output), reusedOutputMarkers(settled, this.#nameOf(node), this.#scope.run));
    if (hasRun(settled)) this.#place.approvals?.noteRun(rank);
    if (this.#fatal === undefined) this.#leave(rank, 'isGiven' in settled);
  }

  #enqueue(rank: number): void {
    const [node, { run }] = [this.#nodeAt(rank), this.#scope];
    const name = this.#nameOf(node);
    const isAsking = this.#openTask(node)?.isAsking === true;
    if (isAsking && !run.asks.hasNews(name)) this.#waits.add(rank, name, waitFor([...run.asks.of(name).values()]));
    else if (isAsking || isAnswered(name, run.resume)) this.#answered.push(rank);
    else this.#ready.push(rank);
  }

  #openTask(node: CompiledNode): OpenTask | undefined {
    return this.#scope.run.resume?.open.get(this.#nameOf(node));
  }

  #nameOf({ id }: CompiledNode): string {
    return this.#scope.prefix + id;
  }

  #nodeAt(rank: number): CompiledNode {
    const node = this.#plan.nodes[rank];
    if (node === undefined) throw new RangeError(`No node has rank ${rank}`);
    return node;
  }

  /** Starts all nodes that can start. Called again whenever a node ends; ends the graph when nothing is left. */
  #pump(): void {
    try {
      this.#startReady();
    } catch (thrown) {
      this.#bug ??= { thrown };
    }
    if (this.#running > 0 || this.#isResting) return;
    if (!this.#waits.isWaiting || this.#isStopping()) this.#finish?.();
    else this.#waits.park();
  }

  #startReady(): void {
    const { breather, policy } = this.#scope.run;
    while (!this.#isStopping() && !this.#isResting && this.#running < policy.maxParallel) {
      if (breather.isDue()) {
        this.#rest();
        return;
      }
      const rank = this.#answered.shift() ?? (this.#waits.isHolding ? undefined : this.#ready.pop());
      if (rank === undefined) return;
      this.#advance(rank);
    }
  }

  #isStopping(): boolean {
    return this.#fatal !== undefined || this.#bug !== undefined || this.#cancelScope.reason !== undefined;
  }

  /** Flushes events before yielding, so that they do not accumulate and all observers see the same events. */
  #rest(): void {
    const { harness, run } = this.#scope;
    this.#isResting = true;
    // Counts as activity, so that the run is not suspended during the pause.
    run.activity.begin();
    harness.hub.flush();
    void run.breather.rest().then(() => {
      this.#isResting = false;
      this.#pump();
      run.activity.end();
    });
  }

  /** Handles a node that is due: skips it, reuses an earlier result, or runs it. */
  #advance(rank: number): void {
    const node = this.#nodeAt(rank);
    const seen = { gates: this.#gates, context: this.#place.context, isOpen: this.#openTask(node) !== undefined };
    const skip = skipOf(node, rank, seen);
    if (skip === null && this.#reuse(rank)) return;
    const held = skip ?? suggestionInsteadOf(node, this.#place);
    if (held !== undefined) this.#skip(rank, held);
    else {
      const turn = this.#waits.turnOf(rank, node, { context: seen.context, isStarted: seen.isOpen });
      if (turn === 'starts') this.#start(rank, node);
      else if (turn !== 'held') this.#takeOver(rank, turn);
    }
  }

  #skip(rank: number, skip: Skip, words?: string): void {
    const node = this.#nodeAt(rank);
    this.#scope.harness.hub.emit({ type: 'node:skipped', nodeId: this.#nameOf(node), ...skip });
    this.#mark(rank, markerOf({ ...skip, words }));
  }

  #reuse(rank: number): boolean {
    const { reuse } = this.#scope.run;
    const node = this.#nodeAt(rank);
    if (reuse === undefined || this.#openTask(node) !== undefined) return false;
    const isInItem = this.#scope.prefix !== '';
    const taken = isInItem ? takenInItem(node, this.#scope) : takenFrom(reuse, node, this.#place.context);
    if (taken !== undefined)
      this.#takeOver(rank, taken, reusedOutputMarkers(taken, this.#nameOf(node), this.#scope.run));
    return taken !== undefined;
  }

  #takeOver(rank: number, taken: TakenOutput, wasMarked?: (name: string) => boolean): void {
    this.#mark(rank, emitReusedNode(this.#nameOf(this.#nodeAt(rank)), taken, this.#scope), wasMarked);
  }

  #mark(rank: number, value: JsonValue, wasMarked?: (name: string) => boolean): void {
    this.#put(rank, value, wasMarked);
    this.#hasUnflushedMarks = true;
    this.#leave(rank);
  }

  #put(rank: number, value: JsonValue, wasMarked?: (name: string) => boolean): void {
    const node = this.#nodeAt(rank);
    const { marked } = this.#scope.run;
    // Outside loops there is usually nothing to record, and every node takes this path.
    if (this.#scope.prefix !== '' || wasMarked !== undefined || marked.size > 0)
      recordMarkers(node, { name: this.#nameOf(node), value }, { marked, wasMarked });
    this.#outputs.put(rank, value);
  }

  #start(rank: number, node: CompiledNode): void {
    const { activity, harness, run } = this.#scope;
    if (this.#hasUnflushedMarks) harness.hub.flush();
    this.#hasUnflushedMarks = false;
    const name = this.#nameOf(node);
    run.openTasks.delete(name);
    run.waiting.delete(name);
    this.#place.approvals?.noteRun(rank);
    this.#running++;
    if (isOwnWork(node)) activity.begin();
    const info = taskInfoOf(node, name, { open: this.#openTask(node), isCalledAgain: run.asks.isCalledAgain(name) });
    startTask(harness, new NodeTask(this, { rank, node, place: this.#place }, info));
  }

  /** Handles the end of a node's task. `thrown`: an error caused by a bug or by a listener of an embedding program. */
  ended(rank: number, end: TaskOutcome | { readonly thrown: unknown }): void {
    try {
      if ('thrown' in end) throw end.thrown;
      this.#settle(rank, end);
    } catch (thrown) {
      this.#bug ??= { thrown };
    }
    this.#running--;
    this.#pump();
    if (isOwnWork(this.#nodeAt(rank))) this.#scope.activity.end();
  }

  #settle(rank: number, outcome: TaskOutcome): void {
    const [node, { run }] = [this.#nodeAt(rank), this.#scope];
    const name = this.#nameOf(node);
    switch (outcome.status) {
      case 'completed':
        this.#put(rank, outcome.result);
        break;
      case 'failed':
        run.failedNodes.push(name);
        this.#keepFailure(rank, outcome);
        break;
      case 'suspended':
        run.openTasks.add(name);
        this.#waits.add(rank, name, outcome);
        return;
      case 'skipped':
        this.#skip(rank, { reason: 'directive' }, outcome.reason);
        return;
      case 'cancelled':
        return;
    }
    if (this.#fatal === undefined) this.#leave(rank);
  }

  #keepFailure(rank: number, { error, attempts }: { error: ErrorRecord; attempts: number }): void {
    if (!endsGraph(this.#nodeAt(rank), this.#scope.run.policy.failFast)) this.#put(rank, errorMarker(error, attempts));
    else {
      this.#fatal ??= error;
      if (this.#running > 1) this.#cancelScope.cancel(failFastStop());
    }
  }

  /** Evaluates the edges of a node that has ended, once per edge, and again if its output was changed since. */
  #leave(rank: number, isGiven = false): void {
    for (const { edge, to } of this.#plan.outgoing[rank] ?? []) {
      const trace = edge.when === undefined ? undefined : evaluateWhen(edge.when, this.#place.context);
      const isFired = decideEdge(edge, trace, this.#scope, isGiven);
      if (isFired) this.#place.approvals?.noteFired(rank, to);
      // While an earlier process's state is being restored, the traversal reaches the target anyway.
      if (this.#gates.decide(to, isFired, trace) && this.#finish !== undefined) this.#enqueue(to);
    }
  }
}
