/**
 * Schedules a flow as a run does, with what its nodes have used in an earlier run.
 */
import type { CompiledFlow, CompiledGraph, CompiledNode } from '../../language/flow/compiled-flow.ts';
import { IndexQueue } from '../../language/flow/node-order.ts';
import { planOf } from './graph-plan.ts';

/** What a node used when it ran once. */
export interface NodeUse {
  /** Milliseconds of work, without waiting for people. */
  readonly ms: number;
  /** Milliseconds for which it waited for people. */
  readonly waitMs: number;
  readonly tokens: number;
  readonly usd: number;
  /** Whether some of its model calls had no known price, so that `usd` is too low. */
  readonly isUnpriced?: true;
  /** Whether it was skipped. */
  readonly isSkipped?: true;
  /** For a loop: the number of its items. */
  readonly items?: number;
}

/** What earlier runs say about a node. */
export interface NodeHistory {
  /** Whether the values come from the same node, or from nodes of the same type and model. */
  readonly basis: 'same' | 'similar';
  /** By number of the run, the node's uses: one, or one for each item of its loop, in the order of the items. */
  readonly uses: ReadonlyMap<number, readonly NodeUse[]>;
}

/** What an estimate is based on. */
export interface EstimateBasis {
  /** Numbers of the earlier runs of the flow. */
  readonly runs: readonly number[];
  /** Returns what earlier runs say about a node; undefined if they have no such node. */
  readonly historyOf: (node: CompiledNode) => NodeHistory | undefined;
  /** Returns how a node without history counts: as nothing, because it only computes, or as a person's work. */
  readonly natureOf: (node: CompiledNode) => 'quick' | 'person' | 'work';
  /** Top-level nodes that do not run, or only in half of the trials. */
  readonly fates?: ReadonlyMap<string, 'never' | 'maybe'>;
  /** Known numbers of items, by ID of a loop. */
  readonly itemCounts?: ReadonlyMap<string, number>;
}

/** Items that are scheduled one by one. Further ones take as long as these on average, evenly distributed. */
const mostItems = 500;

export interface Sums {
  ms: number;
  waitMs: number;
  tokens: number;
  usd: number;
}

export type TakeUse = (node: CompiledNode, sums: Sums | undefined) => void;

export const nothing = (): Sums => ({ ms: 0, waitMs: 0, tokens: 0, usd: 0 });

/** Where in the trials a node is looked up. */
export interface TrialPlace {
  readonly trial: number;
  /** Number of the earlier run. */
  readonly run: number;
  /** Index among the uses of a node in that run. */
  readonly index: number;
  /** Whether nodes run that may be reused. */
  readonly isFull: boolean;
}

export class EstimateTrials {
  readonly #flow: CompiledFlow;
  readonly #basis: EstimateBasis;
  readonly #histories: ReadonlyMap<CompiledNode, NodeHistory | undefined>;

  constructor(flow: CompiledFlow, basis: EstimateBasis, histories: ReadonlyMap<CompiledNode, NodeHistory | undefined>) {
    this.#flow = flow;
    this.#basis = basis;
    this.#histories = histories;
  }

