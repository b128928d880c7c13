/**
 * Tracks the nodes in one graph that wait for a person. They block only their dependent nodes. When nothing else can
 * continue, the graph waits.
 */
import type { BindingContext } from '../../language/bindings/binding-path.ts';
import type { CompiledNode } from '../../language/flow/compiled-flow.ts';
import { innermostStep } from '../kernel/events/node-places.ts';
import type { GivenOutput } from '../kernel/events/run-event.ts';
import { isPauseReason } from '../kernel/hub/run-pause.ts';
import { holdOf } from './breakpoints.ts';
import { requireInput } from './node/prepare-node.ts';
import { mayUseModel } from './node-type.ts';
import type { RunScope, SuspendedNode, TakenOutput } from './run-scope.ts';

interface GraphTurns {
  /** Called when a node can continue. */
  readonly wake: (rank: number) => void;
  readonly pump: () => void;
  /** Ends the graph in its current state. */
  readonly finish: () => void;
}

export class GraphWaits {
  readonly #scope: RunScope;
  readonly #turns: GraphTurns;
  /** Functions that stop listening for an answer, by rank. */
  readonly #waits = new Map<number, () => void>();
  /** Names of waiting nodes, by rank. */
  readonly #names = new Map<number, string>();
  /** Rank of the node that would start next, but the run is paused. */
  #held: number | undefined;
  /** Whether a node of the graph has been let start. */
  #hasStarted = false;
  /** Whether the parked graph's item has released its slot. */
  #hasLeft = false;
  /** Ends the parked state, in which nothing can continue without an answer; undefined if the graph is not parked. */
  #unpark: (() => void) | undefined;

  constructor(scope: RunScope, turns: GraphTurns) {
    this.#scope = scope;
    this.#turns = turns;
  }

  /** Whether a node may not start because the run is paused. It is the only one of the graph; others stay ready. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  get isWaiting(): boolean {
    return this.#waits.size > 0;
  }

  add(rank: number, name: string, { reason, inner, since }: Partial<SuspendedNode>): void {
    const { run } = this.#scope;
    this.#names.set(rank, name);
    run.waiting.set(name, { reason: reason ?? 'operator', inner, since: since ?? run.clock.now() });
    // If there is already an answer, the node wakes immediately.
    this.#waits.set(rank, () => undefined);
    const stop = run.asks.wait(name, () => this.#wake(rank));
    if (!this.#waits.has(rank)) return;
    // Its child run is paused.
    const letGo = isPauseReason(reason) ? this.#scope.harness.hub.pause?.hold(name, () => this.#wake(rank)) : undefined;
    this.#waits.set(rank, () => {
      stop();
      letGo?.();
    });
  }

  /**
   * Returns whether a node may start, or the output that a person has given it instead. If the run is paused, waits with
   * it. A breakpoint pauses the run.
   * @param context values for its bindings. @param isStarted whether it has started before; it then continues
   */
  turnOf(
    rank: number,
    node: CompiledNode,
    { context, isStarted }: { readonly context: BindingContext; readonly isStarted: boolean },
  ): 'starts' | 'held' | TakenOutput {
    const { harness, run, prefix } = this.#scope;
    const { pause } = harness.hub;
    const name = prefix + node.id;
    if (pause === undefined || isStarted || run.asks.isCalledAgain(name)) return 'starts';
    // Most nodes, so it allocates nothing.
    if (pause.isIdleIn(run.source?.path)) return this.#starts(name);
    const step = innermostStep(prefix);
    const { action, value, by } = pause.answerFor(name) ?? {};
    const given = action === 'skip' ? value : undefined;
    const needsModel = mayUseModel(run.registry.get(node.type));
    const starting = {
      ...{ name, id: node.id, context, isFirst: () => this.#isFirst() },
      item: step === undefined ? undefined : step.item + 1,
      resolve: () => requireInput(node, context),
      needs: given !== undefined ? 'nothing' : needsModel ? 'model' : 'time',
    } as const;
    const hold = holdOf(starting, { run, pause, known: pause.heldBecause(name) ?? run.resume?.held.get(name) });
    if (hold === undefined) {
      const start = this.#starts(name);
      return given === undefined ? start : { output: given, pin: true, given: givenBy(by) };
    }
    if (hold.event !== undefined) harness.hub.emit(hold.event);
    this.#held = rank;
    this.#names.set(rank, name);
    run.waiting.set(name, { reason: hold.reason, inner: undefined, since: run.clock.now() });
    this.#waits.set(
      rank,
      pause.hold(name, () => this.#wake(rank)),
    );
    return 'held';
  }

  #starts(name: string): 'starts' {
    this.#hasStarted = true;
    this.#scope.run.waiting.delete(name);
    return 'starts';
  }

  /** Whether nothing in the graph has started or was held, also in earlier processes. */
  #isFirst(): boolean {
    const { prefix, run } = this.#scope;
    if (this.#hasStarted) return false;
    const { settled, open, held } = run.resume ?? {};
    return ![settled, open, held].some((known) => [...(known?.keys() ?? [])].some((name) => name.startsWith(prefix)));
  }

  /** Parks the graph: the item releases its slot. If nothing else is active, the run is suspended. */
  park(): void {
    const { run, place, cancel } = this.#scope;
    if (this.#unpark !== undefined) return;
    // A host that waits for answers keeps the run open, unless a node waits for an answer that the host cannot provide.
    const isHosted = run.host.keepsSteps === true;
    const canContinue = ([rank, name]: readonly [number, string]): boolean =>
      rank === this.#held || run.hostAnswers?.expects(name) === true;
    if (isHosted && ![...this.#names].every(canContinue)) {
      this.#turns.finish();
      return;
    }
    const stop = isHosted ? () => undefined : run.activity.park(this.#turns.finish);
    const letGo = cancel.onCancel(this.#turns.finish);
    this.#unpark = () => {
      stop();
      letGo();
    };
    // While the run is paused, no other item starts in its place.
    this.#hasLeft = this.#held === undefined;
    if (this.#hasLeft) place?.leave();
  }

  /** Stops listening for answers. */
  close(): void {
    this.#leavePark();
    for (const stop of this.#waits.values()) stop();
  }

  #wake(rank: number): void {
    const { activity, place } = this.#scope;
    const stop = this.#waits.get(rank);
    if (stop === undefined) return;
    this.#waits.delete(rank);
    if (rank === this.#held) this.#held = undefined;
    stop();
    this.#names.delete(rank);
    this.#turns.wake(rank);
    if (!this.#leavePark()) {
      this.#turns.pump();
      return;
    }
    activity.begin();
    void Promise.resolve(this.#hasLeft ? place?.enter() : undefined).then(() => {
      this.#turns.pump();
      activity.end();
    });
  }

  /** Returns false if the graph was not parked. */
  #leavePark(): boolean {
    const unpark = this.#unpark;
    this.#unpark = undefined;
    unpark?.();
    return unpark !== undefined;
  }
}

function givenBy(by: string | undefined): GivenOutput {
  return by === undefined ? {} : { by };
}
