/**
 * The nodes of one graph that wait for a person: they hold only what depends on them. When nothing else can go on, the graph waits.
 */
import type { RunScope, WaitingNode } from './run-scope.ts';

interface GraphTurns {
  /** The node goes on next. */
  readonly wake: (rank: number) => void;
  readonly pump: () => void;
  /** Ends the graph as it is. */
  readonly finish: () => void;
}

export class GraphWaits {
  readonly #scope: RunScope;
  readonly #turns: GraphTurns;
  /** By rank: ends the listening for an answer. */
  readonly #waits = new Map<number, () => void>();
  /** By rank: the name of a node that waits. */
  readonly #names = new Map<number, string>();
  /** While nothing can go on before somebody has answered: ends that state. */
  #unpark: (() => void) | undefined;

  constructor(scope: RunScope, turns: GraphTurns) {
    this.#scope = scope;
    this.#turns = turns;
  }

  get isWaiting(): boolean {
    return this.#waits.size > 0;
  }

  add(rank: number, name: string, { reason, inner, since }: Partial<WaitingNode>): void {
    const { run } = this.#scope;
    this.#names.set(rank, name);
    run.waiting.set(name, { reason: reason ?? 'operator', inner, since: since ?? run.clock.now() });
    // Who has an answer already wakes it at once.
    this.#waits.set(rank, () => undefined);
    const stop = run.asks.wait(name, () => this.#wake(rank));
    if (this.#waits.has(rank)) this.#waits.set(rank, stop);
  }

  /** Nothing goes on here: the item gives its place to others, and when nothing goes on anywhere, the run is suspended. */
  park(): void {
    const { run, place, cancel } = this.#scope;
    if (this.#unpark !== undefined) return;
    // A host that waits for answers keeps the run open, unless something waits that no answer of it will wake.
    const isHosted = run.host.keepsSteps === true;
    if (isHosted && ![...this.#names.values()].every((name) => run.hostAnswers?.expects(name))) {
      this.#turns.finish();
      return;
    }
    const stop = isHosted ? () => undefined : run.activity.park(this.#turns.finish);
    const letGo = cancel.onCancel(this.#turns.finish);
    this.#unpark = () => {
      stop();
      letGo();
    };
    place?.leave();
  }

  /** Nobody listens for answers any more. */
  close(): void {
    this.#leavePark();
    for (const stop of this.#waits.values()) stop();
  }

  #wake(rank: number): void {
    const { activity, place } = this.#scope;
    this.#waits.delete(rank);
    this.#names.delete(rank);
    this.#turns.wake(rank);
    if (!this.#leavePark()) {
      this.#turns.pump();
      return;
    }
    activity.begin();
    void Promise.resolve(place?.enter()).then(() => {
      this.#turns.pump();
      activity.end();
    });
  }

  /** False when it was not parked. */
  #leavePark(): boolean {
    const unpark = this.#unpark;
    this.#unpark = undefined;
    unpark?.();
    return unpark !== undefined;
  }
}