  /** Returns what the flow uses in one trial. @param take receives what each node has used; undefined if it does not run */
  run(place: TrialPlace, take: TakeUse): Sums {
    const total = nothing();
    const ms = this.#schedule(this.#flow, place, (node, sums) => {
      take(node, sums);
      if (sums !== undefined) add(total, sums);
    });
    return { ...total, ms };
  }

  /** Returns about how many nodes a trial schedules, with those in the items of loops. */
  sizeOf(nodes: readonly CompiledNode[], place: TrialPlace): number {
    return nodes.reduce((sum, node) => {
      const items = node.body === undefined ? 1 : Math.min(mostItems, this.itemsOf(node, place));
      return sum + items * (node.body?.nodes.length ?? 1);
    }, 0);
  }

  /** Returns the number of items that a loop has in a trial. */
  itemsOf(loop: CompiledNode, place: TrialPlace): number {
    return this.#basis.itemCounts?.get(loop.id) ?? this.#find(loop, place)?.items ?? 1;
  }

  /**
   * Schedules the nodes of a graph and returns how long they take together. @param take receives what each node has
   * used; undefined if it does not run
   */
  #schedule(graph: CompiledGraph, place: TrialPlace, take: TakeUse): number {
    const { nodes, outgoing } = planOf(graph);
    const open = nodes.map(({ incomingCount }) => incomingCount);
    const ready = new IndexQueue();
    for (const [rank, count] of open.entries()) if (count === 0) ready.push(rank);
    const running = new RunningNodes();
    let now = 0;
    const settle = (rank: number): void => {
      for (const { to } of outgoing[rank] ?? []) if (--(open[to] as number) === 0) ready.push(to);
    };
    const begin = (rank: number, node: CompiledNode): void => {
      const sums = this.#runs(node, place) ? this.#usedBy(node, place) : undefined;
      take(node, sums);
      if (sums === undefined) settle(rank);
      else running.add(rank, now + sums.ms);
    };
    for (;;) {
      const rank = running.count < this.#flow.policy.maxParallel ? ready.pop() : undefined;
      const next = rank === undefined ? running.takeFirst() : undefined;
      if (rank !== undefined) begin(rank, nodes[rank] as CompiledNode);
      else if (next === undefined) return now;
      else {
        now = next.endsAt;
        settle(next.rank);
      }
    }
  }

  #runs(node: CompiledNode, { isFull }: TrialPlace): boolean {
    const fate = this.#basis.fates?.get(node.id);
    return !node.disabled && fate !== 'never' && (fate !== 'maybe' || isFull);
  }

  /** Returns what a node uses in a trial; undefined if it is skipped. */
  #usedBy(node: CompiledNode, place: TrialPlace): Sums | undefined {
    const use = this.#find(node, place);
    if (use?.isSkipped === true) return undefined;
    if (node.body !== undefined) return this.#usedByItems(node, place);
    return use === undefined ? nothing() : { ms: use.ms, waitMs: use.waitMs, tokens: use.tokens, usd: use.usd };
  }

  #find(node: CompiledNode, { run, trial, index }: TrialPlace): NodeUse | undefined {
    const uses = this.#histories.get(node)?.uses;
    if (uses === undefined || uses.size === 0) return undefined;
    const own = uses.get(run) ?? [...uses.values()][trial % uses.size] ?? [];
    return own[index % own.length];
  }

  /** Distributes the items of a loop to as many workers as it has. */
  #usedByItems(loop: CompiledNode, place: TrialPlace): Sums {
    const count = this.itemsOf(loop, place);
    const { maxParallel } = loop.input;
    const workers = new Array<number>(typeof maxParallel === 'number' ? Math.min(maxParallel, count) : 1).fill(0);
    const scheduled = Math.min(count, Math.max(mostItems, workers.length));
    const sums = nothing();
    let longest = 0;
    for (let item = 0; item < scheduled; item++) {
      // Unless the loop has exactly the items of the earlier run, each trial uses others of them.
      const within = { ...place, index: place.index * scheduled + item };
      const take: TakeUse = (_node, used) => used !== undefined && add(sums, used);
      const ms = this.#schedule(loop.body as CompiledGraph, within, take);
      const worker = workers.indexOf(Math.min(...workers));
      workers[worker] = (workers[worker] ?? 0) + ms;
      longest = Math.max(longest, workers[worker] ?? 0);
    }
    const factor = scheduled === 0 ? 0 : count / scheduled;
    const evenly = (workers.reduce((sum, ms) => sum + ms, 0) / Math.max(1, workers.length)) * factor;
    return {
      ms: Math.max(longest, evenly),
      waitMs: sums.waitMs * factor,
      tokens: sums.tokens * factor,
      usd: sums.usd * factor,
    };
  }
}

/** The running nodes of a graph by the time at which they end. Few run at a time. */
class RunningNodes {
  readonly #ends: { readonly rank: number; readonly endsAt: number }[] = [];

  get count(): number {
    return this.#ends.length;
  }

  add(rank: number, endsAt: number): void {
    const at = this.#ends.findIndex((other) => other.endsAt > endsAt);
    this.#ends.splice(at === -1 ? this.#ends.length : at, 0, { rank, endsAt });
  }

  takeFirst(): { readonly rank: number; readonly endsAt: number } | undefined {
    return this.#ends.shift();
  }
}

function add(total: Sums, { waitMs, tokens, usd }: Sums): void {
  total.waitMs += waitMs;
  total.tokens += tokens;
  total.usd += usd;
}
